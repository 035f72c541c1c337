// The closed forms of Gaussian data in tests/golden/vdm.json.
#include "libcore/base/index.hpp"
#include "libcore/families/vdm/flow/probability_flow.hpp"
#include "libcore/families/vdm/grids/step_knobs.hpp"
#include "libcore/families/vdm/reconstruction.hpp"
#include "tests/support/gauss_closed_forms.hpp"
#include "tests/support/gauss_diffusion.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

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
  double rest = 0;
  for (std::size_t d = 0; d < given.lambda.size(); ++d) {
    const double lambda = given.lambda[d];
    const auto u = [&](double gamma) { return 1 + lambda * std::exp(-gamma); };
    const double u0 = u(given.ends.first), u1 = u(given.ends.last);
    const double term =
        0.5 * (std::log(u0 / u1) + (given.x[d] * given.x[d] / lambda - 1) * (1 / u1 - 1 / u0));
    CHECK(agree(term, golden::real(item->at("L_inf_x").at(d))));
    CHECK(agree(0.5 * std::log(u0 / u1), golden::real(item->at("E_L_inf").at(d))));
    rest += term + Process::prior_nats(given.ends.last, given.x[d]);
    CHECK(
        agree(expected_real_nats(given.ends.first), golden::real(item->at("recon_nats_per_dim"))));
  }
  const auto dims = static_cast<double>(given.lambda.size());
  CHECK(agree(rest + dims * expected_real_nats(given.ends.first),
              golden::real(item->at("neg_vlb_x_inf"))));
}

TEST_CASE("golden/vdm/schedule_variance") {
  const Json* const item = golden::field("vdm", "schedule_variance");
  if (!item) return;
  const double lambda = golden::real(item->at("lambda_")), x = golden::real(item->at("x"));
  const Endpoints ends{golden::real(item->at("gamma_0")), golden::real(item->at("gamma_1"))};
  const auto root = [&](double gamma) { return std::sqrt(ErrorAt(lambda, x, gamma).second()); };
  const double whole = quadrature([&](double s) { return root(ends.first + ends.gap() * s); });
  const std::vector<double> gammas = numbers(item->at("optimal_density_gamma"));
  for (std::size_t i = 0; i < gammas.size(); ++i)
    CHECK(agree(root(gammas[i]) / (whole * ends.gap()),
                golden::real(item->at("optimal_density").at(i)), 1e-5));
  for (const Json& one : item->at("per_x").items()) {
    const std::string name = one.at("schedule").string();
    CAPTURE(name);
    const double mean_given = golden::real(one.at("mean_nats"));
    const double variance_given = golden::real(one.at("var_nats2"));
    if (name != "logsnr_linear" && name != "beta_linear" && name != "alpha_cosine") {
      const double half = 0.5 * whole * ends.gap();
      CHECK(agree(half * half - mean_given * mean_given, variance_given, 1e-5));
      continue;
    }
    const TimeIntegral integral(schedule_of(name == "logsnr_linear" ? CurveKind::linear
                                            : name == "beta_linear" ? CurveKind::beta_linear
                                                                    : CurveKind::alpha_cosine,
                                            ends));
    // both ends are met gently: t = u^2 (3 - 2 u)
    const auto over_time = [&](auto f) {
      return quadrature(
          [&](double u) { return 6 * u * (1 - u) * f(integral.at(u * u * (3 - 2 * u))); });
    };
    const double mean = over_time([&](const TimePoint& point) {
      return point.weight * ErrorAt(lambda, x, point.gamma).first();
    });
    const double square = over_time([&](const TimePoint& point) {
      return point.weight * point.weight * ErrorAt(lambda, x, point.gamma).second();
    });
    CHECK(agree(mean, mean_given, 1e-5));
    CHECK(agree(mean, golden::real(item->at("L_x")), 1e-5));
    CHECK(agree(square - mean * mean, variance_given, 1e-5));
  }
}

}  // namespace logpx::vdm_gaussian_test
