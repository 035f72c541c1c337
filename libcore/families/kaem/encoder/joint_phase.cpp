// The phase of a joint fit that goes over rows.
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/bound_pass.hpp"
#include "libcore/families/kaem/encoder/joint_training.hpp"
#include "libcore/families/kaem/prior/prior_sums.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/ops_sample.hpp"
#include "libcore/train/graph_phase.hpp"

#include <algorithm>
#include <numbers>

namespace logpx::kaem {
namespace {

Var standard_log_prob(Var v) {
  const Var zero = v.graph().constant(0);
  return gaussian_log_prob(v, zero, zero, 2);
}

}  // namespace

std::unique_ptr<Graph> joint_graph(const JointParts& of, std::int64_t rows) {
  auto graph = std::make_unique<Graph>();
  const KaemModel& model = of.model;
  const std::int64_t draws = of.options.k, all = rows * draws;
  const Likelihood::Target target = model.target(*graph, rows, draws);
  const Var noise = graph->input("noise", {draws, rows, model.latent()});
  const EncodedGaussian q = model.encode(target.x);
  const Var v = reparameterise(q.mean, q.log_var, noise);
  const auto scores = [&step = of.step]() -> const NormalScores& { return *step.scores; };
  const Var s = add(prior_sums(model.prior_form(), scores, v),
                    graph->input("push", {all, model.prior_form().n_q}));
  Decoding decoding;
  if (of.options.train_noise > 0)
    decoding.noise = graph->input("mean_noise", {all, model.generator().noise_size()});
  const Var recon = model.log_prob(target, model.heads(s, decoding));
  const Var log_q = standard_log_prob(noise) - 0.5 * sum(q.log_var, 1);
  const Var weights = recon + standard_log_prob(v) - log_q;
  graph->output("objective", det_log(static_cast<double>(draws)) - logsumexp(weights, 0));
  graph->output("recon", over_draws(recon));
  graph->output("kl", analytic_kl(q));
  graph->output("weights", softmax(weights, 0));
  graph->output("v", v);
  return graph;
}

namespace {

void bind_joint(const JointParts& of, const Shard& shard, GraphInputs& inputs) {
  bind_target(of.model, of.rows, shard, inputs);
  bind_noise(shard, of.model.latent(), inputs);
  std::ranges::fill(inputs.values("push"), 0.0F);
  if (of.options.train_noise == 0) return;
  const std::int64_t draws = of.options.k, size = of.model.generator().noise_size();
  const Substream noise =
      Rng(shard.place.seed).stream(Stream::perturb, static_cast<std::uint32_t>(shard.place.step));
  for (std::int64_t k = 0; k < draws; ++k)
    for (std::int64_t i = 0; i < shard.count; ++i) {
      const std::span<float> own =
          inputs.values("mean_noise").subspan(at((k * shard.count + i) * size), at(size));
      fill_normals(noise, static_cast<std::uint64_t>((shard.places[at(i)] * draws + k) * size),
                   own);
      for (float& value : own) value *= static_cast<float>(of.options.train_noise);
    }
}

// What a draw leaves: v, the slope of the loss by s, its weight.
std::int64_t numbers_of_draw(const KaemModel& model) {
  return model.latent() + model.prior_form().n_q + 1;
}

void gather_draws(const JointParts& of, const Shard& shard, const Executor<float>& run,
                  const ShardSums& sums) {
  const std::size_t latent = at(of.model.latent()), width = at(of.model.prior_form().n_q);
  const std::size_t draws = at(of.options.k), rows = at(shard.count);
  const std::size_t own = draws * at(numbers_of_draw(of.model));
  const auto v = run.output("v").span(), by_s = run.gradient("push").span(),
             weights = run.output("weights").span();
  const std::span<double> all = sums.terms.last(at(shard.step_count) * own);
  for (std::size_t i = 0; i < rows; ++i) {
    auto to = all.subspan((at(shard.first) + i) * own, own).begin();
    for (std::size_t k = 0; k < draws; ++k) {
      const std::size_t from = k * rows + i;
      to = std::ranges::copy(v.subspan(from * latent, latent), to).out;
      to = std::ranges::copy(by_s.subspan(from * width, width), to).out;
      *to++ = static_cast<double>(weights[from]);
    }
  }
}

// u of every score.
void place_draw(const KaemModel& model, JointStep& step, std::size_t draw) {
  const PriorForm& form = model.prior_form();
  PriorDraws& draws = step.points.draws;
  const std::size_t dims = at(form.score_dims()), uniforms = at(form.uniforms());
  const std::size_t each = uniforms / dims;  // of a mixture {component, z}
  for (std::size_t e = 0; e < dims; ++e)
    draws.u[draw * uniforms + e * each + each - 1] =
        det_ndtr(static_cast<double>(step.v[draw * dims + e]));
}

void take_draws(const JointParts& of, const StepPlace& place, const PhaseSums& sums) {
  JointStep& step = of.step;
  const std::size_t latent = at(of.model.latent()), width = at(of.model.prior_form().n_q);
  const std::size_t count = at(place.rows * of.options.k), own = at(numbers_of_draw(of.model));
  step.points.resize(static_cast<std::int64_t>(count));
  step.v.resize(count * latent);
  std::span<const double> rest = sums.terms.last(count * own);
  for (std::size_t draw = 0; draw < count; ++draw) {
    for (std::size_t e = 0; e < latent; ++e)
      step.v[draw * latent + e] = static_cast<float>(rest[e]);
    std::copy_n(rest.begin() + static_cast<std::ptrdiff_t>(latent), width,
                step.points.by_s.begin() + static_cast<std::ptrdiff_t>(draw * width));
    step.points.weights[draw] = rest[own - 1] / static_cast<double>(place.rows);
    rest = rest.subspan(own);
    place_draw(of.model, step, draw);
  }
  if (of.model.prior_form().is_mixture()) take_mixture_draws(of.model.prior_form(), step);
}

double normal_density(double v) {
  return det_exp(-v * v / 2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

}  // namespace

void take_mixture_draws(const PriorForm& form, JointStep& step) {
  PriorDraws& draws = step.points.draws;
  const std::size_t width = at(form.n_q), count = at(draws.count);
  std::vector<double> z(draws.z.size()), slopes(draws.z.size());
  step.scores->to_z(step.v, z, slopes);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t q = 0; q < width; ++q) {
      const std::size_t from = i * width + q, to = q * count + i;
      draws.z[to] = z[from];
      draws.slopes[to] = slopes[from] / normal_density(static_cast<double>(step.v[from]));
    }
}

std::unique_ptr<Phase> joint_phase(const JointParts& of) {
  GraphPhaseParts parts;
  parts.build = [of](std::int64_t rows, std::int64_t) { return joint_graph(of, rows); };
  parts.bind = [of](const Shard& shard, GraphInputs& inputs) { bind_joint(of, shard, inputs); };
  parts.from = "objective";
  parts.inputs = {"push"};
  parts.after = [of](const Shard& shard, const Executor<float>& run, const ShardSums& sums) {
    gather_draws(of, shard, run, sums);
  };
  parts.finish = [of](const StepPlace& place, const PhaseSums& sums) {
    take_draws(of, place, sums);
  };
  PhaseSettings settings{.name = "bound",
                         .terms = {"objective", "recon", "kl"},
                         .sums_per_row = of.options.k * numbers_of_draw(of.model),
                         .writes = {"encoder"},
                         .update = of.options.trains("prior") ? Update::none : Update::optimizer};
  if (of.options.trains("generator")) settings.writes.emplace_back("generator");
  return std::make_unique<GraphPhase>(std::move(settings), std::move(parts));
}

}  // namespace logpx::kaem
