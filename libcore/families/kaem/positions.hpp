// x position after position, where the generator sees the symbol before each: to draw symbols, and
// to code them.   [kaem/README 3.1, 11.2]
#pragma once

#include "libcore/grad/executor_pool.hpp"
#include "libcore/model/likelihood.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace logpx::kaem {

class KaemModel;

class PositionDecoder {
 public:
  // Refers to the model, whose generator takes tokens.
  PositionDecoder(const KaemModel& model, const Numerics& numerics);

  // The symbol of a row at a position. The heads are those of all dimensions, of which those after
  // this one are not known yet.
  using Choose = std::function<std::int32_t(std::int64_t row, std::int64_t position,
                                            const Likelihood::HeadValues& heads)>;
  // s [n,Q]. Any thread; with repeatable numerics a row's numbers do not depend on the others.
  void go(std::span<const float> theta, std::span<const float> s, const Choose& choose) const;

 private:
  class Walk;
  const KaemModel& model_;
  mutable ExecutorPool first_, next_;
};

}  // namespace logpx::kaem
