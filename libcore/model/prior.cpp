#include "libcore/model/prior.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace logpx {

IntervalDensity density_of(PriorComponent component) {
  std::vector<double> breaks = component.breaks;
  return {[kept = std::make_shared<const PriorComponent>(std::move(component))](
              std::span<const double> z, std::span<double> values) {
            std::vector<double> log_base(z.size());
            kept->energy(z, values);
            kept->log_base(z, log_base);
            for (std::size_t i = 0; i < z.size(); ++i) values[i] += log_base[i];
          },
          std::move(breaks)};
}

}  // namespace logpx
