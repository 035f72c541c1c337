// One update of the generator that preset `paper` of fit-prior trains: 81-162-784 curves on grids
// of 20 intervals, 100 rows in two shards, Adam.   [spec/kaem.md section 17]
#include "libcore/det/draws.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/nn/spline_layer.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <memory>

namespace logpx::bench {
namespace {

constexpr std::int64_t latent = 81, hidden = 162, pixels = 784, batch = 100;
constexpr int intervals = 20;
constexpr std::int64_t depth = intervals + 2;  // of the products, for each input

class GeneratorTask final : public TrainingTask {
 public:
  GeneratorTask()
      : first_(site() / "0", latent, hidden, {.intervals = intervals, .base = Activation::relu}),
        second_(site() / "1", hidden, pixels, {.intervals = intervals, .base = Activation::relu}) {
    initialisers_.run(params_, Rng(1));
    fill_normals(Rng(1).stream(Stream::test, 2), 0, latents_.span());
    GraphPhaseParts parts;
    parts.build = [this](std::int64_t rows, std::int64_t) { return graph(rows); };
    parts.bind = [this](const Shard& shard, GraphInputs& to) {
      std::copy_n(latents_.data() + shard.batch_first * latent, shard.count * latent,
                  to.values("s").begin());
    };
    parts.inputs = {"s"};
    phase_ = std::make_unique<GraphPhase>(PhaseSettings{}, parts);
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return batch; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }

 private:
  [[nodiscard]] Site site() { return {params_, initialisers_}; }
  static SplineGrid grid(Graph& graph, std::int64_t in) {
    Tensor<double> points(Shape{in, intervals + 1}), spacing(Shape{in});
    const std::vector<double> row = uniform_grid(-3, 3, intervals);
    for (std::int64_t i = 0; i < in; ++i) {
      std::ranges::copy(row, points.data() + i * (intervals + 1));
      spacing[i] = row[1] - row[0];
    }
    return {graph.constant(points), graph.constant(spacing)};
  }
  [[nodiscard]] std::unique_ptr<Graph> graph(std::int64_t rows) const {
    auto made = std::make_unique<Graph>();
    const Var s = made->input("s", {rows, latent});
    const Var h = first_(params_, s, grid(*made, latent));
    const Var m = sigmoid(second_(params_, h, grid(*made, hidden)));
    made->output("loss", -gaussian_log_prob(made->constant(0.3), m, made->constant(-4.6), 1));
    return made;
  }

  ParamSet params_;
  Initialisers initialisers_;
  SplineLayer first_, second_;
  Tensor<float> latents_{Shape{batch, latent}};
  std::unique_ptr<Phase> phase_;
};

double update_seconds(int threads) {
  GeneratorTask task;
  TrainOptions options;
  options.batch = batch;
  options.steps = 1'000'000;
  Workers workers(threads);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {});
  static_cast<void>(loop.time_steps(10));
  double best = loop.time_steps(1);
  for (int round = 0; round < 200; ++round) best = std::min(best, loop.time_steps(1));
  return best;
}

}  // namespace

void bench_kaem(Bench& bench) {
  const double flops = 6.0 * batch * depth * static_cast<double>(latent * hidden + hidden * pixels);
  for (const int threads : {1, 2}) {
    const double seconds = update_seconds(threads);
    bench.add({.name = "update of generator 81-162-784, 100 rows, " + std::to_string(threads) +
                       (threads == 1 ? " thread" : " threads"),
               .value = 1e3 * seconds,
               .unit = "ms",
               .share = flops / seconds / bench.peak() / threads,
               .floor = {},
               .of = threads == 1 ? "sgemm 1024" : "2 x sgemm 1024"});
  }
}

}  // namespace logpx::bench
