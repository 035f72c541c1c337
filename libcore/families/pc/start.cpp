#include "libcore/families/pc/start.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::pc {
namespace {

constexpr double even_share = 1e-3;  // of pseudocounts that follow frequencies

// The leaf whose parameters a tensor holds, or -1; of tied leaves the owner.
std::vector<int> leaf_of_tensors(const PcModel& model) {
  std::vector<int> leaf(at(model.param_set().count()), -1);
  for (std::size_t b = 0; b < model.circuit().blocks.size(); ++b) {
    const Block& block = model.circuit().blocks[b];
    if (block.kind == BlockKind::leaf && block.tied_to < 0)
      leaf[at(model.plan().tensors(static_cast<int>(b))[0])] = static_cast<int>(b);
  }
  return leaf;
}

// Of a leaf's variable, and of those whose leaves are tied to it, as shares.
std::vector<double> shares_of_leaf(const PcModel& model, int leaf, const Frequencies& frequencies) {
  std::vector<double> shares;
  double sum = 0;
  for (std::size_t b = 0; b < model.circuit().blocks.size(); ++b) {
    const Block& block = model.circuit().blocks[b];
    if (block.kind != BlockKind::leaf || owner_of(model.circuit(), static_cast<int>(b)) != leaf)
      continue;
    const std::vector<double>& counts = frequencies[at(block.variable)];
    shares.resize(counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k) sum += counts[k], shares[k] += counts[k];
  }
  const double even = 1 / static_cast<double>(shares.size());
  for (double& share : shares)
    share = (1 - even_share) * (sum > 0 ? share / sum : even) + even_share * even;
  return shares;
}

void normalise(std::span<float> row, std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(values[i] / sum);
}

}  // namespace

Frequencies frequencies_of(const SymbolRows& rows, const Circuit& circuit,
                           const Examples& examples) {
  Frequencies counts;
  for (const Variable& variable : circuit.variables)
    counts.emplace_back(at(variable.categories), 0.0);
  Columns columns;
  for (std::int64_t row = 0; row < examples.rows.count; ++row) {
    rows.take(examples, std::span(&row, 1), evaluation_noise(rows.rules()), columns);
    for (std::size_t i = 0; i < columns.x.size(); ++i)
      if (columns.x[i] >= 0) counts[i % counts.size()][at(columns.x[i])] += 1;
  }
  return counts;
}

void draw_parameters(PcModel& model, const std::string& init, const Frequencies& frequencies,
                     const Rng& rng) {
  ParamSet& params = model.param_set();
  const std::vector<int> leaves = leaf_of_tensors(model);
  for (int tensor = 0; tensor < params.count(); ++tensor) {
    const View<float> view = params.view(tensor);
    const auto columns = at(view.shape.back());
    const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(tensor));
    const bool near_data = init == "from-data" && leaves[at(tensor)] >= 0;
    std::vector<double> usual(columns, 1.0), row(columns);
    if (near_data) usual = shares_of_leaf(model, leaves[at(tensor)], frequencies);
    for (std::size_t begin = 0; begin < at(view.size()); begin += columns) {
      for (std::size_t i = 0; i < columns; ++i)
        row[i] = usual[i] * det_exp((near_data ? 0.25 : 1.0) * normal_at(draws, begin + i));
      normalise(view.span().subspan(begin, columns), row);
    }
  }
}

void take_weights(PcModel& model, const std::vector<std::vector<double>>& weights,
                  const std::string& name) {
  ParamSet& params = model.param_set();
  for (std::size_t b = 0; b < weights.size(); ++b) {
    if (weights[b].empty() || model.circuit().blocks[b].tied_to >= 0) continue;
    std::span<const double> left = weights[b];
    for (const int tensor : model.plan().tensors(static_cast<int>(b))) {
      const View<float> view = params.view(tensor);
      const auto columns = at(view.shape.back());
      for (std::size_t begin = 0; begin < at(view.size()); begin += columns) {
        const auto row = left.first(columns);
        left = left.subspan(columns);
        double sum = 0;
        bool good = true;
        for (const double value : row) sum += value, good = good && value >= 0;
        if (!good || !(std::abs(sum - 1) <= 1e-6))
          fail(
              ErrorKind::data, name,
              "row " + std::to_string(begin / columns) + " of block " +
                  model.circuit().blocks[b].id +
                  (good ? " sums to " + to_text(sum) + ", expected 1" : " holds a weight below 0"));
        normalise(view.span().subspan(begin, columns), row);
      }
    }
  }
}

RowPriors marginal_priors(const PcModel& model, const Frequencies& frequencies) {
  const std::vector<int> leaves = leaf_of_tensors(model);
  RowPriors priors(leaves.size());
  for (std::size_t tensor = 0; tensor < leaves.size(); ++tensor)
    if (leaves[tensor] >= 0) priors[tensor] = shares_of_leaf(model, leaves[tensor], frequencies);
  return priors;
}

}  // namespace logpx::pc
