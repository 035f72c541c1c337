#include "libcore/grad/schedule.hpp"

#include "libcore/base/error.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

namespace logpx::schedule_test {

TEST_CASE("golden/vae/schedules") {
  const Json* given = golden::field("vae", "schedules");
  if (given == nullptr) return;
  Schedule cosine{.curve = Curve::cosine,
                  .base = golden::real(given->at("base_lr")),
                  .last = golden::real(given->at("final")),
                  .warmup = given->at("warmup").integer(),
                  .total = given->at("total").integer()};
  Schedule linear = cosine;
  linear.curve = Curve::linear;
  linear.warmup = 0;
  const Json& steps = given->at("steps_0_based");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::int64_t step = steps.at(i).integer();
    CAPTURE(step);
    CHECK(cosine.rate(step) ==
          doctest::Approx(golden::real(given->at("linear_warmup_cosine").at(i))).epsilon(1e-10));
    CHECK(linear.rate(step) ==
          doctest::Approx(golden::real(given->at("linear_to_final").at(i))).epsilon(1e-10));
  }
}

TEST_CASE("schedule: every curve starts at the base after the warm-up and ends where it says") {
  for (const Curve curve : {Curve::cosine, Curve::linear, Curve::exponential, Curve::sigmoid}) {
    const Schedule schedule{.curve = curve, .base = 0.5, .last = 0.1, .warmup = 5, .total = 25};
    CHECK(schedule.rate(0) == doctest::Approx(0.1));
    CHECK(schedule.rate(5) == doctest::Approx(0.5));
    CHECK(schedule.rate(25) == doctest::Approx(0.1));
    CHECK(schedule.rate(1000) == doctest::Approx(0.1));
    CHECK(schedule.needs_total());
    for (std::int64_t s = 5; s < 25; ++s) CHECK(schedule.rate(s + 1) < schedule.rate(s));
  }
}

TEST_CASE("schedule: inverse square root joins the warm-up; steps fall at their milestones") {
  const Schedule root{.curve = Curve::inverse_sqrt, .base = 1, .warmup = 4};
  CHECK(root.rate(3) == doctest::Approx(1));
  CHECK(root.rate(15) == doctest::Approx(0.5));
  CHECK(!root.needs_total());
  const Schedule step{.curve = Curve::step, .base = 1, .factor = 0.5, .milestones = {10, 20}};
  CHECK(step.rate(9) == 1);
  CHECK(step.rate(10) == 0.5);
  CHECK(step.rate(20) == 0.25);
}

TEST_CASE("schedule: impossible values are refused") {
  CHECK_THROWS_AS((Schedule{.curve = Curve::exponential, .base = 1, .last = 0}).validate(), Error);
  CHECK_THROWS_AS((Schedule{.curve = Curve::sigmoid, .base = 1, .last = 0.5}).validate(), Error);
  CHECK_THROWS_AS((Schedule{.curve = Curve::step}).validate(), Error);
}

}  // namespace logpx::schedule_test
