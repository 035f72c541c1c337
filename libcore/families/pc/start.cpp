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

std::span<float> tensor_values(PcModel& model, int block, std::size_t tensor) {
  const BlockRange range = model.plan().range(block, tensor);
  return model.param_set().block().subspan(at(range.begin), at(range.end - range.begin));
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
  const PassPlan& plan = model.plan();
  for (int b = 0; b < static_cast<int>(model.circuit().blocks.size()); ++b) {
    if (plan.block(b).tied_to >= 0) continue;
    const bool near_data = init == "from-data" && plan.block(b).kind == BlockKind::leaf;
    for (std::size_t t = 0; t < plan.tensors(b).size(); ++t) {
      const TensorPlace& place = plan.tensors(b)[t];
      const auto columns = at(place.shape.back());
      const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(place.tensor));
      std::vector<double> usual(columns, 1.0), row(columns);
      if (near_data) usual = shares_of_leaf(model, b, frequencies);
      const std::span<float> values = tensor_values(model, b, t);
      for (std::size_t begin = 0; begin < values.size(); begin += columns) {
        for (std::size_t i = 0; i < columns; ++i)
          row[i] = usual[i] * det_exp((near_data ? 0.25 : 1.0) *
                                      normal_at(draws, at(place.begin) + begin + i));
        normalise(values.subspan(begin, columns), row);
      }
    }
  }
}

void take_weights(PcModel& model, const std::vector<std::vector<double>>& weights,
                  const std::string& name) {
  const PassPlan& plan = model.plan();
  for (int b = 0; b < static_cast<int>(weights.size()); ++b) {
    if (weights[at(b)].empty() || plan.block(b).tied_to >= 0) continue;
    std::span<const double> left = weights[at(b)];
    for (std::size_t t = 0; t < plan.tensors(b).size(); ++t) {
      const std::span<float> values = tensor_values(model, b, t);
      const auto columns = at(plan.tensors(b)[t].shape.back());
      for (std::size_t begin = 0; begin < values.size(); begin += columns) {
        const auto row = left.first(columns);
        left = left.subspan(columns);
        double sum = 0;
        bool good = true;
        for (const double value : row) sum += value, good = good && value >= 0;
        if (!good || !(std::abs(sum - 1) <= 1e-6))
          fail(
              ErrorKind::data, name,
              "row " + std::to_string(begin / columns) + " of block " + plan.block(b).id +
                  (good ? " sums to " + to_text(sum) + ", expected 1" : " holds a weight below 0"));
        normalise(values.subspan(begin, columns), row);
      }
    }
  }
}

RowPriors marginal_priors(const PcModel& model, const Frequencies& frequencies) {
  RowPriors priors;
  for (int b = 0; b < static_cast<int>(model.circuit().blocks.size()); ++b) {
    const Block& block = model.circuit().blocks[at(b)];
    if (block.kind == BlockKind::leaf && block.tied_to < 0)
      priors.push_back({model.plan().range(b, 0), shares_of_leaf(model, b, frequencies)});
  }
  std::ranges::sort(priors, {}, [](const RowPrior& prior) { return prior.rows.begin; });
  return priors;
}

}  // namespace logpx::pc
