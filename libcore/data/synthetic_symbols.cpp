// Generators 11 and 13: tree and hub, symbols whose dependence is known exactly.
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/generator.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

using std::numbers::ln2;

using Edge = std::pair<std::size_t, std::size_t>;

// The labelled tree of a Pruefer code: every tree of `nodes` labels has exactly one code.
std::vector<Edge> tree_of_code(const std::vector<std::size_t>& code, std::size_t nodes) {
  std::vector<std::size_t> degree(nodes, 1);
  for (const std::size_t node : code) ++degree[node];
  std::vector<Edge> edges;
  for (const std::size_t node : code) {
    const auto leaf = static_cast<std::size_t>(
        std::find(degree.begin(), degree.end(), std::size_t{1}) - degree.begin());
    edges.emplace_back(std::min(leaf, node), std::max(leaf, node));
    --degree[leaf];
    --degree[node];
  }
  const auto first = std::find(degree.begin(), degree.end(), std::size_t{1});
  const auto second = std::find(first + 1, degree.end(), std::size_t{1});
  if (nodes > 1) edges.emplace_back(first - degree.begin(), second - degree.begin());
  return edges;
}

// A random tree with root 0, whose symbol is uniform; a child's is (1-T) uniform + T a fixed image
// of its parent's. Images are a random permutation: a map that sends all symbols to one would cut
// the edge, and the tree could not be recovered from data.
class Tree final : public Generator {
 public:
  Tree(const SyntheticOptions& options, DrawCursor structure)
      : dim_(static_cast<std::size_t>(*options.dim)),
        symbols_(static_cast<std::size_t>(*options.alphabet)),
        strength_(*options.strength) {
    if (dim_ > 4096) refuse_option("dim", std::to_string(dim_), "at most 4096");
    info_ = discrete_info(Content::symbols, {*options.dim}, *options.alphabet);
    info_.has_true_logp = true;
    std::vector<std::size_t> code(dim_ > 2 ? dim_ - 2 : 0);
    for (std::size_t& node : code) node = structure.below(static_cast<std::uint32_t>(dim_));
    std::vector<Edge> edges = dim_ > 1 ? tree_of_code(code, dim_) : std::vector<Edge>{};
    std::sort(edges.begin(), edges.end());
    note_edges(edges);
    hang_from_root(edges);
    draw_images(structure);

    const double other = (1 - strength_) / static_cast<double>(symbols_);
    log_image_ = det_log(other + strength_);
    log_other_ = other > 0 ? det_log(other) : -std::numeric_limits<double>::infinity();
    log_root_ = -det_log(static_cast<double>(symbols_));
    double per_edge = -(other + strength_) * log_image_;
    if (other > 0) per_edge -= static_cast<double>(symbols_ - 1) * other * log_other_;
    info_.entropy_nats = -log_root_ + static_cast<double>(dim_ - 1) * per_edge;
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const auto symbols = static_cast<std::uint32_t>(symbols_);
    example.bytes[0] = static_cast<std::uint8_t>(draws.below(symbols));
    for (const auto& [parent, child] : from_root_) {
      const bool follows = draws.uniform() < strength_;
      example.bytes[child] = follows ? image(child, example.bytes[parent])
                                     : static_cast<std::uint8_t>(draws.below(symbols));
    }
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    double sum = log_root_;
    for (const auto& [parent, child] : from_root_)
      sum += example.bytes[child] == image(child, example.bytes[parent]) ? log_image_ : log_other_;
    return sum;
  }

 private:
  [[nodiscard]] std::uint8_t image(std::size_t child, std::uint8_t symbol) const {
    return images_[child * symbols_ + symbol];
  }

  void note_edges(const std::vector<Edge>& edges) {
    std::vector<std::string> words;
    for (const auto& [a, b] : edges) words.push_back(std::to_string(a) + "-" + std::to_string(b));
    info_.notes.emplace_back("tree_edges", join_text(words, ","));
  }

  // Edges as (parent, child), every parent before its children.
  void hang_from_root(const std::vector<Edge>& edges) {
    std::vector<std::vector<std::size_t>> neighbours(dim_);
    for (const auto& [a, b] : edges) {
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
    std::vector<bool> reached(dim_, false);
    std::vector<std::size_t> queue = {0};
    reached[0] = true;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const std::size_t next : neighbours[queue[at]])
        if (!reached[next]) {
          reached[next] = true;
          from_root_.emplace_back(queue[at], next);
          queue.push_back(next);
        }
  }

  void draw_images(DrawCursor& structure) {
    images_.resize(dim_ * symbols_);
    for (std::size_t child = 0; child < dim_; ++child) {
      const std::span<std::uint8_t> map = std::span(images_).subspan(child * symbols_, symbols_);
      std::iota(map.begin(), map.end(), std::uint8_t{0});
      for (std::size_t i = symbols_; i-- > 1;)
        std::swap(map[i], map[structure.below(static_cast<std::uint32_t>(i + 1))]);
    }
  }

  std::size_t dim_, symbols_;
  double strength_, log_image_ = 0, log_other_ = 0, log_root_ = 0;
  std::vector<Edge> from_root_;
  std::vector<std::uint8_t> images_;  // [dim, symbols]
};

// Two pointers say which of the other six symbols is the hub; the hub and the first pointer
// determine the rest, except for noise.   [data/README 4.6]
class Hub final : public Generator {
 public:
  Hub() {
    info_ = discrete_info(Content::symbols, {length}, symbols);
    info_.has_true_logp = true;
    log_same_ = det_log(1 - noise + noise / symbols);
    log_other_ = det_log(noise / symbols);
    const double per_follower =
        -(1 - noise + noise / symbols) * log_same_ - (symbols - 1) * (noise / symbols) * log_other_;
    info_.entropy_nats = 6 * ln2 + (length - 3) * per_follower;
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const std::span<std::uint8_t> x = example.bytes;
    for (const std::size_t pointer : {0u, 1u})
      x[pointer] = static_cast<std::uint8_t>(draws.below(symbols));
    const std::size_t hub = hub_of(x);
    x[hub] = static_cast<std::uint8_t>(draws.below(symbols));
    for (std::size_t j = 2; j < length; ++j) {
      if (j == hub) continue;
      const bool replaced = draws.uniform() < noise;
      x[j] = replaced ? static_cast<std::uint8_t>(draws.below(symbols)) : follower(x, hub, j);
    }
  }

  [[nodiscard]] double log_p(const Example& example) const override {
    const std::span<std::uint8_t> x = example.bytes;
    const std::size_t hub = hub_of(x);
    double sum = -6 * ln2;
    for (std::size_t j = 2; j < length; ++j)
      if (j != hub) sum += x[j] == follower(x, hub, j) ? log_same_ : log_other_;
    return sum;
  }

 private:
  static constexpr int length = 8, symbols = 4;
  static constexpr double noise = 0.05;

  static std::size_t hub_of(std::span<const std::uint8_t> x) { return 2 + (x[0] + 4u * x[1]) % 6; }
  static std::uint8_t follower(std::span<const std::uint8_t> x, std::size_t hub, std::size_t j) {
    return static_cast<std::uint8_t>((x[hub] * (j % 2 == 1 ? 1u : 3u) + x[0] + j) % symbols);
  }

  double log_same_, log_other_;
};

}  // namespace

std::unique_ptr<Generator> make_tree(const SyntheticOptions& options, std::uint32_t number) {
  return std::make_unique<Tree>(options, structure_draws(options, number));
}
std::unique_ptr<Generator> make_hub(const SyntheticOptions&, std::uint32_t) {
  return std::make_unique<Hub>();
}

}  // namespace logpx
