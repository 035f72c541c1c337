// p of each value given those before it, for chains, trees and all other circuits.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/coding/filter.hpp"
#include "libcore/families/pc/queries/next_tables.hpp"
#include "libcore/families/pc/queries/queries.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace logpx::pc {
namespace {

// The plan by which a tree is coded; nothing for other circuits and for those with styles, which
// coding does not sum over.
std::optional<FilterPlan> walk_of(const PassPlan& plan) {
  if (plan.circuit().styles > 1) return std::nullopt;
  try {
    return std::optional<FilterPlan>(std::in_place, plan);
  } catch (const Error&) {  // the circuit is not a tree
    return std::nullopt;
  }
}

}  // namespace

std::vector<double> Queries::next(const Evidence& rows) const {
  std::vector<double> all(at(rows.count() * rows.width * levels()));
  if (plan_.carry() >= 0)
    in_single() ? next_of_steps<float>(rows, all) : next_of_steps<double>(rows, all);
  else if (const auto walk = walk_of(plan_)) next_of_tree(rows, *walk, all);
  else next_of_places(rows, all);
  return all;
}

// A chain goes forward once, and sees the values step by step.
template <typename T>
void Queries::next_of_steps(const Evidence& rows, std::span<double> all) const {
  const auto theta = numbers<T>();
  const std::int64_t row = rows.width * levels();
  std::vector<double> own;
  Pass<T> pass(plan_, {});
  for_parts(rows, [&](Part& part) {
    Columns unknown = part.columns;
    std::ranges::fill(unknown.x, -1);
    NextTables<T> way(plan_.circuit(), part.columns, own);
    pass.descend({.theta = *theta}, unknown, part.nats, way);
    way.normalise();
    take_numbers(own, std::ssize(own) / part.columns.count, row, all.subspan(at(part.first * row)));
  });
}

// A tree is walked once, for several rows in step.
void Queries::next_of_tree(const Evidence& rows, const FilterPlan& walk,
                           std::span<double> all) const {
  constexpr std::int64_t at_once = 64;
  const FilterNumbers numbers = filter_numbers(plan_, *weights());
  const auto size = at(levels());
  for (std::int64_t first = 0; first < rows.count(); first += at_once) {
    const auto count = at(std::min(at_once, rows.count() - first));
    CircuitFilter filter(plan_, walk, numbers);
    filter.begin(count);
    std::vector<std::uint32_t> symbols(count);
    std::vector<bool> impossible(count);
    for (const int place : walk.order()) {
      const std::span<const double> expected = filter.weights(count);
      for (std::size_t c = 0; c < count; ++c) {
        const std::int64_t row = first + static_cast<std::int64_t>(c);
        const std::span<const double> own = expected.subspan(c * size, size);
        const double total = std::accumulate(own.begin(), own.end(), 0.0);
        const std::span<double> to = all.subspan(at(row * rows.width + place) * size, size);
        for (std::size_t k = 0; k < size && !impossible[c]; ++k) to[k] = own[k] / total;
        const std::int32_t x = rows.row(row)[at(std::int64_t{place})];
        symbols[c] = x < 0 ? CircuitFilter::unseen : static_cast<std::uint32_t>(x);
        impossible[c] = impossible[c] || (x >= 0 && own[at(std::int64_t{x})] == 0);
      }
      filter.advance(symbols);
    }
  }
}

double Queries::next_cost(std::int64_t width) const {
  if (plan_.carry() >= 0) return 4 * cost(width);
  if (walk_of(plan_)) return 2 * cost(width);
  return 3 * static_cast<double>(width) * cost(width);
}

// Other circuits take a pass for each value, in which those before it are observed.
void Queries::next_of_places(const Evidence& rows, std::span<double> all) const {
  Evidence shown = rows;
  std::ranges::fill(shown.x, -1);
  const std::int64_t size = levels();
  for (const std::int64_t place : next_order(rows.width)) {
    const std::vector<double> some = tables(shown).p;
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      const std::int64_t cell = i * rows.width + place;
      std::copy_n(some.begin() + cell * size, size, all.begin() + cell * size);
      shown.x[at(cell)] = rows.x[at(cell)];
    }
  }
}

std::vector<std::int64_t> Queries::next_order(std::int64_t width) const {
  std::vector<std::int64_t> order(at(width));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  if (plan_.carry() >= 0) return order;
  if (const auto walk = walk_of(plan_)) return {walk->order().begin(), walk->order().end()};
  return reading_order(plan_.circuit());
}

}  // namespace logpx::pc
