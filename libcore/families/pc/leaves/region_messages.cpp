// Messages of leaves whose variable lies in a region.   [pc/README 9.13]
#include "libcore/base/index.hpp"
#include "libcore/families/pc/leaves/normal_region.hpp"
#include "libcore/families/pc/passes/message.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace logpx::pc {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

// y_j = p_j[x], and where x is missing the sum of p_j over the region, or the largest there.
template <typename T>
void table_region_message(const Work<T>& work, int b, const ColumnValues& values) {
  const Block& block = work.plan.block(b);
  Message<T>& message = work.of(b);
  const std::vector<double> all = leaf_tables(work, b);
  const auto categories = std::ssize(values.region->categories);
  std::fill_n(message.exponent, work.columns, 0);
  for (std::int64_t j = 0; j < block.size; ++j)
    for (std::int64_t c = 0; c < work.columns; ++c) {
      const std::int64_t style = block.styled ? work.styles[c] : 0;
      const double* const p = all.data() + (style * block.size + j) * categories;
      double sum = 0, largest = 0;
      for (std::int64_t k = 0; k < categories; ++k) {
        const auto category = static_cast<std::int32_t>(k);
        const bool counts = values.missing(c) || values.x[c] == category;
        if (!counts || !values.region->has(category)) continue;
        sum += p[k];
        largest = std::max(largest, p[k]);
      }
      message.y[j * work.columns + c] = static_cast<T>(work.over == Over::sums ? sum : largest);
    }
}

// What a node says of a number that is missing.
template <typename T>
double log_p_region(const Work<T>& work, int b, std::span<const double> q,
                    const ValueRegion& region) {
  const bool whole = work.plan.circuit().variables[at(work.plan.block(b).variable)].whole;
  if (work.over == Over::sums)
    return NormalRegion({q[0], q[1]}, region, whole ? Numbers::whole : Numbers::real).log_mass();
  const Leaf& leaf = *work.plan.leaf(b);
  const std::array<double, 1> nearest = {region.nearest(leaf.mode(q))};
  std::array<double, 1> nats = {};
  leaf.log_p(q, nearest, nats);
  return nats[0];
}

template <typename T>
void number_region_message(const Work<T>& work, int b, const ColumnValues& values) {
  const Block& block = work.plan.block(b);
  const Leaf& leaf = *work.plan.leaf(b);
  Message<T>& message = work.of(b);
  std::vector<std::int64_t> columns;
  std::vector<double> x, nats(at(block.size * work.columns)), q(at(leaf.parameters()));
  for (std::int64_t c = 0; c < work.columns; ++c) {
    columns.push_back(c);
    x.push_back(values.missing(c) ? 0 : values.number(c, 0));
  }
  const T* parameters = work.parameters(b);
  for (std::int64_t j = 0; j < block.size; ++j, parameters += q.size()) {
    std::copy_n(parameters, q.size(), q.begin());
    const std::span<double> own = std::span(nats).subspan(at(j * work.columns), x.size());
    leaf.log_p(q, x, own);
    const double missing = log_p_region(work, b, q, *values.region);
    for (std::int64_t c = 0; c < work.columns; ++c)
      if (values.missing(c)) own[at(c)] = missing;
      else if (!values.region->has(x[at(c)])) own[at(c)] = impossible;
  }
  std::fill_n(message.exponent, work.columns, 0);
  scale_logs(std::span<const std::int64_t>(columns), nats, block.size, work.columns, message);
}

}  // namespace

template <typename T>
void region_message(const Work<T>& work, int b, const ColumnValues& values) {
  const bool real = work.plan.circuit().variables[at(work.plan.block(b).variable)].categories == 0;
  real ? number_region_message(work, b, values) : table_region_message(work, b, values);
}

template void region_message(const Work<float>&, int, const ColumnValues&);
template void region_message(const Work<double>&, int, const ColumnValues&);

}  // namespace logpx::pc
