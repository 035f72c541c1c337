#include "libcore/families/vdm/networks/linear_gauss.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/eigen.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {

LinearGauss::LinearGauss(std::int64_t dims)
    : mean_({dims}), axes_({dims, dims}), variances_({dims}) {}

void LinearGauss::take(std::span<const double> mean, std::span<const double> covariance) {
  const SymmetricEigen eigen = symmetric_eigen(covariance, mean_.size());
  std::ranges::copy(mean, mean_.data());
  std::ranges::copy(eigen.vectors, axes_.data());
  for (std::int64_t i = 0; i < variances_.size(); ++i)
    variances_[i] = std::max(0.0, eigen.values[static_cast<std::size_t>(i)]);
}

void LinearGauss::visit(const TensorVisitor& visit) {
  visit(TensorRef::of("gauss/mean", mean_), TensorRole::constant);
  visit(TensorRef::of("gauss/axes", axes_), TensorRole::constant);
  visit(TensorRef::of("gauss/variances", variances_), TensorRole::constant);
}

void LinearGauss::check() const {
  const auto require = [](const Tensor<double>& tensor, const char* name, auto allowed) {
    for (const double value : tensor.span())
      if (!allowed(value)) fail(ErrorKind::data, name, "holds " + std::to_string(value));
  };
  const auto finite = [](double value) { return std::isfinite(value); };
  require(mean_, "gauss/mean", finite);
  require(axes_, "gauss/axes", [](double value) { return std::fabs(value) <= 1.001; });
  require(variances_, "gauss/variances", [&](double v) { return finite(v) && v >= 0; });
}

Var LinearGauss::operator()(const ParamSet&, const NetInputs& in, BlockPass) const {
  Graph& graph = in.z.graph();
  const Var gamma = in.gamma.reshape({in.z.shape()[0], 1});
  const Var alpha2 = sigmoid(-gamma), sigma2 = sigmoid(gamma);
  const Var axes = graph.constant(axes_);
  const Var along = matmul(in.z - sqrt(alpha2) * graph.constant(mean_), axes, {.b = Trans::yes});
  const Var share = sqrt(sigma2) / (alpha2 * graph.constant(variances_) + sigma2);
  return matmul(along * share, axes);
}

}  // namespace logpx::vdm
