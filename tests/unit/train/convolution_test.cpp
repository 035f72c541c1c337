// --conv: a small net of convolutions trains on each path, to the same weights but for rounding.
#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/ops.hpp"
#include "libcore/math/conv.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/loop.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace logpx {
namespace {

constexpr std::int64_t images = 32, channels = 6, edge = 8;

// Learns to blur noise: mean squared distance to a fixed image of the same size.
class BlurTask final : public TrainingTask {
 public:
  BlurTask() {
    first_ = params_.add("first/w", {channels, channels, 3, 3});
    second_ = params_.add("second/w", {channels, channels, 3, 3});
    fill_normals(Rng(1).stream(Stream::test, 1), 0, params_.block());
    for (float& value : params_.block()) value *= 0.1f;
    fill_normals(Rng(1).stream(Stream::test, 2), 0, x_.span());
    GraphPhaseParts parts;
    parts.build = [this](std::int64_t rows) { return graph(rows); };
    parts.bind = [this](const Shard& shard, GraphInputs& to) {
      const std::int64_t size = channels * edge * edge;
      for (std::size_t i = 0; i < shard.rows.size(); ++i)
        std::copy_n(x_.data() + shard.rows[i] * size, size,
                    to.values("x").data() + static_cast<std::int64_t>(i) * size);
    };
    phase_ = std::make_unique<GraphPhase>(PhaseSettings{}, parts);
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return images; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }
  [[nodiscard]] ShardGrain grain() const override { return ShardGrain::heavy; }

 private:
  [[nodiscard]] std::unique_ptr<Graph> graph(std::int64_t rows) const {
    auto graph = std::make_unique<Graph>();
    const Var x = graph->input("x", {rows, channels, edge, edge});
    const ConvOptions same{.stride = 1, .pad = 1};
    const Var h = tanh(conv2d(x, graph->parameter(params_, first_), same));
    const Var y = conv2d(h, graph->parameter(params_, second_), same);
    graph->output("loss", sum(square(subtract(y, x))));
    return graph;
  }
  ParamSet params_;
  int first_, second_;
  Tensor<float> x_{Shape{images, channels, edge, edge}};
  std::unique_ptr<Phase> phase_;
};

struct Trained {
  std::vector<float> weights;
  double before = 0, after = 0;
};

Trained train_by(ConvolutionChoice conv) {
  BlurTask task;
  TrainOptions options;
  options.conv = conv;
  options.batch = 16;
  options.optimizer.rule = OptimizerRule::sgd;
  options.lr = 1e-4;
  options.epochs = 20;
  options.eval_every = {1, Interval::Unit::epochs};
  struct Lines final : TrainingSink {
    void save(const Checkpoint&) override {}
    void append(const HistoryLine& line) override { losses.push_back(line.values[0].second); }
    std::vector<double> losses;
  } lines;
  Workers workers(2);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {.sink = &lines});
  (void)loop.run();
  return {{task.params().block().begin(), task.params().block().end()},
          lines.losses.front(),
          lines.losses.back()};
}

}  // namespace

TEST_CASE("train: every path of convolution trains, to the same weights but for rounding") {
  const Trained unfolded = train_by(ConvolutionChoice::im2col);
  CHECK(unfolded.after < 0.9 * unfolded.before);
  for (const ConvolutionChoice conv : {ConvolutionChoice::onednn, ConvolutionChoice::automatic}) {
    if (conv == ConvolutionChoice::onednn && !convolution_available(Convolution::onednn)) continue;
    const Trained other = train_by(conv);
    CHECK(other.after < 0.9 * other.before);
    for (std::size_t i = 0; i < unfolded.weights.size(); ++i)
      CHECK(std::abs(other.weights[i] - unfolded.weights[i]) <= 1e-4f);
    // That the option arrives shows in the last bits, when the paths differ.
    const bool differs = best_convolution() != Convolution::im2col;
    CHECK((other.weights != unfolded.weights) == differs);
  }
}

TEST_CASE("train: --conv onednn is an error in a build without it, and auto never is") {
  TrainOptions options;
  options.conv = ConvolutionChoice::onednn;
  if (convolution_available(Convolution::onednn)) CHECK_NOTHROW(options.validate());
  else CHECK_THROWS_AS(options.validate(), Error);
  options.conv = ConvolutionChoice::automatic;
  CHECK_NOTHROW(options.validate());
  CHECK(convolution_available(options.convolution()));
}

}  // namespace logpx
