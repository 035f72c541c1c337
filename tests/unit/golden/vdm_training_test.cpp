// What training computes, against tests/golden/vdm.json.
#include "libcore/families/vdm/training/noised_row.hpp"
#include "libcore/families/vdm/training/timed_loss.hpp"
#include "libcore/grad/optim.hpp"
#include "tests/support/vdm_golden.hpp"

#include <numbers>

namespace logpx::vdm_training_test {

using namespace logpx::vdm_golden;
using namespace logpx::vdm;

namespace {

// The schedule of the losses: monotone, with parameters and endpoints of `schedules`.
NoiseSchedule golden_monotone(const Json& schedules) {
  return golden_curve("monotone", &schedules.at("monotone").at("params"))
      .between(ends_of(schedules));
}

double squared_distance(const Json& a, const Json& b) {
  const std::vector<double> left = numbers(a), right = numbers(b);
  double sum = 0;
  for (std::size_t d = 0; d < left.size(); ++d) sum += (left[d] - right[d]) * (left[d] - right[d]);
  return sum;
}

std::vector<float> floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("golden/vdm/losses: T steps and continuous time at given times") {
  const Json *item = golden::field("vdm", "losses"), *schedules = golden::field("vdm", "schedules");
  if (!item || !schedules) return;
  const NoiseSchedule schedule = golden_monotone(*schedules);
  const auto error = [&](std::size_t i) {
    return squared_distance(item->at("eps").at(i), item->at("eps_hat").at(i));
  };
  for (const Json& one : item->at("discrete").items()) {
    const std::int64_t steps = one.at("T").integer();
    CAPTURE(steps);
    const TimedLosses losses(steps, LossWeight("vlb"));
    for (std::size_t i = 0; i < one.at("u").size(); ++i) {
      const double u = golden::real(one.at("u").at(i));
      const TimedLoss loss = losses.at(schedule, u);
      CHECK(losses.step_of(u) == one.at("i").at(i).integer());
      close_to(loss.gamma, one.at("gamma_t").at(i));
      close_to(schedule.gamma(loss.earlier), one.at("gamma_s").at(i));
      close_to(loss.factor * error(i), one.at("loss_nats").at(i));
    }
  }
  const Json& continuous = item->at("continuous");
  const TimedLosses losses(0, LossWeight("vlb"));
  for (std::size_t i = 0; i < continuous.at("u").size(); ++i) {
    const TimedLoss loss = losses.at(schedule, golden::real(continuous.at("u").at(i)));
    const auto dims = static_cast<double>(item->at("eps").at(i).size());
    close_to(loss.gamma, continuous.at("gamma_t").at(i));
    close_to(2 * loss.factor, continuous.at("dgamma_dt").at(i));
    close_to(loss.factor * error(i), continuous.at("loss_nats").at(i));
    close_to(loss.factor * error(i) / (dims * std::numbers::ln2), continuous.at("bpd").at(i));
  }
}

TEST_CASE("golden/vdm/losses: the prior of a row") {
  const Json *item = golden::field("vdm", "losses"), *schedules = golden::field("vdm", "schedules");
  if (!item || !schedules) return;
  for (std::size_t i = 0; i < item->at("x").size(); ++i) {
    const std::vector<double> x = numbers(item->at("x").at(i));
    close_to(prior_end_term(ends_of(*schedules).last, floats(x)).nats, item->at("prior_nats").at(i),
             1e-6);  // x is held as floats
    double nats = 0;
    for (const double value : x) nats += Process::prior_nats(ends_of(*schedules).last, value);
    close_to(nats, item->at("prior_nats").at(i));
  }
}

TEST_CASE("golden/vdm/low_discrepancy: times fill the unit interval behind one draw") {
  const Json* item = golden::field("vdm", "low_discrepancy");
  if (!item) return;
  const std::int64_t rows = item->at("k").integer();
  const TimedLosses losses(item->at("T").integer(), LossWeight("vlb"));
  for (std::int64_t i = 0; i < rows; ++i) {
    const double time = stratified_time(golden::real(item->at("u0")), i, rows);
    close_to(time, item->at("t").at(static_cast<std::size_t>(i)));
    CHECK(losses.step_of(time) == item->at("i").at(static_cast<std::size_t>(i)).integer());
  }
}

TEST_CASE("golden/vdm/weights: factors on the loss of each noise level") {
  const Json* item = golden::field("vdm", "weights");
  if (!item) return;
  const std::vector<double> gamma = numbers(item->at("gamma"));
  for (const auto& [name, word] :
       {std::pair("vlb", "vlb"), std::pair("simple", "simple"),
        std::pair("sigmoid_bias2", "sigmoid:2"), std::pair("snr_clip5", "snr-clip:5")}) {
    CAPTURE(word);
    const LossWeight weight(word);
    for (std::size_t i = 0; i < gamma.size(); ++i)
      close_to(weight.at(gamma[i]).value, item->at(name).at(i));
  }
}

namespace {

// A row of the field under the denoiser that is best for variances lam.
struct DenoisedRow {
  double error = 0, error_slope = 0;  // m, and its total derivative by gamma
};
DenoisedRow denoise(const NoiseLevel& level, const Json& x, const Json& eps, const Json& lam) {
  DenoisedRow row;
  const auto [a, s] = std::pair(level.alpha, level.sigma);
  for (std::size_t d = 0; d < lam.size(); ++d) {
    const double x_d = golden::real(x.at(d)), e = golden::real(eps.at(d)),
                 l = golden::real(lam.at(d));
    const double z = a * x_d + s * e, below = a * a * l + s * s;
    const double hat = s * z / below, off = e - hat;
    // through z, and through the denoiser's own gamma
    const double by_z = -2 * off * s / below;
    const double z_slope = -0.5 * a * s * s * x_d + 0.5 * s * a * a * e;
    const double s_slope = 0.5 * s * a * a, below_slope = a * a * s * s * (1 - l);
    const double by_gamma = -2 * off * z * (s_slope / below - s * below_slope / (below * below));
    row.error += off * off;
    row.error_slope += by_z * z_slope + by_gamma;
  }
  return row;
}

void check_gradient(const ScheduleParameters::Gradient& computed, const Json& expected,
                    bool of_ends) {
  if (of_ends) {
    close_to(computed.ends.first, expected.at("gamma_0").is_array() ? expected.at("gamma_0").at(0)
                                                                    : expected.at("gamma_0"));
    close_to(computed.ends.last, expected.at("gamma_1").is_array() ? expected.at("gamma_1").at(0)
                                                                   : expected.at("gamma_1"));
    return;
  }
  std::size_t next = 0;
  for (const char* name : {"w1", "w2", "b2", "w3"}) {
    CAPTURE(name);
    for (const Json& value : expected.at(name).items()) close_to(computed.curve[next++], value);
  }
  CHECK(next == computed.curve.size());
}

}  // namespace

TEST_CASE("golden/vdm/variance_gradient: endpoints follow the bound and the curve its variance") {
  const Json* item = golden::field("vdm", "variance_gradient");
  if (!item) return;
  const GoldenCurve curve = golden_curve("monotone", &item->at("params"));
  const NoiseSchedule schedule = curve.between(ends_of(*item));
  const TimedLosses losses(0, LossWeight("vlb"));
  const std::size_t count = item->at("t").size(), dims = item->at("lam").size();
  const double unit = 1 / (static_cast<double>(dims) * std::numbers::ln2);
  std::vector<RowPull> rows;
  for (std::size_t i = 0; i < count; ++i) {
    RowPull& row = rows.emplace_back();
    row.loss = losses.at(schedule, golden::real(item->at("t").at(i)));
    const DenoisedRow denoised = denoise(Process{}.at(row.loss.gamma), item->at("x").at(i),
                                         item->at("eps").at(i), item->at("lam"));
    row.error = denoised.error;
    row.by_error = row.loss.factor * denoised.error_slope;
    close_to(row.error, item->at("m").at(i));
    close_to(denoised.error_slope, item->at("dm_dgamma").at(i));
    close_to(row.loss.factor * row.error * unit, item->at("L").at(i));
  }
  const PullRule rule{.share = 1 / static_cast<double>(count), .unit = unit, .curve = true};
  const auto gradient = schedule_gradient(schedule, rows, curve.parameters.size(), rule);
  check_gradient(gradient, item->at("grad_mean_L"), true);
  check_gradient(gradient, item->at("grad_mean_L2"), false);
  // As if there were steps: then the curve follows the loss itself.
  PullRule plain = rule;
  plain.continuous = false;
  for (RowPull& row : rows) row.loss.by_earlier = 0;
  check_gradient(schedule_gradient(schedule, rows, curve.parameters.size(), plain),
                 item->at("grad_mean_L"), false);
}

TEST_CASE("golden/vdm/adamw_ema: updates with decoupled decay and their running average") {
  const Json* item = golden::field("vdm", "adamw_ema");
  if (!item) return;
  const auto number = [&](const char* name) { return golden::real(item->at(name)); };
  const std::vector<double> start = numbers(item->at("theta0"));
  ParamSet params;
  static_cast<void>(params.add("w", {std::ssize(start)}));
  OptimizerOptions options{.rule = OptimizerRule::adamw,
                           .beta1 = number("b1"),
                           .beta2 = number("b2"),
                           .eps = number("eps"),
                           .weight_decay = number("wd")};
  Optimizer optimizer(params, options);
  Workers workers(1);
  std::ranges::copy(start, params.block().begin());
  std::vector<float> gradient(params.block().size()),
      average(params.block().begin(), params.block().end());
  const UpdateRates rates{.rate = number("lr"), .average_decay = number("ema")};
  for (const Json& step : item->at("steps").items()) {
    std::ranges::copy(numbers(step.at("grad")), gradient.begin());
    optimizer.step(optimizer.select(), {params.block(), gradient, average}, rates, workers);
    for (std::size_t i = 0; i < start.size(); ++i) {
      close_to(static_cast<double>(params.block()[i]), step.at("theta").at(i), 1e-6);
      close_to(static_cast<double>(average[i]), step.at("ema").at(i), 1e-6);
    }
  }
}

}  // namespace logpx::vdm_training_test
