#include "libcore/families/kaem/prior/prior_sums.hpp"

#include "libcore/base/index.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace logpx::kaem {
namespace {

class PriorSums final : public TypedOp<PriorSums> {
 public:
  PriorSums(const PriorForm& form, std::function<const NormalScores&()> scores)
      : form_(form), scores_(std::move(scores)) {}
  [[nodiscard]] const char* name() const override { return "prior_sums"; }
  [[nodiscard]] Shape infer(std::span<const Shape> in) const override {
    return {in[0].elements() / form_.score_dims(), form_.n_q};
  }
  // dz/dv
  [[nodiscard]] Scratch scratch(std::span<const Shape>, const Shape& output,
                                const Numerics&) const override {
    return {.saved = output[0] * form_.z_dims()};
  }
  [[nodiscard]] double flops(std::span<const Shape>, const Shape& output) const override {
    return 40.0 * static_cast<double>(output[0] * form_.z_dims());
  }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const std::size_t count = at(f.output_shape[0] * form_.z_dims());
    static thread_local std::vector<double> z, slopes;  // graphs run without allocations
    z.resize(count);
    slopes.resize(count);
    scores_().to_z<T>(f.in(0).span(), z, slopes);
    const std::size_t parts = at(form_.z_dims() / form_.n_q);
    for (std::size_t i = 0; i < count / parts; ++i) {
      double sum = 0;
      for (std::size_t p = 0; p < parts; ++p) sum += z[i * parts + p];
      f.output[i] = static_cast<T>(sum);
    }
    for (std::size_t i = 0; i < count; ++i) f.saved()[i] = static_cast<T>(slopes[i]);
  }

  // d/dv_e = sum over the z that are made of v_e
  template <typename T>
  void backward(const Frame<T>& f) const {
    const std::size_t scores = at(form_.score_dims()), width = at(form_.z_dims());
    const std::size_t parts = width / at(form_.n_q);
    if (!f.wants(0)) return;
    T* const dv = f.begin_gradient(0);
    for (std::size_t i = 0; i < at(f.output_shape[0]) * width; ++i)
      dv[i / width * scores + i % width % scores] += f.saved()[i] * f.output_gradient[i / parts];
  }

 private:
  const PriorForm& form_;
  std::function<const NormalScores&()> scores_;
};

}  // namespace

Var prior_sums(const PriorForm& form, std::function<const NormalScores&()> scores, Var v) {
  return v.graph().apply(std::make_unique<PriorSums>(form, std::move(scores)), {v});
}

}  // namespace logpx::kaem
