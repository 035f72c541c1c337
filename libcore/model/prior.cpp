#include "libcore/model/prior.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace logpx {

void BaseDensity::log_density(std::span<const double> z, std::span<double> values) const {
  constexpr double nowhere = -std::numeric_limits<double>::infinity();
  const double log_scale = std::log(sd) + std::log(2 * std::numbers::pi) / 2;
  const auto bell = [&](double x) {
    const double off = (x - mean) / sd;
    return -off * off / 2 - log_scale;
  };
  for (std::size_t i = 0; i < z.size(); ++i) switch (kind) {
      case Kind::none: values[i] = 0; break;
      case Kind::uniform: values[i] = z[i] >= 0 && z[i] <= 1 ? 0 : nowhere; break;
      case Kind::gaussian: values[i] = bell(z[i]); break;
      case Kind::lognormal:
        values[i] = z[i] > 0 ? bell(std::log(z[i])) - std::log(z[i]) : nowhere;
        break;
    }
}

IntervalDensity density_of(PriorComponent component) {
  std::vector<double> breaks = component.breaks;
  return {[kept = std::make_shared<const PriorComponent>(std::move(component))](
              std::span<const double> z, std::span<double> values) {
            std::vector<double> log_base(z.size());
            kept->energy(z, values);
            kept->base.log_density(z, log_base);
            for (std::size_t i = 0; i < z.size(); ++i) values[i] += log_base[i];
          },
          std::move(breaks)};
}

std::int64_t choose_component(std::span<const double> alpha, double u) {
  double sum = 0;
  std::int64_t last = 0;
  for (std::size_t p = 0; p < alpha.size(); ++p) {
    if (!(alpha[p] > 0)) continue;
    sum += alpha[p];
    last = static_cast<std::int64_t>(p);
    if (sum >= u) break;
  }
  return last;
}

}  // namespace logpx
