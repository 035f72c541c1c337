#include "tests/support/held_circuit.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx::testing {

using namespace logpx::pc;

Columns columns_of(const SymbolRows& rows, std::int64_t variables) {
  Columns columns{.count = std::ssize(rows)};
  for (const auto& row : rows) {
    columns.lengths.push_back(std::ssize(row) / variables);
    columns.steps = std::max(columns.steps, columns.lengths.back());
  }
  columns.x.assign(at(columns.steps * variables * columns.count), -1);
  for (std::size_t c = 0; c < rows.size(); ++c)
    for (std::size_t i = 0; i < rows[c].size(); ++i) columns.x[i * rows.size() + c] = rows[c][i];
  return columns;
}

HeldCircuit::HeldCircuit(Circuit circuit)
    : plan((require_valid(circuit, "held circuit"), std::move(circuit)), params),
      theta(at(params.block_size())) {}

HeldCircuit::HeldCircuit(const CircuitText& whole) : HeldCircuit(whole.circuit) {
  for (int b = 0; b < static_cast<int>(whole.weights.size()); ++b) {
    const double* from = whole.weights[at(b)].data();
    for (std::size_t t = 0; t < plan.tensors(b).size() && !whole.weights[at(b)].empty(); ++t) {
      const BlockRange range = plan.range(b, t);
      if (plan.leaf(b) != nullptr && t > 0) continue;  // room for statistics
      std::copy_n(from, range.end - range.begin, theta.begin() + range.begin);
      from += range.end - range.begin;
    }
  }
}

CircuitText HeldCircuit::text() const {
  CircuitText whole{.circuit = plan.circuit(), .weights = {}};
  for (int b = 0; b < static_cast<int>(plan.circuit().blocks.size()); ++b) {
    std::vector<double>& numbers = whole.weights.emplace_back();
    for (std::size_t t = 0; t < plan.tensors(b).size(); ++t) {
      const BlockRange range = plan.range(b, t);
      if (plan.leaf(b) == nullptr || t == 0)
        numbers.insert(numbers.end(), theta.begin() + range.begin, theta.begin() + range.end);
    }
  }
  return whole;
}

void HeldCircuit::draw(std::uint64_t seed) {
  for (int tensor = 0; tensor < params.count(); ++tensor) {
    const Substream draws = Rng(seed).stream(Stream::init, static_cast<std::uint32_t>(tensor));
    const View<double> view = params.view(tensor, std::span(theta));
    for (std::int64_t i = 0; i < view.size(); ++i)
      view[i] = 0.02 + draws.uniform(static_cast<std::uint64_t>(i));
    normalise_rows(view.span(), view.shape.back());
  }
}

// "leaf.0/p", "transition/a2": the block's id, and which of its tensors.
BlockRange HeldCircuit::range_of(const std::string& tensor) const {
  if (tensor == style_prior_tensor) return plan.style_prior();
  const std::size_t slash = tensor.rfind('/');
  const auto& blocks = plan.circuit().blocks;
  const auto found = std::ranges::find(blocks, tensor.substr(0, slash), &Block::id);
  LOGPX_ASSERT(found != blocks.end());
  const std::size_t t = tensor[slash + 1] == 'a' ? std::stoul(tensor.substr(slash + 2)) - 1 : 0;
  return plan.range(static_cast<int>(found - blocks.begin()), t);
}

void HeldCircuit::set(const std::string& tensor, const std::vector<double>& values) {
  const BlockRange range = range_of(tensor);
  LOGPX_ASSERT(range.end - range.begin == std::ssize(values));
  std::ranges::copy(values, theta.begin() + range.begin);
}

std::vector<double> HeldCircuit::get(const std::string& tensor,
                                     const std::vector<double>& block) const {
  const BlockRange range = range_of(tensor);
  return {block.begin() + range.begin, block.begin() + range.end};
}

std::vector<double> HeldCircuit::log_p(const SymbolRows& rows, const PassSettings& settings) const {
  std::vector<double> nats(rows.size());
  const Columns columns = columns_of(rows, std::ssize(plan.circuit().variables));
  Pass<double>(plan, settings).log_p(theta, columns, nats);
  return nats;
}

std::vector<double> HeldCircuit::log_p_in_float(const SymbolRows& rows) const {
  std::vector<double> nats(rows.size());
  const std::vector<float> rounded(theta.begin(), theta.end());
  const Columns columns = columns_of(rows, std::ssize(plan.circuit().variables));
  Pass<float>(plan, {}).log_p(rounded, columns, nats);
  return nats;
}

std::vector<double> HeldCircuit::counts(const SymbolRows& rows,
                                        const PassSettings& settings) const {
  std::vector<double> sums(theta.size()), nats(at(settings.columns));
  Pass<double> pass(plan, settings);
  for (std::size_t begin = 0; begin < rows.size(); begin += at(settings.columns)) {
    const std::size_t end = std::min(rows.size(), begin + at(settings.columns));
    const SymbolRows part(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                          rows.begin() + static_cast<std::ptrdiff_t>(end));
    pass.add_slopes(theta, columns_of(part, std::ssize(plan.circuit().variables)), nats, sums);
  }
  multiply_rows<double>(params, theta, sums);
  return sums;
}

std::vector<double> HeldCircuit::plain_sum(int block, const std::vector<double>& inputs) const {
  std::vector<const double*> tensors;
  for (std::size_t t = 0; t < plan.tensors(block).size(); ++t)
    tensors.push_back(plan.values(block, t, std::span(theta)));
  const Monarch& form = plan.form(block);
  const std::vector<double> matrix = materialize<double>(form, tensors);
  std::vector<double> out(at(form.rows()));
  for (std::size_t j = 0; j < out.size(); ++j)
    for (std::size_t i = 0; i < inputs.size(); ++i)
      out[j] += matrix[j * inputs.size() + i] * inputs[i];
  return out;
}

std::vector<double> HeldCircuit::plain_leaf(const Block& block, int number, const PlainRow& row,
                                            std::int32_t x) const {
  if (block.kind == BlockKind::indicator) return {x < 0 || x == block.value ? 1.0 : 0.0};
  const std::int64_t categories = plan.circuit().variables[at(block.variable)].categories;
  const std::int64_t first = block.styled ? row.style * block.size : 0;
  std::vector<double> out;
  for (std::int64_t j = first; j < first + block.size; ++j)
    out.push_back(x < 0 ? 1 : plan.values(number, 0, std::span(theta))[j * categories + x]);
  return out;
}

std::vector<double> HeldCircuit::plain_values(int b, const PlainRow& row, std::size_t step) const {
  const Block& block = plan.block(b);
  const auto variables = plan.circuit().variables.size();
  std::vector<double> out;
  if (plan.is_later(b) && (step + 1) * variables >= row.x.size())
    return std::vector<double>(at(block.size), 1.0);
  if (block.kind == BlockKind::carry) return plain_values(plan.circuit().carried, row, step + 1);
  if (block.kind == BlockKind::leaf || block.kind == BlockKind::indicator)
    return plain_leaf(block, b, row, row.x[step * variables + at(block.variable)]);
  std::vector<std::vector<double>> children;
  for (const int child : block.children) children.push_back(plain_values(child, row, step));
  if (block.kind == BlockKind::product) {
    out = children[0];
    for (std::size_t c = 1; c < children.size(); ++c) {
      std::vector<double> next;
      if (block.product == ProductKind::hadamard)
        for (std::size_t j = 0; j < out.size(); ++j) next.push_back(out[j] * children[c][j]);
      else
        for (const double a : out)
          for (const double v : children[c]) next.push_back(a * v);
      out = next;
    }
    return out;
  }
  if (block.kind == BlockKind::mixing) {
    const double* w = plan.values(b, 0, std::span(theta));
    for (std::size_t j = 0; j < at(block.size); ++j) {
      out.push_back(0);
      for (const auto& child : children) out.back() += *w++ * child[j];
    }
    return out;
  }
  for (const auto& child : children) out.insert(out.end(), child.begin(), child.end());
  return plain_sum(b, out);
}

double HeldCircuit::plain_log_p(const std::vector<std::int32_t>& row) const {
  const int root = plan.circuit().root;
  if (plan.circuit().styles == 1) return std::log(plain_values(root, {row}, 0).at(0));
  double sum = 0;
  for (std::int64_t style = 0; style < plan.circuit().styles; ++style)
    sum += theta[at(plan.style_prior().begin + style)] * plain_values(root, {row, style}, 0).at(0);
  return std::log(sum);
}

SymbolRows all_rows(const std::vector<std::int32_t>& categories) {
  SymbolRows rows = {{}};
  for (const std::int32_t count : categories) {
    SymbolRows longer;
    for (const auto& row : rows)
      for (std::int32_t value = 0; value < count; ++value) {
        longer.push_back(row);
        longer.back().push_back(value);
      }
    rows = std::move(longer);
  }
  return rows;
}

}  // namespace logpx::testing
