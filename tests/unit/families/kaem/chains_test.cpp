// Training by Langevin chains against integrals.   [kaem/README 7]
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/kaem/chains/chain_training.hpp"
#include "libcore/families/kaem/chains/chain_walk.hpp"
#include "libcore/families/registry.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_kaem.hpp"
#include "tests/support/kaem_updates.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <optional>

namespace logpx::chains_test {

using namespace logpx::golden_kaem;
using namespace logpx::kaem;

namespace {

// The golden model of one latent whose three z share their uniform, and its first row.
struct SharedScene {
  HeldRows held;
  std::unique_ptr<KaemModel> model;
};
std::optional<SharedScene> shared_scene() {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return {};
  const Json& json = entry->at("kart_nz1");
  const Numbers x = numbers(json.at("data").at(0).at("x"));
  SharedScene scene{one_row(real_vectors(x.size()), x), nullptr};
  scene.model = model_of(json, config_of(json, PriorKind::univariate, CouplingChoice::shared),
                         scene.held.info);
  return scene;
}

// log p(x|z(u)) at the middles of n equal pieces of (0,1), by the model's normal scores.
struct UniformGrid {
  Numbers log_likelihood;
  std::vector<double> z;  // [n,Q]
};
UniformGrid on_uniform_grid(const SharedScene& scene, std::int64_t n) {
  const std::int64_t latents = scene.model->prior_form().n_q;
  UniformGrid grid{Numbers(at(n)), std::vector<double>(at(n * latents))};
  std::vector<float> v(at(n));
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    double low = -9, high = 9;
    for (int step = 0; step < 60; ++step)
      (det_ndtr((low + high) / 2) < u ? low : high) = (low + high) / 2;
    v[i] = static_cast<float>(low);
  }
  scene.model->scores().to_z(v, grid.z, {});
  const auto joint = abilities(*scene.model).latents->joint(scene.held.examples(), n);
  Numbers log_prior(at(n));
  joint->evaluate(v, {.log_prior = log_prior, .log_likelihood = grid.log_likelihood}, {});
  return grid;
}

// E_t over the grid: weights e^(t l), normalised.
Numbers weights_at(const UniformGrid& grid, double t) {
  Numbers w;
  for (const double l : grid.log_likelihood) w.push_back(std::exp(t * l));
  const double sum = std::accumulate(w.begin(), w.end(), 0.0);
  for (double& value : w) value /= sum;
  return w;
}

FitOptions chain_options(PosteriorKind posterior, Support support) {
  FitOptions options;
  options.train_noise = 0;
  options.no_grid_update = true;
  options.langevin.posterior = posterior;
  options.langevin.support = support;
  options.langevin.steps = 30;
  return options;
}

// Means and standard errors of columns.
struct Means {
  std::vector<double> sum, squares;
  double count = 0;
  void add(std::span<const double> row) {
    sum.resize(row.size());
    squares.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      sum[i] += row[i];
      squares[i] += row[i] * row[i];
    }
    count += 1;
  }
  [[nodiscard]] double mean(std::size_t i) const { return sum[i] / count; }
  [[nodiscard]] double error(std::size_t i) const {
    return std::sqrt(std::max(squares[i] / count - mean(i) * mean(i), 0.0) / count);
  }
};

}  // namespace

TEST_CASE("chains: MALA in logits of shared uniforms has the posterior mean of z") {
  const std::optional<SharedScene> scene = shared_scene();
  if (!scene) return;
  const UniformGrid grid = on_uniform_grid(*scene, 2000);
  const Numbers w = weights_at(grid, 1);
  FitOptions options = chain_options(PosteriorKind::mala, Support::u_space);
  options.langevin.eta = 0.5;
  options.its = Inversion::exact;
  const TrainingRows rows(scene->model->reader(), scene->held.examples());
  ChainStep step(*scene->model, options, 1);
  const ChainParts parts{*scene->model, options, step, rows};
  const auto starts = starts_phase(parts), chains = chains_phase(parts);
  const std::vector<Phase*> phases = {starts.get(), chains.get()};
  Means means;
  for (std::int64_t update = 0; update < 20; ++update) {
    run_phases(phases, scene->model->param_set(), {update, 200});
    for (std::size_t i = 0; i < 200; ++i) {
      Numbers z;
      for (std::size_t q = 0; q < 3; ++q) z.push_back(step.points.draws.z[q * 200 + i]);
      means.add(z);
    }
  }
  for (std::size_t q = 0; q < 3; ++q) {
    double expected = 0, of_prior = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      expected += w[i] * grid.z[3 * i + q];
      of_prior += grid.z[3 * i + q] / static_cast<double>(w.size());
    }
    CHECK(std::abs(means.mean(q) - expected) <= 5 * means.error(q));
    CHECK(std::abs(of_prior - expected) > 8 * means.error(q));  // prior draws would fail
  }
}

TEST_CASE("chains: a prior of shared uniforms learns pathwise, as log p(x) says") {
  const std::optional<SharedScene> scene = shared_scene();
  if (!scene) return;
  FitOptions options = chain_options(PosteriorKind::mala, Support::u_space);
  options.langevin.eta = 0.5;
  const auto log_evidence = [&] {
    scene->model->renew();
    const UniformGrid grid = on_uniform_grid(*scene, 2000);
    double sum = 0;
    for (const double l : grid.log_likelihood) sum += std::exp(l);
    return std::log(sum / 2000);
  };
  KaemTask task(*scene->model, options, {.train = scene->held.examples()});
  ParamSet& params = scene->model->param_set();
  const std::vector<std::string> names = {"prior/w_base", "prior/w_spline",
                                          "generator/layer0/w_base"};
  Means means;
  for (std::int64_t update = 0; update < 80; ++update) {
    const std::vector<float> gradient = gradient_of_update(task, {update, 100});
    Numbers row;
    for (const std::string& name : names)
      for (std::int64_t i = 0; i < 3; ++i)
        row.push_back(
            static_cast<double>(gradient[at(params.infos()[at(params.find(name))].offset + i)]));
    means.add(row);
  }
  for (std::size_t i = 0; i < 9; ++i) {
    float& number = params.view(params.find(names[i / 3])).span()[i % 3];
    const float before = number, step = 0.02F;
    number = before + step;
    const double up = log_evidence();
    number = before - step;
    const double down = log_evidence();
    number = before;
    const double slope = (up - down) / (2 * static_cast<double>(step));
    CAPTURE(i);
    CAPTURE(means.mean(i));
    CHECK(std::abs(means.mean(i) - slope) <= 5 * means.error(i) + 0.02 * std::abs(slope) + 2e-4);
  }
}

TEST_CASE("chains: se adds up dt_k times the mean gradient at each temperature") {
  const std::optional<SharedScene> scene = shared_scene();
  if (!scene) return;
  ParamSet& params = scene->model->param_set();
  const int tensor = params.find("generator/layer0/w_base");
  const UniformGrid at_start = on_uniform_grid(*scene, 2000);
  for (const TiRule rule : {TiRule::left, TiRule::right, TiRule::trapezoid}) {
    FitOptions options = chain_options(PosteriorKind::mala, Support::u_space);
    options.freeze = {"prior"};
    options.langevin.objective = Objective::se;
    options.langevin.ti_rule = rule;
    options.langevin.temps = 3;
    options.langevin.power = {.start = 2, .end = 2};
    options.langevin.eta = 0.5;
    KaemTask task(*scene->model, options, {.train = scene->held.examples()});
    Means means;
    for (std::int64_t update = 0; update < 60; ++update) {
      const std::vector<float> gradient = gradient_of_update(task, {update, 100});
      const std::span<const float> own =
          params.view(tensor, std::span<const float>(gradient)).span();
      means.add(Numbers(own.begin(), own.end()));
    }
    const Numbers t = options.langevin.temperatures(0, 0),
                  shares = rung_shares(options.langevin, t);
    CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == doctest::Approx(1));
    for (std::size_t i = 0; i < 3; ++i) {
      float& number = params.view(tensor).span()[i];
      const float before = number, step = 0.02F;
      number = before + step;
      const UniformGrid up = on_uniform_grid(*scene, 2000);
      number = before - step;
      const UniformGrid down = on_uniform_grid(*scene, 2000);
      number = before;
      double expected = 0;
      for (std::size_t k = 0; k < t.size(); ++k) {
        const Numbers w = weights_at(at_start, t[k]);
        for (std::size_t j = 0; j < w.size(); ++j)
          expected += shares[k] * w[j] * (up.log_likelihood[j] - down.log_likelihood[j]) /
                      (2 * static_cast<double>(step));
      }
      CAPTURE(static_cast<int>(rule));
      CAPTURE(means.mean(i));
      CHECK(std::abs(means.mean(i) - expected) <=
            5 * means.error(i) + 0.02 * std::abs(expected) + 2e-4);
    }
  }
}

namespace {

// Two narrow modes of p(x|z) under a flat prior on [-1.5,1.5], of weights 0.7 and 0.3.
double two_modes(double s, double& slope) {
  const double right = (s - 1) / 0.15, left = (s + 1) / 0.15;
  const double a = 0.3 * std::exp(-right * right / 2), b = 0.7 * std::exp(-left * left / 2);
  const double tiny = 1e-12 * std::exp(-s * s / 2);
  slope = -(a * right / 0.15 + b * left / 0.15 + tiny * s) / (a + b + tiny);
  return std::log(a + b + tiny);
}

// The share of chains in the right mode, all of which start in the left one.
double share_of_right_mode(const LangevinOptions& options, std::int64_t rungs) {
  PriorForm form(PriorKind::univariate, 1, 1);
  form.coupling = Coupling::independent;
  form.energies.base = BaseMeasure::none;
  form.energies.activation = Activation::none;
  form.energies.curves.intervals = 2;
  const PriorValues values(form);
  const std::vector<double> log_z = {std::log(3.0)};
  const Numbers all = power_temperatures(rungs, 2);
  const std::span<const double> t = std::span(all).subspan(1);
  constexpr std::size_t rows = 200;
  std::vector<std::int64_t> numbers_of_rows(rows);
  std::iota(numbers_of_rows.begin(), numbers_of_rows.end(), 0);
  const auto likelihood = [&](std::span<const float> s, std::span<double> log_likelihood,
                              std::span<float> by_s) {
    for (std::size_t c = 0; c < s.size(); ++c) {
      double slope = 0;
      log_likelihood[c] = two_modes(static_cast<double>(s[c]), slope);
      by_s[c] = static_cast<float>(t[c / rows] * slope);
    }
  };
  const auto space = z_space(values, log_z);
  const Shard shard{.place = {.seed = 3},
                    .count = rows,
                    .step_count = rows,
                    .rows = numbers_of_rows,
                    .places = numbers_of_rows};
  ChainWalk walk({*space, form, likelihood, t, Box{{-1.5}, {1.5}}}, options, {options.eta}, shard);
  walk.start(Numbers(t.size() * rows, -1.0));
  for (std::int64_t i = 0; i < options.steps; ++i) walk.move(i);
  double right = 0;
  for (const double z : std::span(walk.places()).last(rows)) right += z > 0 ? 1.0 / rows : 0;
  if (rungs > 1 && options.swap != SwapRule::off)
    for (std::size_t k = 0; k + 1 < t.size(); ++k)
      CHECK(walk.outcome().exchanged[k] > 0.05 * walk.outcome().tried[k]);
  return right;
}

}  // namespace

TEST_CASE("chains: exchanges between temperatures find the mode that plain chains miss") {
  LangevinOptions options;
  options.posterior = PosteriorKind::ula;
  options.support = Support::reflect;
  options.eta = 0.004;
  options.steps = 4000;
  CHECK(share_of_right_mode(options, 1) == 0);
  for (const SwapRule swap : {SwapRule::random, SwapRule::alternating}) {
    options.swap = swap;
    CHECK(std::abs(share_of_right_mode(options, 5) - 0.3) < 0.1);
  }
  options.swap = SwapRule::off;
  CHECK(share_of_right_mode(options, 5) == 0);
}

}  // namespace logpx::chains_test
