// ln Z of circuits that are not normalised: log p of a row in which nothing is observed, by the
// steps that the row has.   [pc/README 4.6]
//
//   LnZ<float> constant(plan);
//   constant.subtract(theta, columns, nats);   // nothing where the circuit is normalised
#pragma once

#include "libcore/families/pc/passes/pass.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <span>

namespace logpx::pc {

// Several threads ask at once. Parameters are those of the first time.
template <typename T>
class LnZ {
 public:
  explicit LnZ(const PassPlan& plan) : plan_(plan) {}

  [[nodiscard]] double of(std::span<const T> theta, std::int64_t steps);
  // Makes log p of these columns that of the normalised product.
  void subtract(std::span<const T> theta, const Columns& columns, std::span<double> nats);

 private:
  const PassPlan& plan_;
  std::mutex guard_;
  std::map<std::int64_t, double> known_;
};

}  // namespace logpx::pc
