#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/growing/reshaping.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <utility>

namespace logpx::pc {
namespace {

// Columns of a matrix as those of another one: copies share a weight, and columns may be missing.
struct SharedColumns {
  StateMap from;
  std::vector<double> shares;  // of each, in the weight of its original
  bool whole = true;           // none is missing

  SharedColumns(StateMap map, std::int64_t originals) : from(std::move(map)) {
    std::vector<double> copies(at(originals));
    for (const std::int64_t i : from) copies[at(i)] += 1;
    for (const std::int64_t i : from) shares.push_back(1 / copies[at(i)]);
    whole = std::ranges::find(copies, 0.0) == copies.end();
  }
};

// New rows by old ones: a row of `row` weights begins at rows[i] * row.
std::vector<double> picked(std::span<const double> weights, const StateMap& rows, std::size_t row) {
  std::vector<double> all;
  all.reserve(rows.size() * row);
  for (const std::int64_t i : rows) {
    const std::span<const double> one = weights.subspan(at(i) * row, row);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

std::vector<double> shared(std::span<const double> weights, const SharedColumns& columns,
                           std::size_t row) {
  std::vector<double> all;
  for (std::size_t begin = 0; begin < weights.size(); begin += row)
    for (std::size_t i = 0; i < columns.from.size(); ++i)
      all.push_back(weights[begin + at(columns.from[i])] * columns.shares[i]);
  if (!columns.whole) normalise_rows(std::span(all), std::ssize(columns.from));
  return all;
}

// Positions along the last axis of a grid: those of the first states of the map.
StateMap along_axis(const StateMap& map, std::int64_t states, std::int64_t axis) {
  const std::int64_t positions = std::ssize(map) * axis / states;
  return {map.begin(), map.begin() + positions};
}

class Reshaper {
 public:
  Reshaper(const CircuitText& from, const Latents& latents, StateMaps maps)
      : from_(from), latents_(latents), maps_(std::move(maps)), to_(from) {}

  CircuitText run() {
    for (const int b : children_first(from_.circuit, from_.circuit.root)) join_maps(b);
    for (int b = 0; b < static_cast<int>(from_.circuit.blocks.size()); ++b) reshape(b);
    return std::move(to_);
  }

 private:
  [[nodiscard]] const Block& old(int b) const { return from_.circuit.blocks[at(b)]; }
  [[nodiscard]] StateMap& map_of(int b) { return maps_[at(latents_.of_block[at(b)])]; }

  // The states of a kronecker product are all pairs of those of its children.
  void join_maps(int b) {
    if (latents_.at_block(b).joint != b) return;
    StateMap pairs = {0};
    for (const int child : old(b).children) {
      StateMap longer;
      for (const std::int64_t before : pairs)
        for (const std::int64_t state : map_of(child))
          longer.push_back(before * old(child).size + state);
      pairs = std::move(longer);
    }
    map_of(b) = std::move(pairs);
  }

  void reshape(int b) {
    const Block& block = old(b);
    Block& made = to_.circuit.blocks[at(b)];
    std::vector<double>& weights = to_.weights[at(b)];
    made.size = std::ssize(map_of(b));
    switch (block.kind) {
      case BlockKind::leaf: weights = nodes_of(b, block.styled ? from_.circuit.styles : 1); break;
      case BlockKind::joint:
      case BlockKind::mixing: weights = nodes_of(b, 1); break;
      case BlockKind::sum:
        if (block.is_dense()) reshape_dense(b, made, weights);
        else reshape_layers(b, made, weights);
        break;
      case BlockKind::product:
      case BlockKind::carry:
      case BlockKind::indicator: break;
    }
  }

  // A row for each node, in each of several matrices.
  [[nodiscard]] std::vector<double> nodes_of(int b, std::int64_t matrices) {
    const std::span<const double> weights = from_.weights[at(b)];
    const std::size_t matrix = weights.size() / at(matrices), row = matrix / at(old(b).size);
    std::vector<double> all;
    for (std::size_t begin = 0; begin < weights.size(); begin += matrix) {
      const std::vector<double> one = picked(weights.subspan(begin, matrix), map_of(b), row);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  void reshape_dense(int b, Block& made, std::vector<double>& weights) {
    StateMap inputs;
    std::int64_t before = 0;
    for (const int child : old(b).children) {
      for (const std::int64_t state : map_of(child)) inputs.push_back(before + state);
      before += old(child).size;
    }
    made.factors.m = {made.size};
    made.factors.n = {std::ssize(inputs)};
    if (weights.empty()) return;
    const std::vector<double> rows = picked(weights, map_of(b), at(before));
    weights = shared(rows, {std::move(inputs), before}, at(before));
  }

  // Only the last axis changes. A layer that contracts it has other columns and rows; all others
  // have other blocks, of which there is one for each state of the other axes.
  void reshape_layers(int b, Block& made, std::vector<double>& weights) {
    const MonarchFactors& factors = old(b).factors;
    const Monarch form(factors);
    const int child = old(b).children[0];
    const std::int64_t m = factors.m.back(), n = factors.n.back();
    const SharedColumns outputs(along_axis(map_of(b), old(b).size, m), m);
    const SharedColumns inputs(along_axis(map_of(child), old(child).size, n), n);
    made.factors.m.back() = std::ssize(outputs.from);
    made.factors.n.back() = std::ssize(inputs.from);
    std::span<const double> left = weights;
    std::vector<double> all;
    const SharedColumns* axis = &inputs;
    std::int64_t axis_states = n;
    std::vector<std::int64_t> extents = factors.n;
    for (const MonarchLayer& layer : form.layers()) {
      if (left.empty()) break;
      const std::span<const double> tensor = left.first(at(layer.edges()));
      left = left.subspan(tensor.size());
      std::vector<double> part;
      if (at(layer.axis) + 1 == extents.size()) {
        part = contracting(tensor, layer, *axis, outputs);
        axis = &outputs;
        axis_states = m;
      } else {
        std::int64_t inner = 1;  // states of the axes behind the last one, in the order of blocks
        for (int a = 0; a < layer.axis; ++a) inner *= extents[at(a)];
        part = picked(tensor, blocks_of(layer.blocks, axis_states, inner, axis->from),
                      at(layer.m * layer.n));
      }
      extents[at(layer.axis)] = layer.m;
      all.insert(all.end(), part.begin(), part.end());
    }
    weights = std::move(all);
  }

  [[nodiscard]] static std::vector<double> contracting(std::span<const double> tensor,
                                                       const MonarchLayer& layer,
                                                       const SharedColumns& inputs,
                                                       const SharedColumns& outputs) {
    StateMap rows;
    for (std::int64_t r = 0; r < layer.blocks; ++r)
      for (const std::int64_t j : outputs.from) rows.push_back(r * layer.m + j);
    return shared(picked(tensor, rows, at(layer.n)), inputs, at(layer.n));
  }

  [[nodiscard]] static StateMap blocks_of(std::int64_t blocks, std::int64_t axis,
                                          std::int64_t inner, const StateMap& positions) {
    StateMap map;
    for (std::int64_t outer = 0; outer < blocks / (axis * inner); ++outer)
      for (const std::int64_t position : positions)
        for (std::int64_t i = 0; i < inner; ++i)
          map.push_back((outer * axis + position) * inner + i);
    return map;
  }

  const CircuitText& from_;
  const Latents& latents_;
  StateMaps maps_;
  CircuitText to_;
};

}  // namespace

CircuitText with_states(const CircuitText& from, const Latents& latents, const StateMaps& maps) {
  return Reshaper(from, latents, maps).run();
}

void add_noise(CircuitText& text, const Latents& latents, double noise, const Rng& rng) {
  if (noise == 0) return;
  const Circuit& circuit = text.circuit;
  for (int b = 0; b < static_cast<int>(circuit.blocks.size()); ++b) {
    const Block& block = circuit.blocks[at(b)];
    const bool table = block.kind == BlockKind::leaf && block.leaf_kind == LeafKind::table;
    const bool moves = block.kind == BlockKind::sum || block.kind == BlockKind::mixing ||
                       (table && !latents.at_block(b).fixed);
    if (!moves || text.weights[at(b)].empty()) continue;
    const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(b));
    std::size_t begin = 0;
    for (const TensorForm& form : tensor_forms(circuit, block)) {
      const auto count = at(form.shape.elements());
      const std::span<double> rows = std::span(text.weights[at(b)]).subspan(begin, count);
      for (std::size_t i = 0; i < count; ++i)
        rows[i] *= det_exp(noise * normal_at(draws, begin + i));
      normalise_rows(rows, form.shape.back());
      begin += count;
    }
  }
}

}  // namespace logpx::pc
