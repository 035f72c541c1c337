#include "tests/support/patch_tree.hpp"

#include "libcore/base/rng.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::toy {
namespace {

constexpr std::array<std::size_t, PatchTree::variables> parents = {0, 0, 0, 1, 1, 2};

// Rows of probabilities, none of them near 0.
std::vector<double> drawn_rows(std::uint32_t purpose, std::size_t rows, std::size_t columns) {
  const Substream draws = Rng(11).stream(Stream::test, purpose);
  std::vector<double> table;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      table.push_back(0.1 + draws.uniform(r * columns + c));
      sum += table.back();
    }
    for (std::size_t c = 0; c < columns; ++c) table[r * columns + c] /= sum;
  }
  return table;
}

// The out vector of the next variable is found by trying each of its states.
class PatchTreeState final : public codec::SequenceState {
 public:
  explicit PatchTreeState(const PatchTree& tree) : tree_(tree) {}
  void begin(std::size_t items) override {
    PatchTree::Evidence nothing;
    for (auto& row : nothing) row.fill(1.0);
    evidence_.assign(items, nothing);
    step_ = 0;
  }
  std::span<const double> weights(std::size_t items) override {
    const std::size_t v = depth_first[step_], levels = tree_.levels(v);
    weights_.assign(items * levels, 0.0);
    for (std::size_t i = 0; i < items; ++i)
      for (std::size_t z = 0; z < PatchTree::states; ++z) {
        PatchTree::Evidence tried = evidence_[i];
        tried[v].fill(0.0);
        tried[v][z] = 1.0;
        const double out = tree_.total(tried);
        const std::span<const double> leaf = tree_.leaf(v, z);
        for (std::size_t x = 0; x < levels; ++x)
          weights_[i * levels + x] = weights_[i * levels + x] + out * leaf[x];
      }
    return weights_;
  }
  void advance(std::span<const std::uint32_t> symbols) override {
    const std::size_t v = depth_first[step_++];
    for (std::size_t i = 0; i < symbols.size(); ++i)
      for (std::size_t z = 0; z < PatchTree::states; ++z)
        evidence_[i][v][z] = tree_.leaf(v, z)[symbols[i]];
  }

 private:
  const PatchTree& tree_;
  std::vector<PatchTree::Evidence> evidence_;
  std::vector<double> weights_;
  std::size_t step_ = 0;
};

}  // namespace

PatchTree::PatchTree(Transform transform)
    : picture_({1, 2, 3}, 256, transform), root_(drawn_rows(1, 1, states)) {
  for (std::size_t v = 0; v < variables; ++v) {
    const auto purpose = static_cast<std::uint32_t>(v);
    const std::vector<double> rows = drawn_rows(10 + purpose, states, states);
    down_.insert(down_.end(), rows.begin(), rows.end());
    leaves_.push_back(drawn_rows(30 + purpose, states, levels(v)));
  }
}

std::size_t PatchTree::levels(std::size_t v) const {
  return static_cast<std::size_t>(picture_.levels(v));
}

std::span<const double> PatchTree::leaf(std::size_t v, std::size_t z) const {
  return std::span(leaves_[v]).subspan(z * levels(v), levels(v));
}

void PatchTree::to_symbols(std::span<const std::uint8_t> item,
                           std::span<std::uint32_t> symbols) const {
  std::array<std::uint32_t, variables> planes{};
  picture_.from_item(item, planes);
  for (std::size_t i = 0; i < variables; ++i) symbols[i] = planes[depth_first[i]];
}

bool PatchTree::to_item(std::span<const std::uint32_t> symbols,
                        std::span<std::uint8_t> item) const {
  std::array<std::uint32_t, variables> planes{};
  for (std::size_t i = 0; i < variables; ++i) planes[depth_first[i]] = symbols[i];
  return picture_.to_item(planes, item);
}

std::unique_ptr<codec::SequenceState> PatchTree::start() const {
  return std::make_unique<PatchTreeState>(*this);
}

double PatchTree::total(const Evidence& evidence) const {
  Evidence below = evidence;
  for (std::size_t v = variables; v-- > 1;)
    for (std::size_t above = 0; above < states; ++above) {
      double sum = 0;
      for (std::size_t z = 0; z < states; ++z)
        sum = sum + down_[(v * states + above) * states + z] * below[v][z];
      below[parents[v]][above] = below[parents[v]][above] * sum;
    }
  double sum = 0;
  for (std::size_t z = 0; z < states; ++z) sum = sum + root_[z] * below[0][z];
  return sum;
}

double PatchTree::log_p(std::span<const std::uint8_t> item) const {
  std::array<std::uint32_t, variables> symbols{};
  picture_.from_item(item, symbols);
  Evidence evidence{};
  for (std::size_t v = 0; v < variables; ++v)
    for (std::size_t z = 0; z < states; ++z) evidence[v][z] = leaf(v, z)[symbols[v]];
  return std::log(total(evidence));
}

}  // namespace logpx::toy
