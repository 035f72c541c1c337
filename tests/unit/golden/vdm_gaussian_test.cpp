// The closed forms of Gaussian data in tests/golden/vdm.json.
#include "libcore/base/index.hpp"
#include "libcore/families/vdm/flow/probability_flow.hpp"
#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/networks/linear_gauss.hpp"
#include "libcore/families/vdm/process.hpp"
#include "tests/support/gauss_closed_forms.hpp"
#include "tests/support/gauss_diffusion.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace logpx::vdm_gaussian_test {

using namespace logpx::vdm;
using namespace logpx::gauss_diffusion;

namespace {

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

bool agree(double computed, double expected, double tolerance = 1e-9) {
  return std::abs(computed - expected) <= tolerance * std::abs(expected) + 1e-12;
}

// By the midpoint rule, from 0 to 1.
double quadrature(const std::function<double(double)>& f) {
  constexpr int nodes = 20000;
  double sum = 0;
  for (int i = 0; i < nodes; ++i) {
    const double u = (i + 0.5) / nodes;
    sum += f(u);
  }
  return sum / nodes;
}

// A schedule by the file's name for it; nothing for the optimum.
std::optional<CurveKind> kind_of(const std::string& name) {
  if (name == "logsnr_linear") return CurveKind::linear;
  if (name == "beta_linear") return CurveKind::beta_linear;
  if (name == "alpha_cosine") return CurveKind::alpha_cosine;
  return std::nullopt;
}

// The mean of f over times; nodes t = u^2 (3 - 2 u) lie closer together near both ends.
double over_time(const TimeIntegral& integral, const std::function<double(const TimePoint&)>& f) {
  return quadrature(
      [&](double u) { return 6 * u * (1 - u) * f(integral.at(u * u * (3 - 2 * u))); });
}

struct Golden {
  std::vector<double> lambda, x;
  Endpoints ends;
  explicit Golden(const Json& item)
      : lambda(numbers(item.at("lambda_"))),
        x(numbers(item.at("x"))),
        ends{golden::real(item.at("gamma_0")), golden::real(item.at("gamma_1"))} {}
};

void check_steps(const Golden& given, const Json& item, CurveKind kind, std::int64_t steps) {
  const NoiseSchedule schedule = schedule_of(kind, given.ends);
  const std::vector<double> gammas = uniform_grid(schedule, steps);
  const TimeIntegral integral(schedule, gammas);
  const Process process;
  double total = 0, exact = 0, exact_mean = 0, bound_mean = 0;
  for (std::size_t d = 0; d < given.lambda.size(); ++d) {
    CAPTURE(d);
    const double lambda = given.lambda[d], x = given.x[d];
    const double term = discrete_term(integral, lambda, x);
    CHECK(agree(term, golden::real(item.at("L_T_x").at(d)), 1e-8));
    const double mean_term = discrete_term(integral, lambda, std::sqrt(lambda));
    CHECK(agree(mean_term, golden::real(item.at("E_L_T").at(d)), 1e-8));
    const double variance = variance_of_first(gammas, lambda);
    CHECK(agree(variance, golden::real(item.at("model_var_z0").at(d))));
    const double of_x = variance / process.at(given.ends.first).alpha2 + std::exp(given.ends.first);
    total += term + Process::prior_nats(given.ends.last, x) + expected_real_nats(given.ends.first);
    bound_mean += mean_term + Process::prior_nats(given.ends.last, std::sqrt(lambda)) +
                  expected_real_nats(given.ends.first);
    exact += normal_nats(x, of_x);
    exact_mean += normal_nats(std::sqrt(lambda), of_x);
  }
  CHECK(agree(total, golden::real(item.at("neg_vlb_x")), 1e-8));
  CHECK(agree(bound_mean, golden::real(item.at("E_neg_vlb")), 1e-8));
  CHECK(agree(exact, golden::real(item.at("exact_nll_x"))));
  CHECK(agree(exact_mean, golden::real(item.at("E_exact_nll"))));
}

void check_flow(const Golden& given, const Json& item) {
  const std::vector<double> first = numbers(item.at("z_0")), last = numbers(item.at("z_1"));
  const gauss_diffusion::GaussPredictor predictor(given.lambda);
  const Denoiser denoiser(predictor, {});
  const ProbabilityFlow flow(denoiser, given.ends);
  for (const FlowSteps& steps : {FlowSteps{.count = 100}, FlowSteps{.tolerance = 1e-7}}) {
    CAPTURE(steps.tolerance);
    std::vector<double> z = last;
    flow.to_data(z, {}, steps);
    for (std::size_t d = 0; d < z.size(); ++d) CHECK(std::abs(z[d] - first[d]) <= 1e-4);
    const double expected = golden::real(item.at("log_p_ode_z0"));
    CHECK(std::abs(flow.log_density({.z = first}, steps)[0] - expected) <= 1e-4);
    // a slope without mixed terms has the same trace in every direction
    const std::vector<double> signs = {1, -1, -1, 1};
    CHECK(std::abs(flow.log_density({.z = first, .directions = signs}, steps)[0] - expected) <=
          1e-4);
  }
}

}  // namespace

TEST_CASE("golden/vdm/gaussian") {
  const Json* const item = golden::field("vdm", "gaussian");
  if (!item) return;
  const Golden given(*item);
  for (const Json& one : item->at("by_T").items()) {
    const std::int64_t steps = one.at("T").integer();
    CAPTURE(steps);
    check_steps(given, one.at("logsnr_linear"), CurveKind::linear, steps);
    check_steps(given, one.at("beta_linear"), CurveKind::beta_linear, steps);
  }
  check_flow(given, item->at("pf_ode"));
  double rest = 0, mean = 0, entropy = 0, recon_gap = 0, prior_gap = 0;
  const NoiseLevel last = Process{}.at(given.ends.last);
  for (std::size_t d = 0; d < given.lambda.size(); ++d) {
    const double lambda = given.lambda[d];
    const auto u = [&](double gamma) { return 1 + lambda * std::exp(-gamma); };
    const double u0 = u(given.ends.first), u1 = u(given.ends.last);
    const double term =
        0.5 * (std::log(u0 / u1) + (given.x[d] * given.x[d] / lambda - 1) * (1 / u1 - 1 / u0));
    CHECK(agree(term, golden::real(item->at("L_inf_x").at(d))));
    CHECK(agree(0.5 * std::log(u0 / u1), golden::real(item->at("E_L_inf").at(d))));
    rest += term + Process::prior_nats(given.ends.last, given.x[d]);
    mean += 0.5 * std::log(u0 / u1) + expected_real_nats(given.ends.first) +
            Process::prior_nats(given.ends.last, std::sqrt(lambda));
    const double spread = last.alpha2 * lambda + last.sigma2;
    entropy += 0.5 * (std::log(2 * std::numbers::pi * lambda) + 1);
    recon_gap += 0.5 * std::log1p(std::exp(given.ends.first) / lambda);
    prior_gap += 0.5 * (spread - 1 - std::log(spread));
    CHECK(
        agree(expected_real_nats(given.ends.first), golden::real(item->at("recon_nats_per_dim"))));
  }
  CHECK(agree(mean, golden::real(item->at("E_neg_vlb_inf"))));
  CHECK(agree(entropy, golden::real(item->at("entropy"))));
  CHECK(agree(recon_gap, golden::real(item->at("recon_gap"))));
  CHECK(agree(prior_gap, golden::real(item->at("prior_gap")), 1e-7));
  CHECK(agree(entropy + recon_gap + prior_gap, mean));
  const auto dims = static_cast<double>(given.lambda.size());
  CHECK(agree(rest + dims * expected_real_nats(given.ends.first),
              golden::real(item->at("neg_vlb_x_inf"))));
}

TEST_CASE("golden/vdm/gaussian/denoiser_2d") {
  const Json* const item = golden::field("vdm", "gaussian");
  if (!item) return;
  const Json& given = item->at("denoiser_2d");
  LinearGauss net(2);
  net.take(numbers(given.at("mean")), numbers(given.at("cov")));
  const ParamSet none;
  for (const Json& one : given.at("cases").items()) {
    golden_layer::Case layer;
    layer.inputs = {{"z", {{1, 2}, numbers(given.at("z"))}},
                    {"gamma", {{1}, {golden::real(one.at("gamma"))}}}};
    layer.wanted = {"z"};
    layer.upstream = {1, 1};
    layer.build = [&](Graph& graph) {
      return net(none, {.z = graph.input("z", {1, 2}), .gamma = graph.input("gamma", {1})},
                 BlockPass::evaluation);
    };
    const std::vector<double> expected = numbers(one.at("eps_hat"));
    golden_layer::check_close("eps_hat", golden_layer::compute<double>(layer).y, expected, 1e-9);
    golden_layer::check_close("eps_hat", golden_layer::compute<float>(layer).y, expected, 2e-5);
  }
}

TEST_CASE("golden/vdm/schedule_variance") {
  const Json* const item = golden::field("vdm", "schedule_variance");
  if (!item) return;
  const double lambda = golden::real(item->at("lambda_")), x = golden::real(item->at("x"));
  const Endpoints ends{golden::real(item->at("gamma_0")), golden::real(item->at("gamma_1"))};
  const auto root = [&](double gamma) { return std::sqrt(ErrorAt(lambda, x, gamma).second()); };
  const double whole = quadrature([&](double s) { return root(ends.first + ends.gap() * s); });
  for (const Json& one : item->at("second_moment_over_x").items()) {
    const std::string name = one.at("schedule").string();
    CAPTURE(name);
    // Over x, the error has variance sigma(ln lambda - gamma), and its fourth moment is three times
    // the square of that.
    const auto share = [&](double gamma) { return 1 / (1 + std::exp(gamma) / lambda); };
    const double half =
        0.5 * ends.gap() * quadrature([&](double s) { return share(ends.first + ends.gap() * s); });
    const std::optional<CurveKind> kind = kind_of(name);
    double square = 3 * half * half;  // at the optimum
    if (kind) {
      const TimeIntegral integral(schedule_of(*kind, ends));
      square = over_time(integral, [&](const TimePoint& point) {
        return 3 * point.weight * point.weight * share(point.gamma) * share(point.gamma);
      });
    }
    CHECK(agree(square, golden::real(one.at("E_L2")), 1e-5));
  }
  const std::vector<double> gammas = numbers(item->at("optimal_density_gamma"));
  for (std::size_t i = 0; i < gammas.size(); ++i)
    CHECK(agree(root(gammas[i]) / (whole * ends.gap()),
                golden::real(item->at("optimal_density").at(i)), 1e-5));
  for (const Json& one : item->at("per_x").items()) {
    const std::string name = one.at("schedule").string();
    CAPTURE(name);
    const double mean_given = golden::real(one.at("mean_nats"));
    const double variance_given = golden::real(one.at("var_nats2"));
    const std::optional<CurveKind> kind = kind_of(name);
    if (!kind) {
      const double half = 0.5 * whole * ends.gap();
      CHECK(agree(half * half - mean_given * mean_given, variance_given, 1e-5));
      continue;
    }
    const TimeIntegral integral(schedule_of(*kind, ends));
    const double mean = over_time(integral, [&](const TimePoint& point) {
      return point.weight * ErrorAt(lambda, x, point.gamma).first();
    });
    const double square = over_time(integral, [&](const TimePoint& point) {
      return point.weight * point.weight * ErrorAt(lambda, x, point.gamma).second();
    });
    CHECK(agree(mean, mean_given, 1e-5));
    CHECK(agree(mean, golden::real(item->at("L_x")), 1e-5));
    CHECK(agree(square - mean * mean, variance_given, 1e-5));
  }
}

}  // namespace logpx::vdm_gaussian_test
