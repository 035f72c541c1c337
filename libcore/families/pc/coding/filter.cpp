#include "libcore/families/pc/coding/filter.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/ordered_product.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"
#include "libcore/families/pc/styles/style_mixture.hpp"
#include "libcore/math/column_loops.hpp"
#include "libcore/math/monarch.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx::pc {

using Kind = FilterAction::Kind;

FilterNumbers filter_numbers(const PassPlan& passes, std::vector<double> theta) {
  FilterNumbers numbers{.theta = std::move(theta), .tables = {}};
  const std::span<const double> all = numbers.theta;
  numbers.tables.resize(passes.circuit().blocks.size());
  for (int b = 0; b < static_cast<int>(numbers.tables.size()); ++b) {
    const Block& block = passes.block(b);
    if (block.kind != BlockKind::leaf || passes.leaf(b) == nullptr) continue;
    numbers.tables[at(b)] = tables_of(*passes.leaf(b), passes.values(b, 0, all), block.size,
                                      passes.circuit().variables[at(block.variable)].categories);
  }
  return numbers;
}

CircuitFilter::CircuitFilter(const PassPlan& passes, const FilterPlan& plan,
                             const FilterNumbers& numbers)
    : passes_(passes),
      plan_(plan),
      numbers_(numbers),
      parts_(passes.circuit().blocks.size()),
      levels_(std::ranges::max(passes.circuit().variables, {}, &Variable::categories).categories) {
  find_parts(plan.begin());
  find_parts(plan.step());
}

void CircuitFilter::find_parts(const std::vector<FilterAction>& actions) {
  for (const FilterAction& action : actions) {
    Parts& found = parts_[at(action.block)];
    if (action.kind == Kind::code || action.kind == Kind::observe) {
      found.leaves = leaves_of(passes_.circuit(), action.block);
      const int variable = passes_.block(found.leaves[0]).variable;
      found.categories = passes_.circuit().variables[at(variable)].categories;
    } else if (action.kind == Kind::down && found.tensors.empty()) {
      for (std::size_t t = 0; t < passes_.tensors(action.block).size(); ++t)
        found.tensors.push_back(
            passes_.values(action.block, t, std::span<const double>(numbers_.theta)));
    }
  }
}

const double* CircuitFilter::table(int leaf, std::size_t column) const {
  if (const std::vector<double>& own = numbers_.tables[at(leaf)]; !own.empty()) return own.data();
  const std::int64_t style = has_styles() ? styles_[column] : 0;
  return leaf_values(passes_, leaf, style, std::span<const double>(numbers_.theta));
}

double* CircuitFilter::at_row(std::int64_t row) { return arena_.data() + at(row) * columns_; }

void CircuitFilter::begin(std::size_t items) {
  const RepeatableFunctions ordered;
  columns_ = items;
  arena_.resize(at(plan_.rows()) * columns_);
  room_.resize(at(passes_.room(static_cast<std::int64_t>(columns_))));
  largest_.resize(columns_);
  symbols_.assign(columns_, 0);
  styles_.clear();
  std::fill_n(arena_.begin(), columns_, 1.0);
  for (const FilterAction& action : plan_.begin()) run(action);
  next_ = 0;
}

std::span<const double> CircuitFilter::weights(std::size_t items) {
  if (has_styles() && styles_.empty()) return style_weights(items);
  const RepeatableFunctions ordered;
  const std::vector<FilterAction>& step = plan_.step();
  while (step[next_].kind != Kind::code) {
    run(step[next_]);
    next_ = (next_ + 1) % step.size();
  }
  expect(step[next_], items);
  return weights_;
}

// A variable with fewer categories than others keeps weight 0 for the rest. Columns of one style
// could share a product, but rarely do.
void CircuitFilter::expect(const FilterAction& code, std::size_t items) {
  const std::int64_t symbols = parts(code.block).categories, columns = std::ssize(symbols_);
  const std::int64_t levels = levels_;
  weights_.assign(items * at(levels), 0.0);
  std::int64_t row = code.from;
  for (const int leaf : parts(code.block).leaves) {
    const Block& block = passes_.block(leaf);
    const double* const belief = at_row(row);
    row += block.size;
    if (block.kind == BlockKind::indicator) {
      for (std::size_t c = 0; c < items; ++c)
        weights_[c * at(levels) + at(block.value)] += belief[c];
      continue;
    }
    const auto rows = block.styled ? 1 : static_cast<std::int64_t>(items);
    for (std::size_t c = 0; c < items; c += at(rows))
      det::multiply({.m = rows,
                     .n = symbols,
                     .k = block.size,
                     .a = {belief + c, 1, columns},
                     .b = {table(leaf, c), symbols, 1},
                     .c = weights_.data() + c * at(levels),
                     .ldc = levels,
                     .beta = 1});
  }
}

std::span<const double> CircuitFilter::style_weights(std::size_t items) {
  const BlockRange prior = passes_.style_prior();
  weights_.clear();
  for (std::size_t c = 0; c < items; ++c)
    weights_.insert(weights_.end(), numbers_.theta.begin() + prior.begin,
                    numbers_.theta.begin() + prior.end);
  return weights_;
}

void CircuitFilter::advance(std::span<const std::uint32_t> symbols) {
  if (has_styles() && styles_.empty()) {
    styles_.assign(symbols.begin(), symbols.end());
    styles_.resize(columns_);
    return;
  }
  std::ranges::copy(symbols, symbols_.begin());
  next_ = (next_ + 1) % plan_.step().size();
}

void CircuitFilter::run(const FilterAction& action) {
  switch (action.kind) {
    case Kind::code: break;
    case Kind::observe: return observe(action);
    case Kind::tell: return tell(action);
    case Kind::down:
    case Kind::up: return multiply(action);
    case Kind::meet: return meet(action);
    case Kind::fold: return fold(action);
    case Kind::join: return join(action);
    case Kind::hand_on:
      std::copy_n(at_row(action.from), at(action.size) * columns_, arena_.begin());
      break;
  }
}

void CircuitFilter::multiply(const FilterAction& action) {
  const MonarchMap<double> map(passes_.form(action.block), parts(action.block).tensors,
                               static_cast<std::int64_t>(columns_), room_);
  if (action.kind == Kind::up) map.apply(at_row(action.from), at_row(action.to));
  else map.apply_transposed(at_row(action.from), at_row(action.to));
}

void CircuitFilter::tell(const FilterAction& action) {
  const std::int64_t symbols = parts(action.block).categories;
  double* to = at_row(action.to);
  for (const int leaf : parts(action.block).leaves) {
    const Block& block = passes_.block(leaf);
    const std::size_t end = at(block.size) * columns_;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (block.kind == BlockKind::indicator) {
        to[c] = symbols_[c] == block.value || symbols_[c] == unseen ? 1.0 : 0.0;
        continue;
      }
      const bool known = symbols_[c] < symbols;
      const double* node = table(leaf, c) + (known ? symbols_[c] : 0);
      const double otherwise = symbols_[c] == unseen ? 1.0 : 0.0;
      for (std::size_t i = c; i < end; i += columns_, node += symbols)
        to[i] = known ? *node : otherwise;
    }
    to += end;
  }
}

void CircuitFilter::observe(const FilterAction& action) {
  const std::int64_t symbols = parts(action.block).categories;
  const double* from = at_row(action.from);
  double* to = at_row(action.to);
  nodes_.clear();
  unknown_.clear();
  for (std::size_t c = 0; c < columns_; ++c) {
    const bool known = symbols_[c] < symbols;
    nodes_.push_back(table(action.block, c) + (known ? symbols_[c] : 0));
    if (!known) unknown_.push_back(c);
  }
  kept_.resize(unknown_.size());
  for (std::int64_t k = 0; k < action.size; ++k) {
    for (std::size_t u = 0; u < unknown_.size(); ++u)
      kept_[u] = symbols_[unknown_[u]] == unseen ? from[unknown_[u]] : 0.0;
    for (std::size_t c = 0; c < columns_; ++c) to[c] = from[c] * nodes_[c][k * symbols];
    for (std::size_t u = 0; u < unknown_.size(); ++u) to[unknown_[u]] = kept_[u];
    from += columns_, to += columns_;
  }
  scale(at_row(action.to), action.size);
}

void CircuitFilter::meet(const FilterAction& action) {
  column_kernels<double>().multiply(at_row(action.from), at_row(action.with), at_row(action.to),
                                    action.size * std::ssize(largest_));
  scale(at_row(action.to), action.size);
}

void CircuitFilter::fold(const FilterAction& action) {
  const double* from = at_row(action.from);
  double* to = at_row(action.to);
  std::fill_n(to, at(action.size) * columns_, 0.0);
  const std::size_t block = at(action.inner) * columns_;
  for (std::int64_t i = 0; i < action.size; i += action.inner, to += block) {
    for (std::int64_t a = 0; a < action.states; ++a, from += block) {
      const double* const with = action.with < 0 ? nullptr : at_row(action.with + a);
      for (std::size_t j = 0; j < block; ++j)
        to[j] += with == nullptr ? from[j] : from[j] * with[j % columns_];
    }
  }
  scale(at_row(action.to), action.size);
}

void CircuitFilter::join(const FilterAction& action) {
  double* to = at_row(action.to);
  for (std::int64_t i = 0; i < action.size; ++i, to += columns_) {
    const double *from = at_row(action.from + i / action.states),
                 *with = at_row(action.with + i % action.states);
    for (std::size_t c = 0; c < columns_; ++c) to[c] = from[c] * with[c];
  }
  scale(at_row(action.to), action.size);
}

void CircuitFilter::scale(double* y, std::int64_t rows) {
  const ColumnKernels<double>& loops = column_kernels<double>();
  const auto columns = std::ssize(largest_);
  loops.largest(y, rows, columns, largest_.data());
  bool impossible = false;
  for (double& factor : largest_) {
    int exponent = 0;
    static_cast<void>(std::frexp(factor, &exponent));
    impossible = impossible || factor == 0;
    factor = factor == 0 ? 0.0 : std::ldexp(1.0, -exponent);
  }
  loops.scale(y, rows, columns, largest_.data(), std::numeric_limits<double>::max());
  if (!impossible) return;
  for (double* row = y; row < y + rows * columns; row += columns_)
    for (std::size_t c = 0; c < columns_; ++c)
      if (largest_[c] == 0) row[c] = 1.0;
}

}  // namespace logpx::pc
