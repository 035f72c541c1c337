#include "libcore/families/kaem/training/importance.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/model/latent_decoder.hpp"
#include "libcore/model/likelihood_options.hpp"

#include <algorithm>
#include <optional>

namespace logpx::kaem {
namespace {

constexpr double degenerate_ess = 2;
constexpr double kept_of_statistics = 0.9;  // from one update to the next

std::string slope_name(std::size_t head) { return "slope" + std::to_string(head); }
std::string statistics_name(std::int64_t layer) { return "statistics" + std::to_string(layer); }

}  // namespace

ImportanceTraining::ImportanceTraining(KaemModel& model, const FitOptions& options,
                                       const TrainingRows& rows)
    : model_(model),
      options_(options),
      step_(model, options),
      forms_(model.likelihood().heads()),
      pairs_(model.likelihood().pairs(model.dims())),
      penalties_({.model = model,
                  .options = options.penalties,
                  .trained = options.trained(),
                  .samples = [this] {
                    // A rank has drawn the features of its own shards only.
                    if (options_.penalties.charges(PenaltyTargets::prior))
                      static_cast<void>(grid_samples());
                    return PenaltySamples{step_.values, step_.draws.z, step_.s, step_.weights};
                  }}) {
  for (std::int64_t f = 0; f < model.prior_form().features(); ++f)
    tables_.emplace_back(step_.values.energies, f, options.its);
  phases_.push_back(prior_phase({model, options_, step_, tables_}));
  if (!model.generator().takes_tokens()) {
    add_shared_phases(rows);
  } else {
    phases_.push_back(pairs_phase({model, options_, step_, rows}));
    for (std::unique_ptr<Phase>& phase : penalties_.phases()) phases_.push_back(std::move(phase));
  }
  if (options_.trains("prior")) phases_.push_back(tilt_phase({model, options_, step_, tables_}));
}

// The phases of samples whose heads all rows share.
void ImportanceTraining::add_shared_phases(const TrainingRows& rows) {
  std::unique_ptr<GraphPhase> first_pass = samples_phase();
  GraphPhase& samples = *first_pass;
  phases_.push_back(std::move(first_pass));
  phases_.push_back(weights_phase({model_, options_, step_, rows, *pairs_}));
  for (std::unique_ptr<Phase>& phase : penalties_.phases()) phases_.push_back(std::move(phase));
  if (std::unique_ptr<Phase> phase = generator_phase(samples)) phases_.push_back(std::move(phase));
}

ImportanceTraining::~ImportanceTraining() = default;

std::vector<Phase*> ImportanceTraining::phases() {
  std::vector<Phase*> list;
  for (const auto& phase : phases_) list.push_back(phase.get());
  return list;
}

void ImportanceTraining::bind_samples(const Shard& shard, GraphInputs& inputs) const {
  const std::int64_t latents = model_.prior_form().n_q;
  std::ranges::copy(
      std::span(step_.s).subspan(at(shard.first * latents), at(shard.count * latents)),
      inputs.values("s").begin());
  model_.generator().bind(inputs);
  if (options_.train_noise == 0) return;
  const std::span<float> noise = inputs.values("noise");
  fill_normals(
      Rng(shard.place.seed).stream(Stream::noise, static_cast<std::uint32_t>(shard.place.step)),
      static_cast<std::uint64_t>(shard.first * model_.generator().noise_size()), noise);
  for (float& value : noise) value *= static_cast<float>(options_.train_noise);
}

// Heads come out; the reverse pass starts from the sum of them, each times its slope.
std::unique_ptr<GraphPhase> ImportanceTraining::samples_phase() {
  GraphPhaseParts parts;
  parts.build = [this](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    Decoding decoding;
    if (options_.trains("generator")) decoding.statistics = Decoding::Statistics::own;
    if (options_.train_noise > 0)
      decoding.noise = graph->input("noise", {rows, model_.generator().noise_size()});
    const Likelihood::Heads heads = model_.generator()(
        model_.param_set(), graph->input("s", {rows, model_.prior_form().n_q}), decoding);
    name_heads(*graph, heads);
    std::optional<Var> pull;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      if (model_.likelihood().heads()[h].value) continue;
      const Var slope = graph->input(slope_name(h), heads[h].shape());
      const Var product = multiply(heads[h], slope);
      const Var one = heads[h].shape().rank() == 0 ? product : sum(product);
      pull = pull ? add(*pull, one) : one;
    }
    graph->output("pull", *pull);
    return graph;
  };
  parts.bind = [this](const Shard& shard, GraphInputs& inputs) { bind_samples(shard, inputs); };
  parts.from = "pull";
  parts.read = [this](const Shard& shard, const Executor<float>& run, GraphInputs&,
                      const ShardSums& sums) { keep_heads(shard, run, sums); };
  parts.finish = [this](const StepPlace&, const PhaseSums& sums) { take_heads(sums); };
  PhaseSettings settings{.name = "samples",
                         .terms = {},
                         .extra_sums = step_.slope_count() + statistic_count(),
                         .items = options_.samples,
                         .gradient = false,
                         .update = Update::none};
  return std::make_unique<GraphPhase>(std::move(settings), std::move(parts));
}

// The heads of a shard's samples among those of all, which are sums of the phase.
void ImportanceTraining::keep_heads(const Shard& shard, const Executor<float>& run,
                                    const ShardSums& sums) const {
  std::span<double> rest = sums.terms;
  for (std::size_t h = 0; h < step_.heads.size(); ++h) {
    const View<const float> own = run.output(output_of_head(h));
    const bool shared = step_.heads[h].size() == 1;
    const std::int64_t first = shared ? 0 : shard.first * (own.size() / shard.count);
    if (!shared || shard.first == 0) std::ranges::copy(own.span(), rest.subspan(at(first)).begin());
    rest = rest.subspan(step_.heads[h].size());
  }
  if (statistic_count() > 0) keep_statistics(shard, run, rest);
}

void ImportanceTraining::take_heads(const PhaseSums& sums) {
  std::span<const double> rest = sums.terms;
  for (std::vector<float>& head : step_.heads) {
    std::ranges::transform(rest.first(head.size()), head.begin(),
                           [](double value) { return static_cast<float>(value); });
    rest = rest.subspan(head.size());
  }
  take_statistics(rest);
}

std::int64_t ImportanceTraining::statistic_count() const {
  if (!options_.trains("generator")) return 0;
  std::int64_t count = 0;
  for (std::int64_t k = 0; k < model_.generator().normalised_layers(); ++k)
    count += model_.generator().statistics(k).size();
  return count;
}

// The mean over shards, each by its samples.
void ImportanceTraining::keep_statistics(const Shard& shard, const Executor<float>& run,
                                         std::span<double> sums) const {
  const double share = static_cast<double>(shard.count) / static_cast<double>(shard.step_count);
  std::size_t next = 0;
  for (std::int64_t k = 0; k < model_.generator().normalised_layers(); ++k)
    for (const float own : run.output(statistics_name(k)).span()) sums[next++] = share * own;
}

void ImportanceTraining::take_statistics(std::span<const double> means) {
  std::size_t next = 0;
  for (std::int64_t k = 0; next < means.size(); ++k)
    for (float& running : model_.generator().statistics(k).span())
      running = static_cast<float>(kept_of_statistics * running +
                                   (1 - kept_of_statistics) * means[next++]);
}

std::unique_ptr<Phase> ImportanceTraining::generator_phase(GraphPhase& samples) {
  const bool trains = options_.trains("generator"), prior = options_.trains("prior");
  const bool pathwise = prior && options_.signal(model_.prior_form()) == PriorSignal::pathwise;
  if (!trains && !pathwise) return nullptr;
  GraphPhaseParts parts;
  parts.bind = [this](const Shard& shard, GraphInputs& inputs) { bind_slopes(shard, inputs); };
  parts.from = "pull";
  if (pathwise) {
    parts.inputs = {"s"};
    parts.after = [this](const Shard& shard, const Executor<float>& run, const ShardSums& sums) {
      const std::span<const float> by_s = run.gradient("s").span();
      std::ranges::copy(by_s,
                        sums.terms.subspan(at(shard.first * model_.prior_form().n_q)).begin());
    };
    parts.finish = [this](const StepPlace&, const PhaseSums& sums) {
      std::ranges::copy(sums.terms, step_.by_s.begin());
    };
  }
  PhaseSettings settings{.name = "generator",
                         .terms = {},
                         .extra_sums = pathwise ? std::ssize(step_.by_s) : 0,
                         .items = options_.samples,
                         .gradient = trains,
                         .writes = {"generator"},
                         .update = prior ? Update::none : Update::optimizer};
  return std::make_unique<GraphPhase>(std::move(settings), std::move(parts), samples);
}

// Slopes of the loss, which is the negative objective. A head that all samples share gets a part of
// its slope in every shard.
void ImportanceTraining::bind_slopes(const Shard& shard, GraphInputs& inputs) const {
  std::ranges::fill(inputs.seed(), 1.0F);
  for (std::size_t h = 0; h < step_.slopes.size(); ++h) {
    if (forms_[h].value) continue;
    const std::vector<double>& all = step_.slopes[h];
    const std::span<float> own = inputs.values(slope_name(h));
    const bool shared = all.size() == 1;
    const double scale =
        shared ? static_cast<double>(shard.count) / static_cast<double>(shard.step_count) : 1;
    const std::size_t first = shared ? 0 : at(shard.first) * (own.size() / at(shard.count));
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = static_cast<float>(-scale * all[first + i]);
  }
}

GridSamples ImportanceTraining::grid_samples() {
  model_.take_prior(model_.param_set().block(), step_.values);
  DrawSpace space;
  for (EnergyTables& tables : tables_) draw_feature(step_.values, tables, step_.draws, space);
  latent_sums(model_.prior_form(), step_.draws, step_.s);
  return {step_.draws.z, step_.weights, step_.s, step_.values.energies.rho};
}

std::vector<std::string> ImportanceTraining::concerns() const {
  if (options_.samples == 1)
    return {"with --samples 1 the weight of the only sample is always 1; try --samples 100"};
  if (step_.mean_ess() >= degenerate_ess) return {};
  const bool deviates = likelihood_reads(model_.config().likelihood, LikelihoodOption::obs_std);
  return {"importance weights are degenerate (effective samples " + four_digits(step_.mean_ess()) +
          " of " + std::to_string(options_.samples) + " in the last epoch): " +
          (deviates ? "a larger --obs-std or more --samples helps" : "more --samples help")};
}

}  // namespace logpx::kaem
