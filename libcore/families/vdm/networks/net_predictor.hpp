// A network as scoring, sampling and coding call it: rows of doubles in, eps_hat out.
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>
#include <functional>

namespace logpx::vdm {

// What it needs to know of a network.
struct PredictedNet {
  const ParamSet& params;
  // eps_hat [rows,D] as output "eps_hat" of inputs "z", "gamma" and, where there are classes,
  // "label"; further inputs are 0.
  std::function<void(Graph& graph, std::int64_t rows)> build;
  std::int64_t dims = 1, classes = 0;
};

class NetPredictor final : public NoisePredictor {
 public:
  NetPredictor(PredictedNet net, const Numerics& numerics);
  // Drops the graphs after a change of constants.
  void clear();

  [[nodiscard]] std::int64_t dims() const override { return net_.dims; }
  [[nodiscard]] std::int64_t classes() const override { return net_.classes; }
  void predict(const NoisyRows& rows, std::span<double> noise) const override;
  void predict_with_slope(const NoisyRows& rows, std::span<const double> direction,
                          std::span<double> noise, std::span<double> slope) const override;

 private:
  // An executor after its forward pass.
  [[nodiscard]] ExecutorPool::Loan run(ExecutorPool& pool, const NoisyRows& rows,
                                       std::span<double> noise) const;
  PredictedNet net_;
  mutable ExecutorPool values_, slopes_;
};

}  // namespace logpx::vdm
