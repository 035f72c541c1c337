#include "libcore/grad/schedule.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx {
namespace {

double logit(double p) { return det_log(p / (1 - p)); }

double power(double base, double exponent) { return det_exp(exponent * det_log(base)); }

}  // namespace

bool Schedule::needs_total() const {
  return curve == Curve::cosine || curve == Curve::linear || curve == Curve::exponential ||
         curve == Curve::sigmoid;
}

void Schedule::validate() const {
  if (curve == Curve::exponential && !(last > 0 && base > 0))
    fail(ErrorKind::usage, "exponential schedule", "needs a first and a last rate above 0");
  const auto inside = [](double p) { return p > 0 && p < 1; };
  if (curve == Curve::sigmoid && !(inside(base) && inside(last)))
    fail(ErrorKind::usage, "sigmoid schedule", "needs a first and a last rate between 0 and 1");
  if (curve == Curve::step && milestones.empty())
    fail(ErrorKind::usage, "step schedule", "needs milestones");
}

double Schedule::rate(std::int64_t s) const {
  if (s < warmup) return base * static_cast<double>(s + 1) / static_cast<double>(warmup);
  const double p =
      total > warmup
          ? std::min(1.0, static_cast<double>(s - warmup) / static_cast<double>(total - warmup))
          : 1.0;
  switch (curve) {
    case Curve::constant: break;
    case Curve::cosine:
      return last + (base - last) * (1 + det_sincos(std::numbers::pi * p).cos) / 2;
    case Curve::linear: return base + (last - base) * p;
    case Curve::exponential: return base * power(last / base, p);
    case Curve::sigmoid: return det_sigmoid(logit(base) + (logit(last) - logit(base)) * p);
    case Curve::inverse_sqrt: {
      const auto w = static_cast<double>(std::max<std::int64_t>(warmup, 1));
      return base * std::sqrt(w / std::max(w, static_cast<double>(s + 1)));
    }
    case Curve::step: {
      const auto passed = std::count_if(milestones.begin(), milestones.end(),
                                        [&](std::int64_t milestone) { return milestone <= s; });
      double rate = base;
      for (auto fall = passed; fall > 0; --fall) rate *= factor;
      return rate;
    }
  }
  return base;
}

}  // namespace logpx
