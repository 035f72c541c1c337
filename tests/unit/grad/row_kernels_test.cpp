#include "libcore/grad/row_kernels.hpp"

#include "libcore/det/isa.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::row_kernels_test {
namespace {

// All that the kernels leave of rows 1 to 5 of 6.
template <typename T>
std::vector<T> all_results(const RowKernels<T>& kernels, NormRows rows) {
  rows.first = 1, rows.count = 5;
  const auto n = static_cast<std::size_t>(rows.length()), all = 6 * n,
             parameters = static_cast<std::size_t>(rows.groups * rows.channels);
  const std::vector<T> x = random_values<T>(1, all), scale = random_values<T>(2, parameters),
                       shift = random_values<T>(3, parameters), g = random_values<T>(4, 5 * n);
  std::vector<T> moments(12), y(5 * n), h(n), xhat(n), dx = random_values<T>(5, all), sums(n);
  std::vector<double> dscale(parameters), dshift(parameters);
  const NormCall<T> call = {.rows = rows,
                            .x = x.data(),
                            .scale = scale.data(),
                            .shift = shift.data(),
                            .eps = 1e-5,
                            .moments = moments.data(),
                            .y = y.data()};
  kernels.moments(call);
  kernels.scale_and_shift(call);
  for (const bool adds : {false, true})
    kernels.norm_slopes({.rows = rows,
                         .x = x.data(),
                         .scale = scale.data(),
                         .moments = moments.data(),
                         .g = g.data(),
                         .h = h.data(),
                         .xhat = xhat.data(),
                         .dscale = dscale.data(),
                         .dshift = dshift.data(),
                         .dx = dx.data(),
                         .adds_x = adds});
  kernels.add_column_sums({5, static_cast<long>(n), g.data(), sums.data()});
  std::vector<T> results = y;
  for (const auto* more : {&moments, &dx, &sums})
    results.insert(results.end(), more->begin(), more->end());
  for (const auto* more : {&dscale, &dshift})
    for (const double value : *more) results.push_back(static_cast<T>(value));
  return results;
}

template <typename T>
void check_instruction_sets(const RowKernels<T> AllRowKernels::*of_type) {
  // Layer norms of several widths, and group norms.
  std::vector<NormRows> forms = {{.channels = 3, .run = 25},
                                 {.channels = 2, .run = 9, .groups = 3}};
  for (const long width : {1L, 7L, 24L, 70L, 300L}) forms.push_back({.channels = width});
  for (const NormRows& form : forms) {
    CAPTURE(form.channels);
    const std::vector<T> expected = all_results(row_kernels_of(Isa::baseline).*of_type, form);
    for (const T value : expected) CHECK(std::isfinite(value));
    for (const Isa isa : {Isa::v3, Isa::v4})
      if (isa_available(isa)) CHECK(all_results(row_kernels_of(isa).*of_type, form) == expected);
  }
}

}  // namespace

TEST_CASE("row kernels: every instruction set gives the same bits") {
  check_instruction_sets(&AllRowKernels::of_floats);
  check_instruction_sets(&AllRowKernels::of_doubles);
}

}  // namespace logpx::row_kernels_test
