#include "libcore/families/vae/pseudo_inputs.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/row_store.hpp"
#include "libcore/det/reductions.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/model/data_reading.hpp"
#include "libcore/train/row_noise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx::vae {
namespace {

constexpr double log_two_pi = 1.8378770664093454836;
constexpr std::int64_t most_inputs = 4096, inputs_at_once = 128;
// How far rows that inputs start at are kept from the ends of their range.
constexpr double margin = 0.05;

// What x may be at most where it begins at 0; none for real numbers.
std::optional<double> top_of(const Likelihood& likelihood) {
  if (likelihood.takes() == ValuesOfX::reals) return std::nullopt;
  if (likelihood.takes() == ValuesOfX::bits) return 1;
  return static_cast<double>(likelihood.levels() - 1);
}

// x of what is learned, u.
Var held_in_range(const Likelihood& likelihood, Var u) {
  const std::optional<double> top = top_of(likelihood);
  return top ? sigmoid(u) * *top : u;
}

float free_of_range(const Likelihood& likelihood, float x) {
  const std::optional<double> top = top_of(likelihood);
  if (!top) return x;
  const double share = std::clamp(static_cast<double>(x) / *top, margin, 1 - margin);
  return static_cast<float>(std::log(share / (1 - share)));
}

}  // namespace

std::optional<std::int64_t> pseudo_inputs_of(const std::string& prior) {
  if (prior == normal_prior) return std::nullopt;
  constexpr std::string_view word = "vamp:";
  const std::optional<std::int64_t> count =
      parse_integer(prior.starts_with(word) ? std::string_view(prior).substr(word.size()) : "");
  if (!count || *count < 1 || *count > most_inputs)
    fail(ErrorKind::usage, "--prior",
         "is " + prior + ", expected normal, or vamp:K with K from 1 to " +
             std::to_string(most_inputs) + "; --fit-prior fits mixtures to a trained model");
  return count;
}

void require_drawn_kl(const ObjectiveOptions& options) {
  if (options.algorithm != Algorithm::aevb)
    fail(ErrorKind::usage, "--algorithm", "is not aevb, by which --prior vamp:K is learned");
  if (options.objective == Objective::score_function)
    fail(ErrorKind::usage, "--objective score-function", "does not learn --prior vamp:K");
  if (!options.importance_weighted() && options.estimator == Estimator::b)
    fail(ErrorKind::usage, "--estimator b", "knows the KL from N(0, I) alone", "--estimator a");
}

Var log_mixture(Var z, Var log_weights, Var means, Var deviations) {
  const Var precisions = pow(deviations, -2);
  const Var ends = log_weights - sum(log(deviations), 1) -
                   0.5 * sum(square(means) * precisions, 1) -
                   0.5 * log_two_pi * static_cast<double>(means.shape()[1]);
  const Var squares = linear(square(z), permute(precisions * -0.5, {1, 0}));
  return logsumexp(squares + linear(z, permute(means * precisions, {1, 0}), ends), -1);
}

PseudoInputs::PseudoInputs(VaeModel& model)
    : model_(model),
      count_(model.prior_params()->form().components),
      inputs_(
          model.param_set().add(std::string(learned_apart) + "/inputs", {count_, model.dims()})),
      logits_(model.param_set().add(std::string(learned_apart) + "/logits", {count_})),
      encoders_([this](std::int64_t count, std::int64_t) { return build(count); }, {}),
      codes_(at(2 * codes())),
      pulls_(at(2 * codes())) {
  LOGPX_ASSERT(model.prior_params()->form().covariance == Covariance::diagonal);
}

void PseudoInputs::start(const TrainingRows& rows, Rng rng) {
  const std::int64_t count = rows.rows().count;
  if (count_ > count)
    fail(ErrorKind::usage, "--prior",
         "asks for " + std::to_string(count_) + " inputs, and there are " + std::to_string(count) +
             " rows to begin with");
  const std::vector<std::uint32_t> order =
      permutation(static_cast<std::uint32_t>(count),
                  rng.stream(Stream::init, static_cast<std::uint32_t>(inputs_)));
  const RowNoise noise = training_noise(model_.reader().rules(), rng, 0);
  const std::span<float> theta = model_.param_set().block();
  if (RowStore* const store = rows.rows().store(); store != nullptr)
    store->hold(std::vector<std::int64_t>(order.begin(), order.begin() + count_));
  for (std::int64_t k = 0; k < count_; ++k) {
    const std::span<float> input = inputs(theta, k, 1);
    rows.take(order[at(k)], noise, input);
    for (float& value : input) value = free_of_range(model_.likelihood(), value);
  }
}

// Inputs are no parameters of the graph, so that each shard takes its own.
std::unique_ptr<Graph> PseudoInputs::build(std::int64_t count) const {
  auto graph = std::make_unique<Graph>();
  const Shape codes{count, model_.latent()};
  const Var u = graph->input("u", {count, model_.dims()});
  const EncodedGaussian q = model_.encode(held_in_range(model_.likelihood(), u));
  const Var deviation = exp(0.5 * q.log_var) + 0.0 * q.mean;  // of all where they share one
  graph->output("mean", q.mean);
  graph->output("deviation", deviation);
  graph->output("pull", sum(q.mean * graph->input("mean_pull", codes) +
                                deviation * graph->input("deviation_pull", codes),
                            1));
  return graph;
}

Var PseudoInputs::log_prior(Var z) const {
  Graph& graph = z.graph();
  const Shape codes{count_, model_.latent()};
  const Var logits = graph.parameter(params(), logits_);
  return log_mixture(z, log_softmax(logits), graph.input("prior_means", codes),
                     graph.input("prior_deviations", codes));
}

std::unique_ptr<GraphPhase> PseudoInputs::inputs_phase() {
  GraphPhaseParts parts;
  parts.build = [this](std::int64_t count, std::int64_t) { return build(count); };
  parts.bind = [this](const Shard& shard, GraphInputs& given) {
    std::ranges::copy(inputs(shard.theta, shard.first, shard.count), given.values("u").begin());
  };
  parts.read = [this](const Shard& shard, const Executor<float>& run, GraphInputs&,
                      const ShardSums& sums) {
    const std::span<double> own = sums.terms.subspan(at(shard.first * model_.latent()));
    std::ranges::copy(run.output("mean").span(), own.begin());
    std::ranges::copy(run.output("deviation").span(), own.subspan(at(codes())).begin());
  };
  parts.finish = [this](const StepPlace&, const PhaseSums& sums) {
    std::ranges::transform(sums.terms, codes_.begin(),
                           [](double value) { return static_cast<float>(value); });
  };
  return std::make_unique<GraphPhase>(PhaseSettings{.name = "inputs",
                                                    .terms = {},
                                                    .extra_sums = 2 * codes(),
                                                    .items = count_,
                                                    .gradient = false,
                                                    .update = Update::none},
                                      std::move(parts));
}

std::unique_ptr<GraphPhase> PseudoInputs::step_phase(GraphPhaseParts objective) {
  objective.bind = [this, bind = std::move(objective.bind)](const Shard& shard,
                                                            GraphInputs& given) {
    bind(shard, given);
    const std::span codes = codes_;
    std::ranges::copy(codes.first(at(this->codes())), given.values("prior_means").begin());
    std::ranges::copy(codes.subspan(at(this->codes())), given.values("prior_deviations").begin());
  };
  objective.inputs = {"prior_means", "prior_deviations"};
  objective.after = [this](const Shard&, const Executor<float>& run, const ShardSums& sums) {
    const std::span<double> pulls = sums.terms.last(at(2 * codes()));
    std::ranges::copy(run.gradient("prior_means").span(), pulls.begin());
    std::ranges::copy(run.gradient("prior_deviations").span(), pulls.subspan(at(codes())).begin());
  };
  objective.finish = [this](const StepPlace&, const PhaseSums& sums) {
    std::ranges::transform(sums.terms.last(pulls_.size()), pulls_.begin(),
                           [](double value) { return static_cast<float>(value); });
  };
  PhaseSettings settings{.extra_sums = 2 * codes(),
                         .writes = {"encoder", "decoder", params().infos()[at(logits_)].name},
                         .update = Update::none};
  if (model_.context() != nullptr) settings.writes.emplace_back("context");
  return std::make_unique<GraphPhase>(std::move(settings), std::move(objective));
}

std::unique_ptr<GraphPhase> PseudoInputs::pull_phase(GraphPhase& forward) {
  GraphPhaseParts parts;
  parts.bind = [this](const Shard& shard, GraphInputs& given) {
    const std::span pulls = std::span(pulls_).subspan(at(shard.first * model_.latent()));
    const std::span<float> mean = given.values("mean_pull"),
                           deviation = given.values("deviation_pull");
    std::ranges::copy(pulls.first(mean.size()), mean.begin());
    std::ranges::copy(pulls.subspan(at(codes()), deviation.size()), deviation.begin());
    std::ranges::fill(given.seed(), 1.0F);
  };
  parts.from = "pull";
  parts.inputs = {"u"};
  parts.after = [this](const Shard& shard, const Executor<float>& run, const ShardSums& sums) {
    std::ranges::copy(run.gradient("u").span(),
                      inputs(sums.gradient, shard.first, shard.count).begin());
  };
  return std::make_unique<GraphPhase>(
      PhaseSettings{.name = "pull",
                    .terms = {},
                    .items = count_,
                    .writes = {"encoder", params().infos()[at(inputs_)].name}},
      std::move(parts), forward);
}

std::vector<std::unique_ptr<Phase>> PseudoInputs::phases(GraphPhaseParts objective) {
  std::vector<std::unique_ptr<Phase>> phases;
  auto forward = inputs_phase();
  auto back = pull_phase(*forward);
  phases.push_back(std::move(forward));
  phases.push_back(step_phase(std::move(objective)));
  phases.push_back(std::move(back));
  return phases;
}

std::vector<float> PseudoInputs::settled(std::span<const float> weights) {
  single_threaded_kernels();
  std::vector<float> theta(weights.begin(), weights.end());
  const MixtureNumbers<float> prior = model_.prior_params()->numbers(std::span(theta));
  for (std::int64_t first = 0; first < count_; first += inputs_at_once) {
    const std::int64_t count = std::min(inputs_at_once, count_ - first);
    const ExecutorPool::Loan loan = encoders_.lend({count});
    std::ranges::copy(inputs(weights, first, count), loan.inputs().values("u").begin());
    loan.executor().bind_parameters(weights);
    loan.executor().forward();
    const auto begin = at(first * model_.latent());
    std::ranges::copy(loan.executor().output("mean").span(), prior.means.subspan(begin).begin());
    std::ranges::copy(loan.executor().output("deviation").span(),
                      prior.factors.subspan(begin).begin());
  }
  const std::span<const float> logits = params().view(logits_, weights).span();
  std::vector<double> shares(logits.begin(), logits.end());
  det::softmax(shares, shares);
  std::ranges::transform(shares, prior.weights.begin(),
                         [](double value) { return static_cast<float>(value); });
  return theta;
}

void PseudoInputs::compute_by(const Numerics& numerics) {
  encoders_.clear();
  encoders_.request().numerics = numerics;
}

}  // namespace logpx::vae
