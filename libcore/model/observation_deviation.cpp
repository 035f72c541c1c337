#include "libcore/model/observation_deviation.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/det/functions.hpp"

#include <cmath>

namespace logpx {
namespace {

// Nothing if it is learned.
std::optional<double> log_variance(const std::string& obs_std) {
  if (obs_std == "learn") return std::nullopt;
  const auto deviation = parse_real(obs_std);
  if (!deviation || !(*deviation > 0) || !std::isfinite(*deviation))
    fail(ErrorKind::usage, "--obs-std", "is " + obs_std + ", expected a positive number or learn");
  return 2 * det_log(*deviation);
}

}  // namespace

std::vector<HeadForm> heads_with_one_deviation(const LikelihoodOptions& options) {
  return {{.name = "mean", .squash = options.squash},
          {.name = "log_var", .shared = true, .value = log_variance(options.obs_std)}};
}

}  // namespace logpx
