#include "libcore/families/pc/start.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::pc {
namespace {

constexpr double near_scale = 0.25;  // of normal draws around the data
constexpr double even_share = 1e-3;  // even part of shares that follow frequencies

// Frequencies of a leaf's variable, together with those whose leaves are tied to it.
std::vector<double> seen_by_leaf(const Circuit& circuit, int leaf, const Frequencies& frequencies) {
  std::vector<double> seen;
  for (std::size_t b = 0; b < circuit.blocks.size(); ++b) {
    const Block& block = circuit.blocks[b];
    if (block.kind != BlockKind::leaf || owner_of(circuit, static_cast<int>(b)) != leaf) continue;
    const std::vector<double>& counts = frequencies[at(block.variable)];
    seen.resize(counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k) seen[k] += counts[k];
  }
  return seen;
}

// The same frequencies, as shares.
std::vector<double> shares_of_leaf(const PcModel& model, int leaf, const Frequencies& frequencies) {
  std::vector<double> shares = seen_by_leaf(model.circuit(), leaf, frequencies);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0),
               even = 1 / static_cast<double>(shares.size());
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

void copy_row(std::span<const double> row, std::span<float> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<float>(row[i]);
}

// Copies a row of a file, parameters of a leaf's node or probabilities; says what is wrong with it.
std::string take_row(const Leaf* leaf, const JointForm* joint, std::span<const double> row,
                     std::span<float> to) {
  if (leaf != nullptr) return copy_row(row, to), leaf->fault(row);
  if (joint != nullptr) return copy_row(row, to), joint_fault(*joint, row);
  double sum = 0;
  bool good = true;
  for (const double value : row) sum += value, good = good && value >= 0;
  if (!good) return "holds a weight below 0";
  if (!(std::abs(sum - 1) <= 1e-6)) return "sums to " + to_text(sum) + ", expected 1";
  // Parameters of a model that was exported stay bit for bit.
  const auto is_float = [](double v) { return static_cast<double>(static_cast<float>(v)) == v; };
  if (std::ranges::all_of(row, is_float)) std::ranges::copy(row, to.begin());
  else normalise(to, row);
  return "";
}

// The logarithm of a draw from Gamma(a, 1), by Marsaglia and Tsang. Where a < 1 it draws from
// Gamma(a + 1, 1), times u^(1/a).
double log_gamma_draw(DrawCursor& draws, double a) {
  const double d = (a < 1 ? a + 1 : a) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  double value = 0;
  while (true) {
    const double x = draws.normal(), t = 1 + c * x;
    if (t <= 0) continue;
    const double log_v = 3 * det_log(t), u = draws.uniform53();
    if (det_log(u) >= x * x / 2 + d - d * t * t * t + d * log_v) continue;
    value = det_log(d) + log_v;
    break;
  }
  return a < 1 ? value + det_log(draws.uniform53()) / a : value;
}
constexpr std::uint64_t blocks_of_a_gamma = 16;  // of random words; a draw takes one or two

// The generator of a run after the first one.
Rng own_rng(const Rng& rng, std::int64_t run) {
  const Words4 words = rng.stream(Stream::structure, static_cast<std::uint32_t>(run)).block(0);
  return Rng((std::uint64_t{words[0]} << 32) | words[1]);
}

}  // namespace

Columns some_rows(const SymbolRows& rows, const Examples& examples) {
  constexpr std::int64_t most = 512;
  const std::int64_t all = examples.rows.count, count = std::min(most, all);
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < count; ++i) chosen.push_back(i * all / count);
  Columns columns;
  rows.take(examples, chosen, evaluation_noise(rows.rules()), columns);
  return columns;
}

Frequencies frequencies_of(const SymbolRows& rows, const Circuit& circuit,
                           const Examples& examples) {
  constexpr std::int64_t sums_of_reals = 3;
  Frequencies counts;
  for (const Variable& variable : circuit.variables)
    counts.emplace_back(at(variable.categories > 0 ? variable.categories : sums_of_reals), 0.0);
  Columns columns;
  for (std::int64_t row = 0; row < examples.rows.count; ++row) {
    rows.take(examples, std::span(&row, 1), evaluation_noise(rows.rules()), columns);
    for (std::size_t i = 0; i < columns.x.size(); ++i) {
      if (columns.x[i] < 0) continue;
      std::vector<double>& seen = counts[i % counts.size()];
      if (circuit.variables[i % counts.size()].categories > 0) {
        seen[at(columns.x[i])] += 1;
        continue;
      }
      const auto value = static_cast<double>(columns.reals[i]);
      seen[0] += 1, seen[1] += value, seen[2] += value * value;
    }
  }
  return counts;
}

Rng FirstParameters::rng_of(std::int64_t run) const {
  return run == 0 ? parts_.rng : own_rng(parts_.rng, run);
}

void FirstParameters::set(PcModel& model, std::int64_t run) const {
  if (!parts_.whole.empty()) {
    std::ranges::copy(parts_.whole, model.param_set().block().begin());
    return;
  }
  if (has_drawn(model.circuit())) draw(model, rng_of(run));
  if (parts_.separator) set_separator(model);
  take_weights(model);
  if (parts_.perturb > 0) perturb(model, rng_of(run));
}

bool FirstParameters::draws_some(const Circuit& circuit) const {
  return parts_.whole.empty() && (parts_.perturb > 0 || has_drawn(circuit));
}

bool FirstParameters::has_drawn(const Circuit& circuit) const {
  for (std::size_t b = 0; b < circuit.blocks.size(); ++b) {
    const Block& block = circuit.blocks[b];
    const bool has_some = block.tied_to < 0 && !tensor_forms(circuit, block).empty();
    if (has_some && (parts_.weights.empty() || parts_.weights[b].empty())) return true;
  }
  return false;
}

void FirstParameters::draw(PcModel& model, const Rng& rng) const {
  const PassPlan& plan = model.plan();
  const LeafTargets targets = leaf_targets(plan, parts_.frequencies, Spread::as_data);
  const JointTargets joints = joint_targets(plan, parts_.frequencies);
  for (int b = 0; b < static_cast<int>(model.circuit().blocks.size()); ++b) {
    if (plan.block(b).tied_to >= 0) continue;
    if (plan.joint(b) != nullptr) {
      draw_joint(model, b, joints[at(b)], rng);
      continue;
    }
    if (plan.leaf(b) != nullptr) {
      draw_nodes(model, b, targets[at(b)], rng);
      continue;
    }
    for (std::size_t t = 0; t < plan.tensors(b).size(); ++t) draw_rows_of(model, b, t, rng);
  }
}

void FirstParameters::draw_rows_of(PcModel& model, int b, std::size_t tensor,
                                   const Rng& rng) const {
  const TensorPlace& place = model.plan().tensors(b)[tensor];
  const bool dirichlet = parts_.rows.kind == FirstRows::Kind::dirichlet,
             near_data = parts_.rows.kind == FirstRows::Kind::from_data &&
                         model.plan().block(b).kind == BlockKind::leaf;
  const auto columns = at(place.shape.back());
  const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(place.tensor));
  DrawCursor gammas(draws, at(place.begin) * blocks_of_a_gamma);
  std::vector<double> usual(columns, 1.0), row(columns);
  if (near_data) usual = shares_of_leaf(model, b, parts_.frequencies);
  const std::span<float> values = tensor_values(model, b, tensor);
  for (std::size_t begin = 0; begin < values.size(); begin += columns) {
    for (std::size_t i = 0; i < columns; ++i)
      row[i] = dirichlet
                   ? log_gamma_draw(gammas, parts_.rows.concentration)
                   : (near_data ? near_scale : 1.0) * normal_at(draws, at(place.begin) + begin + i);
    const double largest = dirichlet ? std::ranges::max(row) : 0;
    for (std::size_t i = 0; i < columns; ++i) row[i] = usual[i] * det_exp(row[i] - largest);
    normalise(values.subspan(begin, columns), row);
  }
}

void FirstParameters::draw_nodes(PcModel& model, int b, const LeafData& data,
                                 const Rng& rng) const {
  const Leaf& leaf = *model.plan().leaf(b);
  const TensorPlace& place = model.plan().tensors(b)[0];
  const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(place.tensor));
  const double scale = parts_.rows.kind == FirstRows::Kind::from_data ? near_scale : 1;
  std::vector<double> q(at(leaf.parameters()));
  const std::span<float> values = tensor_values(model, b, 0);
  for (std::size_t begin = 0; begin < values.size(); begin += q.size()) {
    leaf.draw(data, scale * normal_at(draws, at(place.begin) + begin), q);
    std::ranges::copy(q, values.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  if (!model.plan().block(b).broad) return;
  LeafData wide = data;
  wide.deviation *= broad_start;
  leaf.draw(wide, 0, q);
  std::ranges::copy(q, values.end() - std::ssize(q));
}

// Only states whose last index is the largest emit the symbol, and they are left at once. A dense
// model has one such state, which emits nothing else.
void FirstParameters::set_separator(PcModel& model) const {
  constexpr float seldom = 1e-10F;
  const PassPlan& plan = model.plan();
  const auto block_of = [&](const char* id) {
    const auto found = std::ranges::find(model.circuit().blocks, id, &Block::id);
    return static_cast<int>(found - model.circuit().blocks.begin());
  };
  const int emission = block_of("emission"), transition = block_of("transition");
  const Block& sum = plan.block(transition);
  const std::int64_t last = sum.factors.m.back(), symbols = model.circuit().variables[0].categories;
  const auto separator = at(*parts_.separator);
  const std::span<float> p = tensor_values(model, emission, 0);
  for (std::int64_t z = 0; z < plan.block(emission).size; ++z) {
    const std::span<float> row = p.subspan(at(z * symbols), at(symbols));
    const bool separates = z % last == last - 1;
    if (separates && sum.is_dense()) std::ranges::fill(row, 0.0F);
    row[separator] = !separates ? 0.0F : sum.is_dense() ? 1.0F : row[separator];
    normalise(row, std::vector<double>(row.begin(), row.end()));
  }
  const std::vector<MonarchLayer>& layers = plan.form(transition).layers();
  for (std::size_t t = 0; t < layers.size(); ++t) {
    const MonarchLayer& layer = layers[t];
    if (layer.axis + 1 != std::ssize(sum.factors.m)) continue;
    const std::span<float> weights = tensor_values(model, transition, t);
    for (std::int64_t r = 0; r < layer.blocks; ++r) {
      const std::span<float> row =
          weights.subspan(at(((r + 1) * layer.m - 1) * layer.n), at(layer.n));
      if (row.size() > 1) row.back() = seldom;
      normalise(row, std::vector<double>(row.begin(), row.end()));
    }
  }
}

void FirstParameters::take_weights(PcModel& model) const {
  for (int b = 0; b < static_cast<int>(parts_.weights.size()); ++b) {
    const Block& block = model.plan().block(b);
    if (parts_.weights[at(b)].empty() || block.tied_to >= 0) continue;
    std::span<const double> left = parts_.weights[at(b)];
    // Those of a product that is not normalised are what they are.
    const bool free = model.circuit().ln_z && block.kind == BlockKind::sum;
    for (std::size_t t = 0; t < model.plan().tensors(b).size() && !left.empty(); ++t) {
      const std::span<float> values = tensor_values(model, b, t);
      const auto columns = at(model.plan().tensors(b)[t].shape.back());
      if (free) {
        copy_row(left.first(values.size()), values);
        left = left.subspan(values.size());
        continue;
      }
      for (std::size_t begin = 0; begin < values.size(); begin += columns) {
        const std::string fault = take_row(model.plan().leaf(b), model.plan().joint(b),
                                           left.first(columns), values.subspan(begin, columns));
        left = left.subspan(columns);
        if (!fault.empty())
          fail(ErrorKind::data, parts_.file,
               "row " + std::to_string(begin / columns) + " of block " + block.id + ' ' + fault);
      }
    }
  }
}

void FirstParameters::perturb(PcModel& model, const Rng& rng) const {
  for (int b = 0; b < static_cast<int>(model.circuit().blocks.size()); ++b) {
    const Block& block = model.plan().block(b);
    if (block.kind != BlockKind::sum || block.tied_to >= 0) continue;
    for (std::size_t t = 0; t < model.plan().tensors(b).size(); ++t) {
      const TensorPlace& place = model.plan().tensors(b)[t];
      const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(place.tensor));
      const std::span<float> values = tensor_values(model, b, t);
      std::vector<double> row(at(place.shape.back()));
      for (std::size_t begin = 0; begin < values.size(); begin += row.size()) {
        for (std::size_t i = 0; i < row.size(); ++i)
          row[i] = static_cast<double>(values[begin + i]) *
                   det_exp(parts_.perturb * normal_at(draws, at(place.begin) + begin + i));
        normalise(values.subspan(begin, row.size()), row);
      }
    }
  }
}

LeafTargets leaf_targets(const PassPlan& plan, const Frequencies& frequencies, Spread spread) {
  const Circuit& circuit = plan.circuit();
  LeafTargets targets(circuit.blocks.size());
  for (int b = 0; b < static_cast<int>(targets.size()); ++b) {
    const Block& block = plan.block(b);
    if (plan.leaf(b) == nullptr || block.tied_to >= 0) continue;
    targets[at(b)] = leaf_data(*plan.leaf(b), seen_by_leaf(circuit, b, frequencies),
                               circuit.variables[at(block.variable)].categories, spread);
  }
  return targets;
}

RowPriors marginal_priors(const PcModel& model, const Frequencies& frequencies) {
  RowPriors priors;
  for (int b = 0; b < static_cast<int>(model.circuit().blocks.size()); ++b) {
    const Block& block = model.circuit().blocks[at(b)];
    const bool table = block.kind == BlockKind::leaf && block.leaf_kind == LeafKind::table;
    if (table && block.tied_to < 0)
      priors.push_back({model.plan().range(b, 0), shares_of_leaf(model, b, frequencies)});
  }
  std::ranges::sort(priors, {}, [](const RowPrior& prior) { return prior.rows.begin; });
  return priors;
}

}  // namespace logpx::pc
