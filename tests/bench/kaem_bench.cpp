// One update of preset `paper` of fit-prior by importance sampling, as the peer makes it, too: 40
// latents and fewer, 100 samples for 100 rows, both gradients, Adam; and the part of it that is the
// generator's, 81-162-784 curves on grids of 20 intervals.
#include "libcore/det/draws.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/curve_grid.hpp"
#include "libcore/nn/spline_layer.hpp"
#include "libcore/train/graph_phase.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/step_times.hpp"

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

TrainOptions in_batches() {
  TrainOptions options;
  options.batch = batch;
  return options;
}

StepTimes generator_times(int threads) {
  GeneratorTask task;
  return step_times(task, in_batches(), threads, 200);
}

// Pictures of noise: what an update costs does not depend on what is seen.
HeldRows pictures() {
  HeldRows held;
  held.info.name = "noise";
  held.info.content = Content::image;
  held.info.shape = {28, 28, 1};
  held.info.levels = 256;
  held.info.value_max = 255;
  held.rows.count = 10 * batch;
  held.rows.x.resize(at(held.rows.count * pixels));
  const Substream noise = Rng(1).stream(Stream::test);
  for (std::size_t i = 0; i < held.rows.x.size(); ++i)
    held.rows.x[i] = static_cast<std::byte>(255 * noise.uniform(i) * noise.uniform(i));
  return held;
}

StepTimes update_times(std::int64_t latents, int threads) {
  static const HeldRows held = pictures();
  kaem::Settings settings = kaem::Settings::presets().make("paper");
  settings.model.latent = {latents, 2 * latents + 1};
  settings.model.hidden = std::to_string(4 * latents + 2);
  settings.fit.no_grid_update = true;
  const Trainee trainee = kaem::make_trainee(
      settings, {.train = Examples{held.info, held.rows, 0}, .valid = std::nullopt}, Rng(1));
  return step_times(*trainee.task, in_batches(), threads, 60);
}

double layer_flops(std::int64_t latents) {
  const std::int64_t q = 2 * latents + 1, h = 2 * q;
  return 6.0 * batch * depth * static_cast<double>(q * h + h * pixels);
}

std::string of_threads(int threads) { return threads == 1 ? ", 1 thread" : ", 2 threads"; }

void add(Bench& bench, const std::string& name, double seconds, double flops, int threads) {
  bench.add({.name = name,
             .value = 1e3 * seconds,
             .unit = "ms",
             .share = flops / seconds / bench.peak() / threads,
             .floor = {},
             .of = threads == 1 ? "sgemm 1024" : "2 x sgemm 1024"});
}

}  // namespace

// The share is that of the generator's products alone.
void bench_kaem(Bench& bench) {
  for (const int threads : {1, 2})
    add(bench, "update of generator 81-162-784, 100 rows" + of_threads(threads),
        generator_times(threads).least, layer_flops(40), threads);
  for (const std::int64_t latents : {40, 20, 10})
    for (const int threads : {1, 2}) {
      const std::string name = "kaem update, n_z " + std::to_string(latents) + of_threads(threads);
      const StepTimes times = update_times(latents, threads);
      add(bench, name + ", median", times.median, layer_flops(latents), threads);
      add(bench, name + ", fastest", times.least, layer_flops(latents), threads);
    }
}

}  // namespace logpx::bench
