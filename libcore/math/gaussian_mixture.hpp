// A mixture of gaussians with any covariances:  p(z) = sum_k w_k N(z; m_k, L_k L_k^T).
// [math/README 12]
//
//   const GaussianMixture mixture({.components = 40, .dims = 20}, {weights, means, factors});
//   mixture.log_density(z, nats, slopes);   // z [n, 20]
//
// Where RepeatableFunctions live on the thread it gives the same bits on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {

enum class Covariance { full, diagonal };

struct MixtureForm {
  std::int64_t components = 1, dims = 1;  // K, J
  Covariance covariance = Covariance::full;

  // Numbers of a component's L: its J deviations, or J rows of J.
  [[nodiscard]] std::int64_t scales() const {
    return covariance == Covariance::full ? dims * dims : dims;
  }
};

// w [K], m [K, J], and L [K, scales], whose rows hold zeros above the diagonal. A component of
// weight 0 does not count, whatever else is said of it.
template <typename T>
struct MixtureNumbers {
  std::span<T> weights, means, factors;
};
// What is wrong with them; empty if nothing is: weights that are not positive or 0 or do not sum to
// one, numbers that are not finite, deviations that are not positive.
[[nodiscard]] std::string mixture_fault(const MixtureForm& form,
                                        const MixtureNumbers<const float>& numbers);

class GaussianMixture {
 public:
  // Copies the numbers, of which mixture_fault() has found nothing wrong.
  GaussianMixture(const MixtureForm& form, const MixtureNumbers<const float>& numbers);
  [[nodiscard]] const MixtureForm& form() const { return form_; }
  [[nodiscard]] std::span<const double> weights() const { return weights_; }

  // log p(z) of z [n, J]; slopes [n, J], unless empty: its gradient by z.
  void log_density(std::span<const double> z, std::span<double> nats,
                   std::span<double> slopes = {}) const;
  // log w_k N(z; m_k, L_k L_k^T), [n, K].
  void log_joint(std::span<const double> z, std::span<double> nats) const;

  struct Normal {
    double mean = 0, deviation = 1;
  };
  // z_j of component k given those before it, j = before.size().
  [[nodiscard]] Normal next(std::int64_t k, std::span<const double> before) const;
  // Mean and deviation of z_j.
  [[nodiscard]] Normal marginal(std::int64_t j) const;
  // m_k + L_k noise; the uniform number u chooses k. `z` may be `noise`.
  void draw(double u, std::span<const double> noise, std::span<double> z) const;

 private:
  // L^-1 (z - m) of every component, [n, K, J].
  void whiten(std::span<const double> z, std::span<double> y) const;
  void add_slopes(std::span<const double> shares, std::span<double> y,
                  std::span<double> slopes) const;
  void invert(std::int64_t k);

  MixtureForm form_;
  std::vector<double> weights_, cumulative_, log_scales_;  // [K]: log w - log det L - J/2 log 2 pi
  std::vector<double> means_, factors_;
  std::vector<double> inverses_, offsets_;  // L^-1, as factors_; L^-1 m [K, J]
};

}  // namespace logpx
