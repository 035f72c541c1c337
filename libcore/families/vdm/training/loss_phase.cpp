#include "libcore/families/vdm/training/loss_phase.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"

#include <numbers>

namespace logpx::vdm {
namespace {

// Inputs that the graph passes on to what comes after the reverse pass.
constexpr const char* handed_numbers[] = {"prior_slope", "recon_slope"};

std::vector<std::string> masks_of(const VdmModel& model) {
  std::vector<std::string> masks;
  if (model.config().net.dropout == 0) return masks;
  Graph graph;
  static_cast<void>(model.noise(graph, 1, BlockPass::training));
  for (const Node& node : graph.nodes())
    if (node.kind == NodeKind::input && node.path.ends_with("/dropout_mask"))
      masks.push_back(node.path);
  return masks;
}

}  // namespace

double trained_unit(const VdmModel& model) {
  return 1 / (static_cast<double>(model.dims()) * std::numbers::ln2);
}

double shown_unit(const VdmModel& model) { return model.levels() > 0 ? trained_unit(model) : 1; }

Var squared_error(const VdmModel& model, Var eps, BlockPass pass) {
  return sum(square(eps - model.noise(eps.graph(), eps.shape()[0], pass)), 1);
}

LossPhase::LossPhase(const VdmModel& model, const LearnOptions& options, const StepRows& rows,
                     TimedLosses losses)
    : model_(model),
      options_(options),
      rows_(rows),
      losses_(std::move(losses)),
      masks_(masks_of(model)) {}

bool LossPhase::pulls_ends_by_path() const {
  return model_.schedule_parameters().learns_ends() &&
         options_.endpoint_gradient == EndpointGradient::path;
}

bool LossPhase::pulls_schedule() const {
  return pulls_ends_by_path() || model_.schedule_parameters().learns_curve();
}

std::vector<std::string> LossPhase::terms() const {
  const std::string weighted = losses_.is_bound() ? "" : "weighted_";
  return {weighted + "loss", weighted + "diffusion", "prior", "recon"};
}

PhaseSettings LossPhase::settings() const {
  PhaseSettings settings{.terms = terms()};
  if (model_.param_set().count() > 0) return settings;
  settings.gradient = false;
  settings.update = Update::none;
  return settings;
}

GraphPhaseParts LossPhase::parts() const {
  GraphPhaseParts parts;
  parts.build = [this](std::int64_t rows, std::int64_t) { return build(rows); };
  parts.bind = [this](const Shard& shard, GraphInputs& inputs) { bind(shard, inputs); };
  parts.from = "m";
  // For a network without parameters the reverse pass has no other target.
  const bool learns_nothing = model_.config().net.kind == NetKind::linear_gauss;
  if (pulls_schedule() || learns_nothing) parts.inputs = {"z", "gamma"};
  if (model_.schedule_parameters().learns())
    parts.after = [this](const Shard& shard, const Executor<float>& run, const ShardSums& sums) {
      add_schedule_gradient(shard, run, sums);
    };
  return parts;
}

std::unique_ptr<Graph> LossPhase::build(std::int64_t rows) const {
  auto graph = std::make_unique<Graph>();
  const auto number = [&](const char* name) { return graph->input(name, {rows}); };
  const Var eps = graph->input("eps", {rows, model_.dims()});
  const Var error = squared_error(model_, eps, BlockPass::training);
  graph->output("m", error);
  const Var diffusion = error * number("shown_factor"), prior = number("prior"),
            recon = number("recon");
  const std::vector<std::string> names = terms();
  graph->output(names[0], diffusion + prior + recon);
  graph->output(names[1], diffusion);
  graph->output(names[2], prior);
  graph->output(names[3], recon);
  if (!model_.schedule_parameters().learns()) return graph;
  graph->output("x", graph->input("x", {rows, model_.dims()}));
  graph->output("eps", eps);
  for (const char* name : handed_numbers) graph->output(name, number(name));
  return graph;
}

void LossPhase::bind(const Shard& shard, GraphInputs& inputs) const {
  const NoiseSchedule schedule = model_.schedule(shard.theta);
  const bool learns = model_.schedule_parameters().learns();
  const ReconTerm recon_term(model_.levels(), schedule.ends().first);
  const double shown = shown_unit(model_), trained = trained_unit(model_),
               log_jacobian = model_.reader().log_jacobian();
  const std::size_t dims = at(model_.dims());
  std::vector<float> own_x(dims), recon_noise(dims);
  const std::span<float> seed = inputs.seed();
  for (std::size_t i = 0; i < at(shard.count); ++i) {
    const std::int64_t place = shard.places[i];
    const auto row_of = [&](const char* name) {
      return inputs.values(name).subspan(i * dims, dims);
    };
    const std::span<float> x = learns ? row_of("x") : std::span<float>(own_x);
    const bool changed = rows_.take(shard, static_cast<std::int64_t>(i), x);
    const TimedLoss loss = losses_.at(schedule, rows_.time(shard.place, place));
    rows_.noise(shard.place, place, StepRows::Draw::diffusion, row_of("eps"));
    mix_noise(Process{}.at(loss.gamma), x, row_of("eps"), row_of("z"));
    rows_.recon_noise(shard.place, place, recon_noise);
    const EndTerm prior = prior_end_term(schedule.ends().last, x);
    const EndTerm recon = learns ? recon_term.with_slope(x, recon_noise)
                                 : EndTerm{recon_term.nats(x, recon_noise), 0};
    const auto put = [&](const char* name, double value) {
      inputs.values(name)[i] = static_cast<float>(value);
    };
    put("gamma", loss.gamma);
    put("shown_factor", shown * loss.factor);
    put("prior", shown * prior.nats);
    put("recon", shown * (recon.nats - log_jacobian));
    if (learns) put("prior_slope", prior.slope), put("recon_slope", recon.slope);
    if (model_.config().aug_flag) put("changed", changed ? 1 : 0);
    if (model_.config().classes > 0)
      inputs.indices("label")[i] = rows_.label(shard, static_cast<std::int64_t>(i));
    if (!seed.empty())
      seed[i] = static_cast<float>(static_cast<double>(seed[i]) * trained * loss.factor);
  }
  bind_dropout(shard, inputs);
}

// Layer l uses the words from l 2^40 on, and each row those of its place in there.
void LossPhase::bind_dropout(const Shard& shard, GraphInputs& inputs) const {
  const Substream words =
      Rng(shard.place.seed).stream(Stream::dropout, static_cast<std::uint32_t>(shard.place.step));
  for (std::size_t layer = 0; layer < masks_.size(); ++layer) {
    const std::span<float> mask = inputs.values(masks_[layer]);
    const std::size_t size = mask.size() / at(shard.count), blocks = (size + 3) / 4;
    for (std::size_t i = 0; i < at(shard.count); ++i) {
      Cursor draws(words, (std::uint64_t{layer} << 38) +
                              static_cast<std::uint64_t>(shard.places[i]) * blocks);
      for (float& kept : mask.subspan(i * size, size))
        kept = draws.uniform() < model_.config().net.dropout ? 0.0F : 1.0F;
    }
  }
}

void LossPhase::add_schedule_gradient(const Shard& shard, const Executor<float>& run,
                                      const ShardSums& sums) const {
  const NoiseSchedule schedule = model_.schedule(shard.theta);
  const ScheduleParameters& parameters = model_.schedule_parameters();
  const PullRule rule{.share = 1 / static_cast<double>(shard.step_count),
                      .unit = trained_unit(model_),
                      .ends = pulls_ends_by_path(),
                      .curve = parameters.learns_curve(),
                      .continuous = losses_.is_continuous()};
  const std::size_t dims = at(model_.dims());
  const auto row = [&](std::span<const float> all, std::size_t i) {
    return all.subspan(i * dims, dims);
  };
  const auto number = [&](const char* output, std::size_t i) {
    return static_cast<double>(run.output(output).span()[i]);
  };
  std::vector<RowPull> pulls;
  Endpoints terms = {0, 0};
  for (std::size_t i = 0; i < at(shard.count); ++i) {
    terms.first += number("recon_slope", i) * rule.share * rule.unit;
    terms.last += number("prior_slope", i) * rule.share * rule.unit;
    if (!pulls_schedule()) continue;
    RowPull& pull = pulls.emplace_back();
    pull.loss = losses_.at(schedule, rows_.time(shard.place, shard.places[i]));
    pull.error = number("m", i);
    const double by_z =
        slope_along(Process{}.at(pull.loss.gamma), row(run.output("x").span(), i),
                    row(run.output("eps").span(), i), row(run.gradient("z").span(), i));
    // The reverse pass started from factor, share and unit.
    pull.by_error =
        (by_z + static_cast<double>(run.gradient("gamma").span()[i])) / (rule.share * rule.unit);
  }
  ScheduleParameters::Gradient gradient =
      schedule_gradient(schedule, pulls, parameters.curve_size(), rule);
  gradient.ends.first += terms.first;
  gradient.ends.last += terms.last;
  model_.add_schedule_gradient(gradient, shard.theta, sums.gradient);
}

}  // namespace logpx::vdm
