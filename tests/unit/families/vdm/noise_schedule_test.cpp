// Noise schedules: their inverse, gradients, and what is refused.
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/vdm/process.hpp"
#include "libcore/families/vdm/schedule/noise_schedule.hpp"
#include "libcore/families/vdm/schedule/schedule_options.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace logpx::noise_schedule_test {

using namespace logpx::vdm;

namespace {

constexpr std::int64_t units = 5;
constexpr std::array kinds = {
    CurveKind::linear,   CurveKind::learned_linear, CurveKind::beta_linear, CurveKind::alpha_cosine,
    CurveKind::monotone, CurveKind::monotone_paper, CurveKind::table};

CurveForm form_of(CurveKind kind) {
  return {.kind = kind, .hidden = units, .table = {{0, 0.25, 0.5, 1}, {-3, -2.5, 1, 4}}};
}

// Far from zero, where |w| has a kink.
std::vector<double> parameters_of(const CurveForm& form) {
  std::size_t count = 0;
  for (const CurveTensor& tensor : curve_tensors(form))
    count += static_cast<std::size_t>(std::max<std::int64_t>(tensor.size, 1));
  Cursor words(Rng(3).stream(Stream::test));
  std::vector<double> values(count);
  for (double& value : values) {
    value = 2 * words.uniform() - 1;
    value += value < 0 ? -0.2 : 0.2;
  }
  return values;
}

NoiseSchedule schedule_of(CurveKind kind, Endpoints ends = {-7, 4}) {
  const CurveForm form = form_of(kind);
  return {make_curve(form, parameters_of(form)), ends};
}

// A loss of gamma and gamma' at a few times.
const std::array times = {0.0, 0.13, 0.4, 0.77, 1.0};
double loss(const NoiseSchedule& schedule) {
  double sum = 0;
  for (const double t : times) {
    const CurvePoint at = schedule.at(t);
    sum += std::sin(at.value) + 0.1 * at.slope * at.value;
  }
  return sum;
}
CurvePoint pull_of(const CurvePoint& at) {
  return {std::cos(at.value) + 0.1 * at.slope, 0.1 * at.value};
}

}  // namespace

TEST_CASE("vdm schedules: gamma begins where few levels are as clear as 256 of them") {
  const auto first_gamma = [](std::int64_t levels) {
    ScheduleOptions options;
    options.settle({}, levels, true);
    return options.ends().first;
  };
  // Nats that a level in the middle costs where r lies u deviations off.
  const auto nats_at = [&](std::int64_t levels, double u) {
    const double gamma = first_gamma(levels);
    return -LevelDecoder(levels, gamma)
                .log_probability(levels / 2,
                                 value_of_level(levels / 2, levels) + std::exp(gamma / 2) * u);
  };
  CHECK(first_gamma(256) == -13.3);
  CHECK(first_gamma(0) == -13.3);
  CHECK(first_gamma(1 << 16) == -13.3);
  for (const double u : {-4.0, -3.0, -1.0, 0.0, 2.5, 3.5}) {
    CAPTURE(u);
    for (const std::int64_t levels : {3, 16, 255})
      CHECK(nats_at(levels, u) == doctest::Approx(nats_at(256, u)).epsilon(1e-9));
    CHECK(nats_at(2, u) <= nats_at(256, u) * (1 + 1e-9));
  }
  ScheduleOptions own;
  own.gamma_min = -7;
  own.settle({}, 2, true);
  CHECK(own.ends().first == -7);
}

TEST_CASE("vdm schedules: gamma rises from gamma_0 to gamma_1 and its slope is its derivative") {
  for (const CurveKind kind : kinds) {
    CAPTURE(static_cast<int>(kind));
    const NoiseSchedule schedule = schedule_of(kind);
    CHECK(schedule.gamma(0) == -7);
    CHECK(schedule.gamma(1) == 4);
    constexpr double h = 1e-6;
    for (double t = 0.013; t < 1; t += 0.07) {
      const double difference = (schedule.gamma(t + h) - schedule.gamma(t - h)) / (2 * h);
      CHECK(schedule.at(t).slope > 0);
      CHECK(schedule.at(t).slope == doctest::Approx(difference).epsilon(1e-6));
    }
  }
}

TEST_CASE("vdm schedules: the time of gamma(t) is t") {
  for (const CurveKind kind : kinds) {
    CAPTURE(static_cast<int>(kind));
    const NoiseSchedule schedule = schedule_of(kind);
    for (const double t : {0.0, 0.003, 0.2, 0.5, 0.999, 1.0})
      CHECK(schedule.time_of(schedule.gamma(t)) == doctest::Approx(t).epsilon(1e-9));
    CHECK(schedule.time_of(-100) == 0);
    CHECK(schedule.time_of(100) == 1);
  }
}

TEST_CASE("vdm schedules: gradients of endpoints are differences of the loss") {
  constexpr double h = 1e-5;
  for (const CurveKind kind : kinds) {
    CAPTURE(static_cast<int>(kind));
    const NoiseSchedule schedule = schedule_of(kind);
    double first = 0, last = 0;
    for (const double t : times) {
      const Endpoints slope = schedule.end_gradient(t, pull_of(schedule.at(t)));
      first += slope.first;
      last += slope.last;
    }
    const auto [low, high] = schedule.ends();
    const auto between = [&](double from, double to) { return loss(schedule.between({from, to})); };
    CHECK(
        first ==
        doctest::Approx((between(low + h, high) - between(low - h, high)) / (2 * h)).epsilon(1e-6));
    CHECK(
        last ==
        doctest::Approx((between(low, high + h) - between(low, high - h)) / (2 * h)).epsilon(1e-6));
  }
}

TEST_CASE("vdm schedules: gradients of a network go through its values at 0 and 1, too") {
  constexpr double h = 1e-5;
  for (const CurveKind kind : {CurveKind::monotone, CurveKind::monotone_paper}) {
    CAPTURE(static_cast<int>(kind));
    const CurveForm form = form_of(kind);
    std::vector<double> parameters = parameters_of(form);
    const NoiseSchedule schedule = schedule_of(kind);
    std::vector<CurvePoint> pulls;
    for (const double t : times) pulls.push_back(pull_of(schedule.at(t)));
    std::vector<double> gradient(parameters.size());
    schedule.add_curve_gradient(times, pulls, gradient);
    const auto loss_of = [&] { return loss({make_curve(form, parameters), schedule.ends()}); };
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      CAPTURE(i);
      const double kept = parameters[i];
      parameters[i] = kept + h;
      const double above = loss_of();
      parameters[i] = kept - h;
      const double below = loss_of();
      parameters[i] = kept;
      CHECK(gradient[i] == doctest::Approx((above - below) / (2 * h)).epsilon(1e-6).scale(1e-3));
    }
  }
}

TEST_CASE("vdm schedules: a curve that does not rise is a data error") {
  CHECK_THROWS_AS(NoiseSchedule(make_curve({.kind = CurveKind::linear}, {}), {2, 2}), Error);
  const CurveForm form = form_of(CurveKind::monotone);
  const std::vector<double> flat(parameters_of(form).size());
  CHECK_THROWS_AS(NoiseSchedule(make_curve(form, flat), {-1, 1}), Error);
}

TEST_CASE("vdm schedules: a table covers 0 to 1 and rises") {
  const auto refused = [](const CurveTable& table) {
    CHECK_THROWS_AS(table.check("knots.json"), Error);
  };
  CHECK_NOTHROW(form_of(CurveKind::table).table.check("knots.json"));
  refused({{0}, {1}});
  refused({{0, 1}, {1, 2, 3}});
  refused({{0, 0.9}, {1, 2}});
  refused({{0, 1}, {2, 2}});
  refused({{0, 0.5, 0.5, 1}, {1, 2, 3, 4}});
  refused({{0, 1}, {0, NAN}});
}

}  // namespace logpx::noise_schedule_test
