// Noise schedules against tests/golden/vdm.json.
#include "tests/support/vdm_golden.hpp"

namespace logpx::vdm_schedules_test {

using namespace logpx::vdm_golden;
using vdm::CurvePoint;
using vdm::NoiseSchedule;

namespace {

constexpr double tolerance = 1e-10;

void check_schedule(const NoiseSchedule& schedule, const Json& all, const Json& entry) {
  const std::vector<double> times = numbers(all.at("t"));
  for (std::size_t i = 0; i < times.size(); ++i) {
    CAPTURE(times[i]);
    const CurvePoint point = schedule.at(times[i]);
    close_to(point.value, entry.at("gamma").at(i), tolerance);
    close_to(point.slope, entry.at("dgamma_dt").at(i), tolerance);
  }
}

}  // namespace

TEST_CASE("golden/vdm/schedules: gamma(t) and its derivative of every schedule") {
  const Json* all = golden::field("vdm", "schedules");
  if (!all) return;
  for (const std::string name :
       {"logsnr_linear", "beta_linear", "alpha_cosine", "monotone", "monotone_paper"}) {
    CAPTURE(name);
    const Json& entry = all->at(name);
    check_schedule(golden_curve(name, entry.find("params")).between(ends_of(*all)), *all, entry);
  }
}

TEST_CASE("golden/vdm/schedules: learned-linear goes from b to b + |w|") {
  const Json* all = golden::field("vdm", "schedules");
  if (!all) return;
  const Json& entry = all->at("learned_linear");
  const double b = golden::real(entry.at("b")), w = golden::real(entry.at("w"));
  check_schedule(golden_curve("learned_linear").between({b, b + std::fabs(w)}), *all, entry);
}

TEST_CASE(
    "golden/vdm/schedules: with endpoints of their own beta-linear and alpha-cosine are raw") {
  const Json* all = golden::field("vdm", "schedules");
  if (!all) return;
  const std::vector<double> times = numbers(all->at("t"));
  for (const std::string name : {"beta_linear", "alpha_cosine"}) {
    CAPTURE(name);
    const NoiseSchedule raw(vdm::make_curve(golden_curve(name).form, {}));
    for (std::size_t i = 0; i < times.size(); ++i)
      close_to(raw.gamma(times[i]), all->at(name).at("raw_gamma").at(i), tolerance);
  }
}

TEST_CASE("golden/vdm/schedules: beta-linear in closed form is near the product of 1000 betas") {
  const Json* all = golden::field("vdm", "schedules");
  if (!all) return;
  const Json& check = all->at("beta_linear_discrete_check");
  const NoiseSchedule raw(vdm::make_curve(golden_curve("beta_linear").form, {}));
  const std::vector<double> steps = numbers(check.at("step"));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    close_to(raw.gamma(steps[i] / 1000), check.at("closed_form_gamma").at(i), tolerance);
    const double limit = steps[i] <= 1    ? 0.12
                         : steps[i] <= 10 ? 0.69
                         : steps[i] <= 30 ? 0.52
                                          : 0.24;
    CHECK(std::fabs(raw.gamma(steps[i] / 1000) - golden::real(check.at("exact_gamma").at(i))) <
          limit);
  }
}

}  // namespace logpx::vdm_schedules_test
