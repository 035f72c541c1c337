// Fuzz target of features and statistics that other programs keep in .npz. What comes out is a set
// whose sizes match, and a distance from itself that is no more than rounding; or a data or numeric
// error. Anything else is a bug.
#include "formats/feature_set.hpp"
#include "formats/import/container.hpp"
#include "libcore/base/error.hpp"
#include "libcore/judge/frechet.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

using namespace logpx;

namespace {

constexpr std::int64_t most_features = 32;  // so that each input takes milliseconds

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void judge(const FeatureSet& set) {
  if (set.has_rows()) {
    require(std::ssize(set.rows) == set.info.n * set.info.d && set.info.n >= 2);
    require(std::ssize(set.logits) == set.info.n * set.info.classes);
    return;
  }
  require(std::ssize(set.mean) == set.info.d &&
          std::ssize(set.covariance) == set.info.d * set.info.d);
  if (set.info.d > most_features) return;
  const Moments moments{.n = 2, .mean = set.mean, .covariance = set.covariance};
  const double distance = FrechetReference(moments).to(moments).value;
  // Sums of very large numbers may overflow.
  require(!std::isfinite(distance) || std::fabs(distance) <= 1e-3 * (1 + moments.trace()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    judge(feature_set_of(
        std::make_shared<const Container>(ByteSource("npz", {bytes.begin(), bytes.end()}))));
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data || error.kind() == ErrorKind::numeric);
  }
  return 0;
}
