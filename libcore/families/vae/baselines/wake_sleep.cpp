#include "libcore/families/vae/baselines/wake_sleep.hpp"

#include "libcore/det/draws.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_sample.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/model/latent_decoder.hpp"
#include "libcore/train/graph_phase.hpp"

#include <algorithm>

namespace logpx::vae {
namespace {

Substream of_step(const StepPlace& place, Stream stream) {
  return Rng(place.seed).stream(stream, static_cast<std::uint32_t>(place.step));
}

// Standard normals [rows of the shard, J], by the place of a row in the step.
void fill_latents(const Shard& shard, Stream stream, std::span<float> z) {
  const std::size_t latent = z.size() / shard.places.size();
  for (std::size_t i = 0; i < shard.places.size(); ++i)
    fill_normals(of_step(shard.place, stream), static_cast<std::uint64_t>(shard.places[i]) * latent,
                 z.subspan(i * latent, latent));
}

class SleepPhase final : public Phase {
 public:
  explicit SleepPhase(const VaeModel& model)
      : Phase({.name = "sleep", .terms = {"sleep_loss"}, .writes = {"encoder"}}),
        model_(model),
        dreamers_(
            [&model](std::int64_t rows, std::int64_t) {
              auto graph = std::make_unique<Graph>();
              build_decoder(model, *graph, rows);
              return graph;
            },
            {}),
        learners_(
            [&model](std::int64_t rows, std::int64_t) {
              auto graph = std::make_unique<Graph>();
              build_sleep(model, *graph, rows);
              return graph;
            },
            {.from = "sleep_loss", .parameters = true, .written = settings().writes}) {
    works_with(learners_);
    works_with(dreamers_);
  }

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override {
    single_threaded_kernels();
    const ExecutorPool::Loan loan = learners_.lend(shard.size());
    dream(shard, theta, loan.inputs());
    loan.executor().bind_parameters(theta, sums.gradient, sums.written);
    loan.executor().forward();
    const double share = 1 / static_cast<double>(shard.step_count);
    for (const float loss : loan.executor().output("sleep_loss").span())
      sums.terms[0] += static_cast<double>(loss) * share;
    std::ranges::fill(loan.inputs().seed(), static_cast<float>(share));
    loan.executor().backward(loan.inputs().seed());
  }

  std::string find_trouble(const Shard& shard, std::span<const float> theta,
                           const ShardSums& sums) override {
    const ExecutorPool::Loan loan = learners_.lend(shard.size());
    dream(shard, theta, loan.inputs());
    std::ranges::fill(loan.inputs().seed(), 1 / static_cast<float>(shard.step_count));
    loan.executor().bind_parameters(theta, sums.gradient, sums.written);
    return loan.executor().find_non_finite(loan.inputs().seed());
  }

 private:
  // A row's draws have as many blocks of words as x has dimensions: no likelihood takes more than
  // the four words of a block per dimension.
  void dream(const Shard& shard, std::span<const float> theta, GraphInputs& inputs) {
    const ExecutorPool::Loan loan = dreamers_.lend(shard.size());
    fill_latents(shard, Stream::sleep_z, loan.inputs().values("z"));
    std::ranges::copy(loan.inputs().values("z"), inputs.values("z").begin());
    loan.executor().bind_parameters(theta);
    loan.executor().forward();
    const DecodedHeads heads(model_.likelihood(), loan.executor());
    const Substream words = of_step(shard.place, Stream::sleep_x);
    const auto dims = static_cast<std::size_t>(model_.dims());
    const std::span<float> x = inputs.values("x");
    for (std::int64_t i = 0; i < shard.count; ++i) {
      const Likelihood::HeadValues row = heads.row(i);
      DrawCursor draws(
          words, static_cast<std::uint64_t>(shard.places[static_cast<std::size_t>(i)]) * dims);
      for (std::size_t d = 0; d < dims; ++d)
        x[static_cast<std::size_t>(i) * dims + d] =
            static_cast<float>(model_.likelihood().draw(row, d, draws));
    }
  }

  const VaeModel& model_;
  ExecutorPool dreamers_, learners_;
};

std::unique_ptr<Phase> wake_phase(const VaeModel& model, BindShard take_rows) {
  GraphPhaseParts parts;
  parts.build = [&model](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    build_wake(model, *graph, rows);
    return graph;
  };
  parts.bind = [take_rows = std::move(take_rows)](const Shard& shard, GraphInputs& inputs) {
    take_rows(shard, inputs);
    fill_latents(shard, Stream::wake_eps, inputs.values("noise"));
  };
  parts.from = "wake_loss";
  PhaseSettings settings{
      .name = "wake", .terms = {"wake_loss"}, .writes = {"decoder"}, .update = Update::none};
  return std::make_unique<GraphPhase>(std::move(settings), std::move(parts));
}

}  // namespace

void build_wake(const VaeModel& model, Graph& graph, std::int64_t rows) {
  const Target target = model.target(graph, rows, 1);
  const Var noise = graph.input("noise", {1, rows, model.latent()});
  const EncodedGaussian q = model.encode(target.x);
  const Var z = stop_gradient(reparameterise(q.mean, q.log_var, noise));
  graph.output("wake_loss", -(model.log_likelihood(target, z) + log_prior(z)));
}

void build_sleep(const VaeModel& model, Graph& graph, std::int64_t rows) {
  const Var x = graph.input("x", {rows, model.dims()});
  const Var z = graph.input("z", {rows, model.latent()});
  const EncodedGaussian q = model.encode(x);
  const Var log_var = straight_through(q.log_var, q.free_log_var);
  graph.output("sleep_loss", -gaussian_log_prob(z, q.mean, log_var, 1));
}

std::vector<std::unique_ptr<Phase>> wake_sleep_phases(const VaeModel& model, BindShard take_rows) {
  std::vector<std::unique_ptr<Phase>> phases;
  phases.push_back(wake_phase(model, std::move(take_rows)));
  phases.push_back(std::make_unique<SleepPhase>(model));
  return phases;
}

}  // namespace logpx::vae
