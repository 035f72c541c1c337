#include "libcore/families/bound_pass.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/ops_sample.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/train/row_noise.hpp"

#include <cmath>
#include <numbers>

namespace logpx {

Pass make_pass(const EncodedModel& model, Graph& graph, std::int64_t rows, std::int64_t copies) {
  return make_pass(model, graph, rows, copies, [&model](const Likelihood::Target& target, Var z) {
    return model.log_likelihood(target, z);
  });
}

Pass make_pass(const EncodedModel& model, Graph& graph, std::int64_t rows, std::int64_t copies,
               const LogLikelihood& log_likelihood) {
  const Likelihood::Target target = model.target(graph, rows, copies);
  const Var noise = graph.input("noise", {copies, rows, model.latent()});
  const EncodedGaussian q = model.encode(target.x);
  const Var z = reparameterise(q.mean, q.log_var, noise);
  return {target, q, noise, z, log_likelihood(target, z)};
}

Var analytic_kl(const EncodedGaussian& q) { return standard_normal_kl(q.mean, q.log_var, 1); }

Var over_draws(Var x) {
  if (x.shape()[0] == 1) return x.reshape({x.shape()[1]});
  return mean(x, 0);
}

void bind_target(const EncodedModel& model, const TrainingRows& rows, const Shard& shard,
                 GraphInputs& inputs) {
  const StepPlace& place = shard.place;
  const RowNoise noise = training_noise(model.reader().rules(), Rng(place.seed),
                                        static_cast<std::uint32_t>(place.epoch));
  const std::span<float> x = inputs.values("x");
  const auto dims = at(model.dims());
  for (std::size_t i = 0; i < shard.rows.size(); ++i)
    rows.take(shard.rows[i], noise, x.subspan(i * dims, dims));
  if (model.likelihood().takes_index()) fill_index(x, inputs.indices("index"));
  model.bind(inputs);
}

void bind_noise(const Shard& shard, std::int64_t latent, GraphInputs& inputs) {
  const std::span<float> all = inputs.values("noise");
  const std::int64_t draws = std::ssize(all) / (shard.count * latent);
  const Substream eps =
      Rng(shard.place.seed).stream(Stream::noise, static_cast<std::uint32_t>(shard.place.step));
  for (std::int64_t i = 0; i < shard.count; ++i)
    for (std::int64_t l = 0; l < draws; ++l)
      fill_normals(eps, static_cast<std::uint64_t>((shard.places[at(i)] * draws + l) * latent),
                   all.subspan(at((l * shard.count + i) * latent), at(latent)));
}

void fill_index(std::span<const float> x, std::span<std::int32_t> index) {
  for (std::size_t i = 0; i < index.size(); ++i)
    index[i] = static_cast<std::int32_t>(x[i % x.size()]);
}

ExecutorPool bound_passes(const EncodedModel& model, const Numerics& numerics) {
  const auto build = [&model](std::int64_t rows, std::int64_t copies) {
    auto graph = std::make_unique<Graph>();
    const Pass pass = make_pass(model, *graph, rows, copies);
    graph->output("recon", pass.recon);
    graph->output("kl", analytic_kl(pass.q));
    name_posterior(*graph, pass.q);
    return graph;
  };
  return {build, {.numerics = numerics}};
}

BoundPass::BoundPass(const EncodedModel& model, ExecutorPool& passes, Size size)
    : model_(model),
      rows_(size.rows),
      copies_(size.copies),
      loan_(passes.lend({size.rows, size.copies})) {}

void BoundPass::run(std::span<const float> theta, const Rng& rng, Numbers numbers) {
  GraphInputs& inputs = loan_.inputs();
  fill_row_noise(inputs.values("noise"), {copies_, rows_, numbers.draw}, [&](std::int64_t row) {
    return rng.stream(Stream::evaluation, static_cast<std::uint32_t>(numbers.row + row));
  });
  if (model_.likelihood().takes_index()) fill_index(inputs.values("x"), inputs.indices("index"));
  model_.bind(inputs);
  loan_.executor().bind_parameters(theta);
  loan_.executor().forward();
}

double BoundPass::recon(std::int64_t draw, std::int64_t row) const {
  return static_cast<double>(output("recon")[static_cast<std::size_t>(draw * rows_ + row)]);
}

double BoundPass::kl(std::int64_t row) const {
  return static_cast<double>(output("kl")[static_cast<std::size_t>(row)]);
}

std::vector<double> BoundPass::drawn_kl(const GaussianMixture& prior) const {
  const std::span<const float> noise = loan_.inputs().values("noise");
  std::vector<double> z(noise.size()), nats(at(copies_ * rows_));
  const auto latent = at(model_.latent());
  std::vector<double> log_q(nats.size());
  for (std::size_t e = 0; e < z.size(); ++e) {
    const std::size_t place = e % mean().size();
    const auto eps = static_cast<double>(noise[e]);
    const auto spread = static_cast<double>(log_var()[place % log_var().size()]);
    z[e] = static_cast<double>(mean()[place]) + std::exp(spread / 2) * eps;
    log_q[e / latent] -= (std::log(2 * std::numbers::pi) + spread + eps * eps) / 2;
  }
  prior.log_density(z, nats);
  for (std::size_t i = 0; i < nats.size(); ++i) nats[i] = log_q[i] - nats[i];
  return nats;
}

void name_posterior(Graph& graph, const EncodedGaussian& q) {
  graph.output("mean", q.mean);
  graph.output("log_var", q.log_var);
}

ItemEncoder item_encoder(const EncodedModel& model, const ChannelsFirst& places, double unit) {
  return {model.param_set(),
          [&model](Graph& graph, std::int64_t rows) {
            name_posterior(graph, model.encode(graph.input("x", {rows, model.dims()})));
          },
          {.places = places, .dims = model.dims(), .latents = model.latent(), .unit = unit}};
}

ExecutorPool encoder_executors(const EncodedModel& model) {
  const auto build = [&model](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    name_posterior(*graph, model.encode(model.target(*graph, rows, 1).x));
    return graph;
  };
  return {build, {}};
}

Posterior encode_rows(const EncodedModel& model, ExecutorPool& encoders, const Examples& examples) {
  single_threaded_kernels();
  const std::int64_t rows = examples.rows.count;
  const ExecutorPool::Loan loan = encoders.lend({rows});
  Executor<float>& run = loan.executor();
  model.reader().take_supported(examples, loan.inputs().values("x"));
  run.bind_parameters(model.param_set().block());
  run.forward();
  Posterior posterior{.count = rows, .dims = model.latent(), .mean = {}, .log_var = {}};
  const auto mean = run.output("mean").span(), log_var = run.output("log_var").span();
  posterior.mean.assign(mean.begin(), mean.end());
  for (std::size_t i = 0; i < mean.size(); ++i)  // one vector for all rows repeats
    posterior.log_var.push_back(log_var[i % log_var.size()]);
  return posterior;
}

}  // namespace logpx
