// The forward process, the term of z_0 and the fitted grids of tests/golden/vdm.json.
#include "libcore/families/vdm/grids/fitted_grid.hpp"
#include "libcore/families/vdm/process.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace logpx::vdm_process_test {

using namespace logpx::vdm;

namespace {

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

bool agree(double computed, double expected, double tolerance = 1e-9) {
  return std::abs(computed - expected) <= tolerance * std::abs(expected) + 1e-12;
}

using Each = std::function<double(std::size_t)>;
void check_list(const char* name, const Json& expected, const Each& computed,
                double tolerance = 1e-9) {
  CAPTURE(name);
  const std::vector<double> values = numbers(expected);
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    CAPTURE(values[i]);
    CHECK(agree(computed(i), values[i], tolerance));
  }
}

double square_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

void check_transition(const Json& item) {
  const auto list = [&](const char* name) { return numbers(item.at(name)); };
  const double gamma_s = golden::real(item.at("gamma_s")),
               gamma_t = golden::real(item.at("gamma_t"));
  CAPTURE(gamma_t);
  const Process process;
  const Transition step = transition(process.at(gamma_s), process.at(gamma_t));
  const std::vector<double> x = list("x"), eps = list("eps"), hat = list("eps_hat"),
                            z = list("z_t"), noise = list("noise");
  check_list("z_t", item.at("z_t"),
             [&](std::size_t d) { return step.t.alpha * x[d] + step.t.sigma * eps[d]; });
  CHECK(agree(step.carry, golden::real(item.at("alpha_ts"))));
  CHECK(agree(step.diffusion * step.diffusion, golden::real(item.at("var_ts"))));
  CHECK(agree(step.deviation * step.deviation, golden::real(item.at("post_var"))));
  // z is given to 15 digits, the noise in it to fewer
  check_list("post_mean", item.at("post_mean"),
             [&](std::size_t d) { return step.mean_by_clean(z[d], x[d]); });
  check_list("post_mean by noise", item.at("post_mean"),
             [&](std::size_t d) { return step.mean_by_noise(z[d], noise_of(step.t, z[d], x[d])); });
  check_list("x_hat", item.at("x_hat"),
             [&](std::size_t d) { return clean_of(step.t, z[d], hat[d]); });
  check_list("model_mean", item.at("model_mean"),
             [&](std::size_t d) { return step.mean_by_noise(z[d], hat[d]); });
  check_list("model_mean_clipped_x", item.at("model_mean_clipped_x"), [&](std::size_t d) {
    return step.mean_by_clean(z[d], std::clamp(clean_of(step.t, z[d], hat[d]), -1.0, 1.0));
  });
  check_list("z_s_sample", item.at("z_s_sample"), [&](std::size_t d) {
    return step.mean_by_noise(z[d], hat[d]) + step.deviation * noise[d];
  });
  const double kl = golden::real(item.at("kl_nats"));
  CHECK(agree(step.kl_by_noise(square_distance(eps, hat)), kl, 1e-7));
  std::vector<double> x_hat;
  for (std::size_t d = 0; d < x.size(); ++d) x_hat.push_back(clean_of(step.t, z[d], hat[d]));
  CHECK(agree(step.kl_by_clean(square_distance(x, x_hat)), kl, 1e-7));
}

// ln p over all levels, straight from the definition.
std::vector<double> all_log_p(std::int64_t levels, double gamma_0, double r) {
  std::vector<double> logits;
  for (std::int64_t k = 0; k < levels; ++k) {
    const double off = r - value_of_level(k, levels);
    logits.push_back(-0.5 * std::exp(-gamma_0) * off * off);
  }
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  for (double& logit : logits) logit -= largest + std::log(sum);
  return logits;
}

}  // namespace

TEST_CASE("golden/vdm/alpha_sigma") {
  const Json* const item = golden::field("vdm", "alpha_sigma");
  if (!item) return;
  const std::vector<double> gamma = numbers(item->at("gamma"));
  const auto level = [&](std::size_t i) { return Process{}.at(gamma[i]); };
  check_list("alpha", item->at("alpha"), [&](std::size_t i) { return level(i).alpha; });
  check_list("sigma", item->at("sigma"), [&](std::size_t i) { return level(i).sigma; });
  check_list("snr", item->at("snr"),
             [&](std::size_t i) { return level(i).alpha2 / level(i).sigma2; });
  check_list("log_sigma2", item->at("log_sigma2"),
             [&](std::size_t i) { return level(i).log_sigma2; });
  check_list("log_alpha2", item->at("log_alpha2"),
             [&](std::size_t i) { return level(i).log_alpha2; });
}

TEST_CASE("golden/vdm/transitions") {
  const Json* const items = golden::field("vdm", "transitions");
  if (!items) return;
  for (const Json& item : items->items()) check_transition(item);
}

TEST_CASE("golden/vdm/reconstruction") {
  const Json* const item = golden::field("vdm", "reconstruction");
  if (!item) return;
  for (const Json& one : item->at("cases").items()) {
    const std::int64_t levels = one.at("V").integer();
    const double gamma_0 = golden::real(one.at("gamma_0"));
    CAPTURE(gamma_0);
    const LevelDecoder decoder(levels, gamma_0);
    const std::vector<double> r = numbers(one.at("z0_over_alpha0")), eps = numbers(one.at("eps_0"));
    check_list("z0_over_alpha0", one.at("z0_over_alpha0"), [&](std::size_t i) {
      return value_of_level(one.at("k").at(i).integer(), levels) + std::exp(gamma_0 / 2) * eps[i];
    });
    // r has 15 digits, which e^-gamma_0 times the distance of two levels makes fewer
    check_list(
        "logp_true", one.at("logp_true"),
        [&](std::size_t i) { return decoder.log_probability(one.at("k").at(i).integer(), r[i]); },
        1e-8);
    check_list("all_logp_row2", one.at("all_logp_row2"), [&](std::size_t k) {
      return decoder.log_probability(static_cast<std::int64_t>(k), r[2]);
    });
    std::vector<double> weights(at(levels));
    for (std::size_t i = 0; i < r.size(); ++i) {
      decoder.weights(r[i], weights);
      CHECK(std::ranges::max_element(weights) - weights.begin() ==
            one.at("argmax").at(i).integer());
    }
  }
  for (const Json& one : item->at("expected").items()) {
    const std::int64_t levels = one.at("V").integer();
    const double gamma_0 = golden::real(one.at("gamma_0")), deviation = std::exp(gamma_0 / 2);
    const LevelDecoder decoder(levels, gamma_0);
    constexpr int points = 161;  // of the trapezoid rule, from -8 to 8
    double sum = 0, weight_sum = 0;
    for (int i = 0; i < points; ++i) {
      const double eps = -8 + 0.1 * i, weight = std::exp(-0.5 * eps * eps);
      weight_sum += weight;
      for (std::int64_t k = 0; k < levels; ++k)
        sum -= weight * decoder.log_probability(k, value_of_level(k, levels) + deviation * eps);
    }
    const double bits = sum / (weight_sum * static_cast<double>(levels) * std::numbers::ln2);
    CHECK(agree(bits, golden::real(one.at("mean_bits_uniform_k")), 1e-6));
  }
}

TEST_CASE("vdm: the term of z_0 leaves out levels without a trace, near and far from all of them") {
  for (const std::int64_t levels : {2, 32, 256})
    for (const double gamma_0 : {-25.0, -16.0, -13.3, -10.0, -7.5, -5.0, -1.0})
      for (const double r : {-9.0, -1.3, -1.0, -0.42, 0.0, 1.0 / 256, 0.77, 0.9990234375, 4.0}) {
        CAPTURE(levels);
        CAPTURE(gamma_0);
        CAPTURE(r);
        const LevelDecoder decoder(levels, gamma_0);
        const std::vector<double> all = all_log_p(levels, gamma_0, r);
        // what the definition itself loses to rounding
        const double size = std::exp(-gamma_0) * (1 + std::abs(r)) * (1 + std::abs(r));
        double worst = 0, mean = 0;
        for (std::int64_t k = 0; k < levels; ++k) {
          worst = std::max(worst, std::abs(decoder.log_probability(k, r) - all[at(k)]));
          mean += std::exp(all[at(k)]) * static_cast<double>(k);
        }
        CHECK(worst <= 1e-12 + 4e-16 * size);
        CHECK(std::abs(decoder.mean_level(r) - mean) <= 1e-9 + 4e-16 * size);
      }
}

TEST_CASE("vdm: draws of p(x|z_0) follow its probabilities") {
  const LevelDecoder decoder(16, -4);
  const double r = 0.21;
  for (std::int64_t k = 0; k < 16; ++k) {
    constexpr int draws = 20000;
    int hits = 0;
    for (int i = 0; i < draws; ++i) hits += decoder.draw(r, (i + 0.5) / draws) == k;
    CHECK(std::abs(static_cast<double>(hits) / draws - std::exp(decoder.log_probability(k, r))) <=
          1.0 / draws);
  }
}

TEST_CASE("vdm: slopes of the term of z_0 are those of finite differences") {
  constexpr double h = 1e-6;
  for (const double gamma_0 : {-13.0, -9.0, -4.0})
    for (const double r : {-1.02, -0.3, 0.5})
      for (const std::int64_t k : {0, 89, 190, 255}) {
        const LevelDecoder decoder(256, gamma_0), lower(256, gamma_0 - h), upper(256, gamma_0 + h);
        const LevelDecoder::Slopes slopes = decoder.slopes(k, r);
        const double size = std::exp(-gamma_0);
        const double by_gamma =
            (upper.log_probability(k, r) - lower.log_probability(k, r)) / (2 * h);
        CHECK(std::abs(slopes.gamma_0 - by_gamma) <= 1e-6 * std::abs(by_gamma) + 1e-9 * size);
        const double step = h * std::exp(gamma_0 / 2);
        const double by_r =
            (decoder.log_probability(k, r + step) - decoder.log_probability(k, r - step)) /
            (2 * step);
        CHECK(std::abs(slopes.r - by_r) <= 1e-6 * std::abs(by_r) + 1e-7 * size);
      }
}

TEST_CASE("golden/vdm/fitted_grid") {
  const Json* const item = golden::field("vdm", "fitted_grid");
  if (!item) return;
  const Endpoints range{golden::real(item->at("gamma_0")), golden::real(item->at("gamma_1"))};
  const std::vector<double> curve = numbers(item->at("mse_curve"));
  const std::vector<double> mse = curve_at_nodes(curve);
  const double spacing = (range.last - range.first) / static_cast<double>(grid_nodes - 1);
  for (const Json& one : item->at("grids").items()) {
    const std::int64_t steps = one.at("T").integer();
    CAPTURE(steps);
    const std::vector<std::int64_t> nodes = best_nodes(mse, spacing, steps);
    CHECK(Json::array_of(nodes) == one.at("nodes"));
    CHECK(agree(cost_of(nodes, mse, spacing), golden::real(one.at("cost"))));
    const std::vector<double> gamma = fitted_grid(range, curve, steps);
    for (std::size_t i = 0; i < gamma.size(); ++i)
      CHECK(agree(gamma[i], range.first + spacing * static_cast<double>(nodes[i])));
    if (one.at("cost_uniform").is_null()) continue;
    std::vector<std::int64_t> even;
    for (std::int64_t i = 0; i <= steps; ++i) even.push_back(i * (grid_nodes - 1) / steps);
    CHECK(agree(cost_of(even, mse, spacing), golden::real(one.at("cost_uniform"))));
  }
}

TEST_CASE("vdm: no other choice of as many nodes costs less than the fitted grid") {
  constexpr std::int64_t nodes = 12;
  constexpr double spacing = 0.4;
  const std::vector<double> mse = {4, 4.5, 3.9, 2, 2.2, 1.4, 1.4, 0.8, 0.6, 0.61, 0.3, 0.1};
  for (std::int64_t steps = 1; steps < nodes; ++steps) {
    CAPTURE(steps);
    double least = std::numeric_limits<double>::infinity();
    for (unsigned inner = 0; inner < 1u << (nodes - 2); ++inner) {
      std::vector<std::int64_t> choice = {0};
      for (std::int64_t n = 1; n < nodes - 1; ++n)
        if (inner >> (n - 1) & 1) choice.push_back(n);
      choice.push_back(nodes - 1);
      if (std::ssize(choice) == steps + 1) least = std::min(least, cost_of(choice, mse, spacing));
    }
    CHECK(cost_of(best_nodes(mse, spacing, steps), mse, spacing) ==
          doctest::Approx(least).epsilon(1e-14));
  }
  // of equal costs, the lower node
  const std::vector<double> nothing(5, 0.0);
  CHECK(best_nodes(nothing, 1, 2) == std::vector<std::int64_t>{0, 1, 4});
}

}  // namespace logpx::vdm_process_test
