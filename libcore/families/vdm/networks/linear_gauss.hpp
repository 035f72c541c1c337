// The best denoiser of Gaussian data, which learns nothing: with covariance C = Q diag(lambda) Q^T,
//
//   eps_hat = sigma (alpha^2 C + sigma^2 I)^-1 (z - alpha mean)
//
// It makes all that a model measures computable by hand.   [vdm/README 8.3, 13]
#pragma once

#include "libcore/families/vdm/networks/score_net.hpp"
#include "libcore/math/tensor.hpp"

#include <span>
#include <vector>

namespace logpx::vdm {

class LinearGauss final : public ScoreNet {
 public:
  explicit LinearGauss(std::int64_t dims);
  // Moments of x as networks see it; the covariance [D,D] is symmetric.
  void take(std::span<const double> mean, std::span<const double> covariance);
  // Constants of the model: gauss/mean, gauss/axes, gauss/variances.
  void visit(const TensorVisitor& visit);
  void check() const;  // a data error that names one of them

  [[nodiscard]] Var operator()(const ParamSet& params, const NetInputs& in,
                               BlockPass pass) const override;

 private:
  Tensor<double> mean_, axes_, variances_;  // [D], [D,D] with an axis in each row, [D]
};

}  // namespace logpx::vdm
