#include "libcore/families/arm/training/drawn_rows.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>
#include <vector>

namespace logpx::arm {
namespace {

// Row `row` of an input with so many numbers for each.
template <typename T>
std::span<T> row_of(std::span<T> all, std::size_t row, std::size_t size) {
  return all.subspan(row * size, size);
}

void bind_noise(const RowDraw& draw, std::size_t dims, GraphInputs& inputs) {
  std::uint64_t element = draw.element;
  for (const char* noise : {"noise1", "noise2"})
    for (float& value : row_of(inputs.values(noise), draw.row, dims))
      value = static_cast<float>(gumbel_of(draw.orders.uniform(element++)));
}

// The state itself, of an order that is not learned.
void bind_state(const OrderRule& rule, const RowDraw& draw, std::span<const std::int32_t> x,
                std::int64_t count, GraphInputs& inputs) {
  const std::size_t dims = x.size();
  std::vector<double> uniforms(dims);
  for (std::size_t k = 0; k < dims; ++k) uniforms[k] = draw.orders.uniform(draw.element + k);
  const std::vector<std::int32_t> order = drawn_order(rule.groups, uniforms, x);
  std::vector<std::uint8_t> seen(dims), next(dims);
  for (std::int64_t i = 0; i < count; ++i) seen[at(order[at(i)])] = 1;
  rule.candidates({.x = x, .seen = seen, .values = {}, .policy = {}}, next);
  std::ranges::copy(seen, row_of(inputs.values("seen"), draw.row, dims).begin());
  std::ranges::copy(next, row_of(inputs.values("next"), draw.row, dims).begin());
}

}  // namespace

void bind_row(const ArmModel& model, const RowDraw& draw, std::span<const std::int32_t> x,
              GraphInputs& inputs) {
  const std::size_t dims = x.size();
  std::ranges::copy(x, row_of(inputs.indices("x"), draw.row, dims).begin());
  std::ranges::fill(row_of(inputs.values("exists"), draw.row, dims), 1.0F);
  const auto length = static_cast<std::int64_t>(dims);
  inputs.values("length")[draw.row] = static_cast<float>(length);
  const std::int64_t count =
      std::min(static_cast<std::int64_t>(draw.time * static_cast<double>(length)), length - 1);
  const OrderRule rule = model.rule();
  if (!rule.learned()) return bind_state(rule, draw, x, count, inputs);
  inputs.indices("counts")[draw.row] = static_cast<std::int32_t>(count);
  bind_noise(draw, dims, inputs);
}

}  // namespace logpx::arm
