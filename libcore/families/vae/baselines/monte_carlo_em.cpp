#include "libcore/families/vae/baselines/monte_carlo_em.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/train/graph_phase.hpp"

#include <algorithm>
#include <numeric>

namespace logpx::vae {
namespace {

BuildGraph joint_of(const VaeModel& model) {
  return [&model](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    build_joint(model, *graph, rows, 1);
    return graph;
  };
}

}  // namespace

// Moves the chains of a step's rows: every shard its own, gathered over all of them at the end.
class ChainPhase final : public Phase {
 public:
  explicit ChainPhase(MonteCarloEm& em)
      : Phase({.name = "chains",
               .terms = {"accept"},
               .extra_sums = 1,  // proposals of no finite energy
               .sums_per_row = em.model_.latent(),
               .gradient = false,
               .update = Update::none}),
        em_(em),
        joints_(joint_of(em.model_), {.from = "log_joint", .inputs = {"z"}}) {
    works_with(joints_);
  }

  void begin(const MicroBatch& batch) override {
    if (batch.first == 0) rows_.clear();
    rows_.insert(rows_.end(), batch.rows.begin(), batch.rows.end());
  }

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override {
    single_threaded_kernels();
    const ExecutorPool::Loan loan = joints_.lend(shard.size());
    em_.take_rows_(shard, loan.inputs());
    std::ranges::fill(loan.inputs().seed(), 1.0F);
    loan.executor().bind_parameters(theta);
    const ChainDensity density = [&](std::span<const float> z, std::span<double> log_density,
                                     std::span<float> gradient) {
      std::ranges::copy(z, loan.inputs().values("z").begin());
      loan.executor().forward();
      std::ranges::copy(loan.executor().output("log_joint").span(), log_density.begin());
      loan.executor().backward(loan.inputs().seed());
      std::ranges::copy(loan.executor().gradient("z").span(), gradient.begin());
    };
    ChainStates chains = start_chains(start(shard), em_.model_.latent(), density);
    const std::vector<std::uint64_t> numbers(shard.places.begin(), shard.places.end());
    const std::vector<double> steps(at(shard.count), em_.facts_[MonteCarloEm::step_size]);
    const HmcOutcome outcome = hmc_move(
        chains, density, {static_cast<int>(em_.options_.leapfrog), steps},
        chain_noise(Rng(shard.place.seed), static_cast<std::uint32_t>(shard.place.step), numbers));
    const double accept = std::accumulate(outcome.accept.begin(), outcome.accept.end(), 0.0);
    sums.terms[0] += accept / static_cast<double>(shard.step_count);
    sums.terms[1] += static_cast<double>(outcome.non_finite);
    std::ranges::copy(chains.z, sums.terms.subspan(at(2 + shard.first * chains.dims)).begin());
  }

  void finish(const StepPlace&, const PhaseSums& sums) override {
    const auto dims = at(em_.model_.latent());
    std::span<const double> moved = sums.terms.subspan(2);
    for (const std::int64_t row : rows_) {
      const std::span<float> chain = em_.chains_.span().subspan(at(row) * dims, dims);
      for (std::size_t j = 0; j < dims; ++j) chain[j] = static_cast<float>(moved[j]);
      moved = moved.subspan(dims);
    }
    Tensor<double>& facts = em_.facts_;
    StepSize step(em_.options_.hmc_accept, facts[MonteCarloEm::step_size],
                  static_cast<std::int64_t>(facts[MonteCarloEm::updates]));
    step.update(sums.terms[0]);
    facts[MonteCarloEm::step_size] = step.value();
    facts[MonteCarloEm::updates] = static_cast<double>(step.updates());
    facts[MonteCarloEm::non_finite] += sums.terms[1];
  }

 private:
  // The states of the chains of a shard, or draws from the prior.
  [[nodiscard]] std::vector<float> start(const Shard& shard) const {
    const auto dims = at(em_.model_.latent());
    std::vector<float> z(at(shard.count) * dims);
    if (em_.options_.mcem_restart) {
      const Substream draws =
          Rng(shard.place.seed)
              .stream(Stream::prior_samples, static_cast<std::uint32_t>(shard.place.step));
      for (std::size_t i = 0; i < shard.places.size(); ++i)
        fill_normals(draws, static_cast<std::uint64_t>(shard.places[i]) * dims,
                     std::span(z).subspan(i * dims, dims));
    } else {
      em_.gather(shard.rows, z);
    }
    return z;
  }

  MonteCarloEm& em_;
  ExecutorPool joints_;
  std::vector<std::int64_t> rows_;  // of the step
};

MonteCarloEm::MonteCarloEm(const VaeModel& model, const ObjectiveOptions& options,
                           const Examples& train, BindShard take_rows, Rng rng)
    : model_(model),
      options_(options),
      train_(train),
      take_rows_(std::move(take_rows)),
      evaluated_(joint_of(model), {}),
      chains_({train.rows.count, model.latent()}) {
  make_latents(model)->draw_prior(chains_.span(), train.first, rng);
  facts_[step_size] = StepSize().value();
}

void MonteCarloEm::gather(std::span<const std::int64_t> rows, std::span<float> z) const {
  const auto dims = at(model_.latent());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy_n(chains_.data() + rows[i] * model_.latent(), dims, z.data() + i * dims);
}

std::vector<std::unique_ptr<Phase>> MonteCarloEm::phases() {
  std::vector<std::unique_ptr<Phase>> phases;
  phases.push_back(std::make_unique<ChainPhase>(*this));
  GraphPhaseParts parts;
  parts.build = joint_of(model_);
  parts.bind = [this](const Shard& shard, GraphInputs& inputs) {
    take_rows_(shard, inputs);
    gather(shard.rows, inputs.values("z"));
  };
  PhaseSettings settings{.name = "m-step", .repeat = static_cast<int>(options_.m_steps)};
  phases.push_back(std::make_unique<GraphPhase>(std::move(settings), std::move(parts)));
  return phases;
}

std::vector<TensorRef> MonteCarloEm::state() {
  std::vector<TensorRef> tensors = {TensorRef::of("hmc", facts_)};
  tensors.push_back(TensorRef::of("chains", chains_));
  return tensors;
}

Metrics MonteCarloEm::evaluate(std::span<const float> weights, std::int64_t rows,
                               const EvaluationMachine& machine) const {
  const std::int64_t latent = model_.latent();
  evaluated_.request().numerics = machine.numerics;
  const auto of_block = [&](RowBlock block, std::span<double> sums) {
    single_threaded_kernels();
    const Rows held = slice_rows(train_.rows, block.first, block.first + block.count);
    const ExecutorPool::Loan loan = evaluated_.lend({block.count});
    Executor<float>& run = loan.executor();
    GraphInputs& inputs = loan.inputs();
    const std::span<float> x = inputs.values("x");
    model_.reader().take({train_.info, held, train_.first + block.first},
                         evaluation_noise(model_.rules()), x);
    if (model_.likelihood().takes_index()) fill_index(x, inputs.indices("index"));
    std::ranges::copy(chains_.span().subspan(at(block.first * latent), at(block.count * latent)),
                      inputs.values("z").begin());
    run.bind_parameters(weights);
    run.forward();
    for (const float value : run.output("log_joint").span()) sums[0] += static_cast<double>(value);
  };
  const std::vector<double> sums = sum_over_rows(machine, {.rows = rows, .columns = 1}, of_block);
  return {{"log_joint_train", sums[0] / static_cast<double>(rows)},
          {"hmc_step", facts_[step_size]},
          {"hmc_non_finite", facts_[non_finite]}};
}

}  // namespace logpx::vae
