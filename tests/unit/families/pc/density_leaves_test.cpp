// Leaves that are not tables, in passes and in M-steps.
#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/leaves/maximise_leaves.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/families/pc/structures/structures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace logpx::density_leaves_test {

using namespace logpx::pc;

namespace {

constexpr std::array kinds = {LeafKind::bernoulli, LeafKind::binomial, LeafKind::dlogistic,
                              LeafKind::gaussian};

std::int64_t categories_of(LeafKind kind) {
  return kind == LeafKind::gaussian ? 0 : kind == LeafKind::bernoulli ? 2 : 7;
}

// A tree over four variables, two with leaves of this kind, and its data.
struct Held {
  explicit Held(LeafKind kind) : plan(circuit_of(kind), params), theta(at(params.block_size())) {
    const Substream draws = Rng(5).stream(Stream::test);
    columns = {.count = 60};
    columns.lengths.assign(60, 1);
    columns.x.assign(4 * 60, -1);
    columns.reals.assign(4 * 60, 0);
    for (std::size_t i = 0; i < columns.x.size(); ++i) {
      if (draws.word(7 * i) % 6 == 0) continue;
      const std::int64_t categories = plan.circuit().variables[i / 60].categories;
      const double bump = static_cast<double>(draws.word(7 * i + 1) % 3);
      columns.x[i] =
          categories == 0 ? 0 : static_cast<std::int32_t>(draws.word(7 * i + 2) % categories);
      if (categories == 0)
        columns.reals[i] = static_cast<float>(bump + 0.3 * draws.uniform(7 * i + 3));
    }
    draw();
  }

  static Circuit circuit_of(LeafKind kind) {
    const std::int64_t categories = categories_of(kind);
    Circuit circuit = hidden_tree({{"a", categories}, {"b", 3}, {"c", categories}, {"d", 0}},
                                  {1, -1, 1, 1}, {.transition = square_sum(3, {})});
    for (Block& block : circuit.blocks) {
      if (block.variable == 0 || block.variable == 2) block.leaf_kind = kind;
      if (block.variable == 3) block.leaf_kind = LeafKind::gaussian;
    }
    return circuit;
  }

  void draw() {
    for (const ParamInfo& info : params.infos()) {
      const Substream draws = Rng(9).stream(Stream::init, static_cast<std::uint32_t>(info.offset));
      const std::int64_t width = info.shape.back();
      for (std::int64_t i = 0; i < info.shape.elements(); ++i)
        theta[at(info.offset + i)] = 0.1 + draws.uniform(static_cast<std::uint64_t>(i));
      for (std::int64_t r = 0; use_of(info.name) == TensorUse::rows && r < info.shape.elements();
           r += width) {
        double* const row = theta.data() + info.offset + r;
        const double sum = std::accumulate(row, row + width, 0.0);
        for (std::int64_t k = 0; k < width; ++k) row[k] /= sum;
      }
    }
    for (int b = 0; b < std::ssize(plan.circuit().blocks); ++b)
      if (const Leaf* const leaf = plan.leaf(b))
        for (std::int64_t j = 0; j < plan.block(b).size; ++j) {
          double* const q = plan.values(b, 0, std::span(theta)) + j * leaf->parameters();
          leaf->draw({.mean = 0.6, .deviation = 0.8}, static_cast<double>(j) - 1,
                     {q, at(leaf->parameters())});
        }
  }

  [[nodiscard]] double total() {
    nats.resize(60);
    Pass<double>(plan, {.columns = 60}).log_p(theta, columns, nats);
    return std::accumulate(nats.begin(), nats.end(), 0.0);
  }
  [[nodiscard]] std::vector<double> counts() {
    nats.resize(60);
    std::vector<double> sums(theta.size());
    Pass<double>(plan, {.columns = 60}).add_slopes(theta, columns, nats, sums);
    multiply_rows<double>(params, theta, sums);
    return sums;
  }

  ParamSet params;
  PassPlan plan;
  std::vector<double> theta, nats;
  Columns columns;
};

}  // namespace

TEST_CASE("pc: EM never lets the likelihood fall, whatever the leaves, with missing values") {
  for (const LeafKind kind : kinds) {
    CAPTURE(word_of(kind));
    Held held(kind);
    LeafTargets targets(held.plan.circuit().blocks.size());
    for (int b = 0; b < std::ssize(targets); ++b)
      if (held.plan.leaf(b) != nullptr)
        targets[at(b)].statistics.assign(at(held.plan.leaf(b)->statistics()), 1.0);
    double before = held.total();
    const double first = before;
    for (int step = 0; step < 50; ++step) {
      const std::vector<double> counts = held.counts();
      maximise<double>(held.params, {}, {}, counts, {}, held.theta);
      maximise_leaves<double>(held.plan, {}, targets, counts, {}, held.theta);
      const double now = held.total();
      CHECK(now >= before - 1e-9 * std::abs(before));
      before = now;
    }
    CHECK(before > first + 10);
  }
}

TEST_CASE("pc: statistics of leaves are the slopes of log p by their parameters") {
  for (const LeafKind kind : kinds) {
    CAPTURE(word_of(kind));
    Held held(kind);
    const std::vector<double> counts = held.counts();
    const double h = 1e-6;
    for (int b = 0; b < std::ssize(held.plan.circuit().blocks); ++b) {
      const Leaf* const leaf = held.plan.leaf(b);
      for (std::int64_t j = 0; leaf != nullptr && j < held.plan.block(b).size; ++j) {
        double* const q = held.plan.values(b, 0, std::span(held.theta)) + j * leaf->parameters();
        const double* const s = held.plan.values(b, 1, std::span(counts)) + j * leaf->statistics();
        const double here = q[0];
        q[0] = here + h;
        const double up = held.total();
        q[0] = here - h;
        const double slope = (up - held.total()) / (2 * h);
        q[0] = here;
        const LeafKind of = held.plan.block(b).leaf_kind;
        if (of == LeafKind::gaussian)
          CHECK(slope == doctest::Approx((s[1] - q[0] * s[0]) / (q[1] * q[1])).epsilon(1e-5));
        if (of == LeafKind::bernoulli || of == LeafKind::binomial) {
          const auto n = static_cast<double>(categories_of(of) - 1);
          CHECK(slope ==
                doctest::Approx((s[1] - n * q[0] * s[0]) / (q[0] * (1 - q[0]))).epsilon(1e-5));
        }
        if (of != LeafKind::dlogistic) continue;
        double sum = 0, parts[2] = {};
        for (std::int64_t k = 0; k < leaf->statistics(); ++k) {
          const double value = static_cast<double>(k);
          for (const int side : {0, 1}) {
            const std::array moved = {q[0] + (side == 0 ? h : -h), q[1]};
            leaf->log_p(moved, std::span(&value, 1), std::span(&parts[side], 1));
          }
          sum += s[k] * (parts[0] - parts[1]) / (2 * h);
        }
        CHECK(slope == doctest::Approx(sum).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("pc: the best logistic leaf of a histogram has no slope left, and is found from afar") {
  const std::unique_ptr<Leaf> leaf = make_leaf(LeafKind::dlogistic, 16);
  const std::vector<std::vector<double>> histograms = {
      {0, 0, 1, 3, 8, 12, 7, 4, 1, 0, 0, 0, 0, 0, 0, 0},
      {90, 6, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5},
      {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 30}};
  const auto score = [&](const std::vector<double>& counts, double mu, double s) {
    std::vector<double> values(counts.size()), nats(counts.size());
    std::iota(values.begin(), values.end(), 0.0);
    leaf->log_p(std::array{mu, s}, values, nats);
    return std::inner_product(counts.begin(), counts.end(), nats.begin(), 0.0);
  };
  for (const std::vector<double>& counts : histograms) {
    std::array q = {40.0, 3.0};
    leaf->maximise(counts, {}, q);
    const double best = score(counts, q[0], q[1]);
    for (const double mu : {-0.05, 0.0, 0.05})
      for (const double s : {0.98, 1.0, 1.02})
        CHECK(score(counts, q[0] + mu, q[1] * s) <= best + 1e-6);
  }
}

TEST_CASE("pc: all categories of a leaf have probability one, and far values are not lost") {
  for (const LeafKind kind : {LeafKind::bernoulli, LeafKind::binomial, LeafKind::dlogistic}) {
    CAPTURE(word_of(kind));
    const std::int64_t categories = categories_of(kind);
    const std::unique_ptr<Leaf> leaf = make_leaf(kind, categories);
    std::vector<double> q(at(leaf->parameters())), p(at(categories));
    leaf->draw({.mean = 0.6, .deviation = 1.5}, 0.4, q);
    fill_table(*leaf, q, p);
    CHECK(std::accumulate(p.begin(), p.end(), 0.0) == doctest::Approx(1).epsilon(1e-12));
    CHECK(static_cast<std::size_t>(leaf->mode(q)) == at(std::ranges::max_element(p) - p.begin()));
    double mean = 0;
    for (std::size_t k = 0; k < p.size(); ++k) mean += static_cast<double>(k) * p[k];
    CHECK(leaf->mean(q) == doctest::Approx(mean));
  }
  // 5000 deviations from all nodes: still finite, even in float.
  Held held(LeafKind::gaussian);
  std::ranges::fill(held.columns.x, 0);
  std::ranges::fill(held.columns.reals, 4000.0F);
  std::vector<double> nats(60);
  const std::vector<float> rounded(held.theta.begin(), held.theta.end());
  Pass<float>(held.plan, {.columns = 60}).log_p(rounded, held.columns, nats);
  CHECK(std::isfinite(nats[0]));
  CHECK(held.total() / 60 == doctest::Approx(nats[0]).epsilon(1e-4));
}

TEST_CASE("pc: rows that no node of any leaf can have are impossible, and far ones are not lost") {
  ParamSet params;
  const PassPlan plan(
      [] {
        Circuit circuit = mixture({{"a", 0}, {"b", 0}, {"c", 0}}, 2);
        for (Block& block : circuit.blocks)
          if (block.kind == BlockKind::leaf) block.leaf_kind = LeafKind::gaussian;
        return circuit;
      }(),
      params);
  std::vector<double> theta(at(params.block_size()), 1.0);
  for (const char* leaf : {"leaf.0", "leaf.1", "leaf.2"})
    for (int b = 0; b < 4; ++b)
      if (plan.block(b).id == leaf) {
        double* const q = plan.values(b, 0, std::span(theta));  // means and deviations
        q[0] = 0, q[1] = 1e-3, q[2] = 1, q[3] = 1e-3;
      }
  const BlockRange root = plan.range(plan.circuit().root, 0);
  theta[at(root.begin)] = theta[at(root.begin) + 1] = 0.5;
  Columns columns{.count = 2};
  columns.lengths = {1, 1};
  columns.x.assign(6, 0);
  columns.reals = {50, 1e38F, 50, 1e38F, 50, 1e38F};
  std::vector<double> nats(2);
  Pass<double>(plan, {}).log_p(theta, columns, nats);
  CHECK(nats[0] == doctest::Approx(-3 * 0.5 * 49e3 * 49e3).epsilon(1e-6));
  CHECK(!std::isnan(nats[1]));
  CHECK(nats[1] < -1e12);
}

TEST_CASE("pc: what no gaussian, coin or scale can be is refused by its row") {
  const std::unique_ptr<Leaf> gaussian = make_leaf(LeafKind::gaussian, 0);
  CHECK(gaussian->fault(std::array{0.0, 1.0}).empty());
  CHECK(!gaussian->fault(std::array{0.0, 0.0}).empty());
  CHECK(!gaussian->fault(std::array{std::nan(""), 1.0}).empty());
  CHECK(!make_leaf(LeafKind::bernoulli, 2)->fault(std::array{1.5}).empty());
  CHECK(!make_leaf(LeafKind::dlogistic, 4)->fault(std::array{0.0, -1.0}).empty());
  Circuit circuit = mixture({{"a", 3}}, 2);
  circuit.blocks[0].leaf_kind = LeafKind::bernoulli;
  CHECK(find_faults(circuit).at(0).text == "is bernoulli, which needs two categories, and a has 3");
}

}  // namespace logpx::density_leaves_test
