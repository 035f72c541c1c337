#include "libcore/families/arm/training/drawn_rows.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>
#include <vector>

namespace logpx::arm {
namespace {

// How many dims of an order are seen.
std::int64_t place_in(const RowDraw& draw, std::int64_t length) {
  return std::min(static_cast<std::int64_t>(draw.time * static_cast<double>(length)), length - 1);
}

void bind_noise(const NetLayout& layout, const RowDraw& draw, std::size_t dims,
                GraphInputs& inputs) {
  const std::span<const std::int32_t> own = layout.dims_of_rows();
  std::uint64_t element = draw.element;
  for (const char* noise : {"noise1", "noise2"}) {
    const std::span<float> values = inputs.values(noise).subspan(draw.row * own.size(), own.size());
    for (std::size_t k = 0; k < own.size(); ++k)
      values[k] = own[k] == absent ? 0.0F
                                   : static_cast<float>(gumbel_of(draw.orders.uniform(
                                         element + static_cast<std::uint64_t>(own[k]))));
    element += dims;
  }
}

// The state itself, where the order is not learned.
void bind_state(const OrderRule& rule, const NetLayout& layout, const RowDraw& draw,
                std::span<const std::int32_t> x, GraphInputs& inputs) {
  const std::size_t dims = x.size();
  std::vector<double> uniforms(dims);
  for (std::size_t k = 0; k < dims; ++k) uniforms[k] = draw.orders.uniform(draw.element + k);
  const std::vector<std::int32_t> order = drawn_order(rule.groups, uniforms, x);
  std::vector<std::uint8_t> seen(dims), next(dims);
  for (std::size_t i = 0; i < at(place_in(draw, std::ssize(order))); ++i) seen[at(order[i])] = 1;
  rule.candidates({.x = x, .seen = seen, .values = {}, .policy = {}}, next);
  layout.bind(inputs.values("seen"), draw.row, std::span<const std::uint8_t>(seen));
  layout.bind(inputs.values("next"), draw.row, std::span<const std::uint8_t>(next));
}

}  // namespace

void bind_row(const ArmModel& model, const NetLayout& layout, const RowDraw& draw,
              std::span<const std::int32_t> x, GraphInputs& inputs) {
  layout.bind_values(draw.row, x, inputs);
  const std::int64_t length = std::ssize(x) - std::ranges::count(x, absent);
  inputs.values("length")[draw.row] = static_cast<float>(length);
  const OrderRule rule = model.rule();
  if (!rule.learned()) return bind_state(rule, layout, draw, x, inputs);
  inputs.indices("counts")[draw.row] = static_cast<std::int32_t>(place_in(draw, length));
  bind_noise(layout, draw, x.size(), inputs);
}

}  // namespace logpx::arm
