// Pairs (likelihood_pairs.hpp) for a likelihood in natural form, with heads h [D] and possibly one
// number that all samples share:
//
//   log p(x|h) = scale x.h - square |x|^2 - offset(h),    d offset / dh = scale mean(h)
//
// It takes one matrix product each way.
#pragma once

#include "libcore/model/likelihood_pairs.hpp"

#include <memory>
#include <span>

namespace logpx {

class NaturalForm {
 public:
  virtual ~NaturalForm() = default;

  struct Terms {
    std::int64_t dims = 0;
    double scale = 1, square = 0;
    std::span<double> offsets;  // [S]; they come in as zeros
    std::span<double> means;    // [S,D]; they come in as h
  };
  virtual void find(const Likelihood::HeadValues& heads, Terms& terms) const = 0;

  // For the slope of the shared number: sum W and sum W |x - mean|^2 over rows and samples.
  struct Moments {
    double weight = 0, squares = 0;
  };
  [[nodiscard]] virtual double shared_slope(const Terms&, const Moments&) const { return 0; }
};

[[nodiscard]] std::unique_ptr<LikelihoodPairs> natural_pairs(
    std::unique_ptr<const NaturalForm> form, std::int64_t dims);

}  // namespace logpx
