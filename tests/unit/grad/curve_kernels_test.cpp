#include "libcore/grad/curve_kernels.hpp"

#include "libcore/det/isa.hpp"
#include "libcore/grad/ops_spline.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace logpx::curve_kernels_test {
namespace {

constexpr std::size_t curves = 5, step = 47;

template <typename T>
const CurveKernels<T>& kernels_of(Isa isa) {
  if constexpr (std::is_same_v<T, float>) return curve_kernels_of(isa).of_floats;
  else return curve_kernels_of(isa).of_doubles;
}

std::vector<Isa> available() {
  std::vector<Isa> all = {Isa::baseline, Isa::v3, Isa::v4};
  std::erase_if(all, [](Isa isa) { return !isa_available(isa); });
  return all;
}

template <typename T>
struct Layer {
  std::size_t count;
  std::vector<T> coef = random_values<T>(1, curves*count), scale = random_values<T>(2, curves),
                 base = random_values<T>(3, curves), rows = random_values<T>(4, curves*step);
  [[nodiscard]] CurveRun<T> run() const {
    return {static_cast<long>(curves),
            static_cast<long>(count),
            static_cast<long>(step),
            coef.data(),
            scale.data(),
            base.data()};
  }
};

template <typename T>
void folds_as_written(Isa isa, std::size_t count) {
  const Layer<T> layer{count};
  std::vector<T> rows = layer.rows, wanted = layer.rows;
  for (std::size_t c = 0; c < curves; ++c) {
    for (std::size_t k = 0; k < count; ++k)
      wanted[c * step + k] = layer.scale[c] * layer.coef[c * count + k];
    wanted[c * step + count] = layer.base[c];
  }
  kernels_of<T>(isa).fold(layer.run(), rows.data());
  CHECK(rows == wanted);
}

template <typename T>
void unfolds_as_written(Isa isa, std::size_t count, bool adds) {
  const Layer<T> layer{count};
  std::vector<T> coef = random_values<T>(5, curves * count), scale = random_values<T>(6, curves),
                 base = random_values<T>(7, curves);
  std::vector<T> wanted_coef = coef, wanted_scale = scale, wanted_base = base;
  const auto put = [adds](T value, T& to) { to = adds ? to + value : value; };
  for (std::size_t c = 0; c < curves; ++c) {
    const T* const row = &layer.rows[c * step];
    for (std::size_t k = 0; k < count; ++k)
      put(layer.scale[c] * row[k], wanted_coef[c * count + k]);
    put(short_dot(row, &layer.coef[c * count], static_cast<std::int64_t>(count)), wanted_scale[c]);
    put(row[count], wanted_base[c]);
  }
  kernels_of<T>(isa).unfold(layer.run(), layer.rows.data(),
                            {coef.data(), scale.data(), base.data(), adds, adds, adds});
  CHECK(coef == wanted_coef);
  CHECK(scale == wanted_scale);
  CHECK(base == wanted_base);
}

}  // namespace

TEST_CASE("curve kernels: every instruction set folds weights to the same bits as plain loops") {
  for (const Isa isa : available())
    for (std::size_t count = 1; count < step; ++count) {
      CAPTURE(count);
      folds_as_written<float>(isa, count);
      folds_as_written<double>(isa, count);
    }
}

TEST_CASE("curve kernels: every instruction set gives the same gradients as plain loops") {
  for (const Isa isa : available())
    for (std::size_t count = 1; count < step; ++count)
      for (const bool adds : {false, true}) {
        CAPTURE(count);
        unfolds_as_written<float>(isa, count, adds);
        unfolds_as_written<double>(isa, count, adds);
      }
}

}  // namespace logpx::curve_kernels_test
