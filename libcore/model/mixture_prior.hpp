// The prior of a model whose codes do not follow N(0, I): a mixture of gaussians among its
// parameters, and as the entropy coder takes it.   [vae/README 2.5]
//
//   const MixtureParams prior(params, *mixture_form("mixture:40", 20, "--prior"));
//   const std::unique_ptr<const GaussianMixture> p = prior.mixture(theta);
#pragma once

#include "libcore/codec/bits_back.hpp"
#include "libcore/grad/params.hpp"
#include "libcore/math/gaussian_mixture.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// N(0, I).
inline constexpr const char* normal_prior = "normal";
// "mixture:K" or "mixture:K,diag" as a form; none for N(0, I). A usage error about `option` for
// anything else, and for more numbers than a model should hold.
[[nodiscard]] std::optional<MixtureForm> mixture_form(std::string_view text, std::int64_t dims,
                                                      const std::string& option);

// Its parameters: prior/weights [K], prior/means [K, J], prior/factors [K, J, J] or [K, J].
class MixtureParams {
 public:
  MixtureParams(ParamSet& params, const MixtureForm& form);
  [[nodiscard]] const MixtureForm& form() const { return form_; }
  template <typename T>
  [[nodiscard]] MixtureNumbers<T> numbers(std::span<T> theta) const {
    return {part(theta, weights_), part(theta, means_), part(theta, factors_)};
  }
  // N(0, I) in every component.
  void initialise(std::span<float> theta) const;
  // A data error that names the tensors where these are no mixture.
  void check(std::span<const float> theta) const;
  [[nodiscard]] std::unique_ptr<const GaussianMixture> mixture(std::span<const float> theta) const;

 private:
  template <typename T>
  [[nodiscard]] static std::span<T> part(std::span<T> theta, const BlockRange& range) {
    return theta.subspan(static_cast<std::size_t>(range.begin),
                         static_cast<std::size_t>(range.end - range.begin));
  }
  MixtureForm form_;
  BlockRange weights_, means_, factors_;
};

class CodedMixture final : public codec::ComponentPrior {
 public:
  explicit CodedMixture(std::unique_ptr<const GaussianMixture> mixture);
  [[nodiscard]] std::span<const double> weights() const override { return mixture_->weights(); }
  void log_joint(std::span<const double> z, std::span<double> nats) const override;
  [[nodiscard]] codec::Normal next(std::size_t component,
                                   std::span<const double> before) const override;
  // They have equal mass under a gaussian of each latent's mean and deviation.
  [[nodiscard]] std::vector<const codec::Bins*> bins(int bits, Workers& workers) const;

 private:
  std::unique_ptr<const GaussianMixture> mixture_;
  mutable std::mutex mutex_;
  mutable std::map<int, std::vector<codec::Bins>> bins_;
};

}  // namespace logpx
