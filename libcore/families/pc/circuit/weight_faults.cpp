#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/circuit/validation.hpp"

#include <cmath>
#include <type_traits>

namespace logpx::pc {

template <typename T>
std::vector<Fault> find_weight_faults(const ParamSet& layout, std::span<const T> theta,
                                      SumRows sums) {
  constexpr double tolerance = std::is_same_v<T, float> ? 1e-6 : 1e-12;
  std::vector<Fault> faults;
  for (int tensor = 0; tensor < layout.count(); ++tensor) {
    const ParamInfo& info = layout.infos()[at(tensor)];
    if (use_of(info.name) != TensorUse::rows) continue;
    const auto values = theta.subspan(at(info.offset), at(info.shape.elements()));
    const auto columns = at(info.shape.back());
    const bool free = sums == SumRows::free && !info.name.ends_with("/p");
    for (std::size_t begin = 0; begin < values.size(); begin += columns) {
      double sum = 0;
      bool bad = false;
      for (const T value : values.subspan(begin, columns)) {
        bad = bad || !(value >= 0) || !std::isfinite(value);
        sum += static_cast<double>(value);
      }
      if (!bad && (free || std::abs(sum - 1) <= tolerance)) continue;
      const std::string row = "row " + std::to_string(begin / columns);
      faults.push_back({info.name, bad ? row + " holds a weight that is not a number of at least 0"
                                       : row + " sums to " + to_text(sum) + ", expected 1"});
      break;
    }
  }
  return faults;
}
template std::vector<Fault> find_weight_faults(const ParamSet&, std::span<const float>, SumRows);
template std::vector<Fault> find_weight_faults(const ParamSet&, std::span<const double>, SumRows);

}  // namespace logpx::pc
