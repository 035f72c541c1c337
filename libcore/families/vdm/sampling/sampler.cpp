#include "libcore/families/vdm/sampling/sampler.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/families/vdm/flow/probability_flow.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::vdm {
namespace {

// The rows on their way from z_1 to z_0, and x_hat of the step before.
class Walk {
 public:
  Walk(const Denoiser& denoiser, const Sampler::Rows& rows)
      : denoiser_(denoiser),
        rows_(rows),
        count_(rows.z.size() / at(denoiser.dims())),
        x_hat_(rows.z.size()) {}

  // x_hat at level t.
  void look(const NoiseLevel& t) {
    x_hat_before_.swap(x_hat_);
    x_hat_.resize(rows_.z.size());
    const std::vector<NoiseLevel> levels(count_, t);
    denoiser_.noise({rows_.z, levels, rows_.labels}, x_hat_);
    for (std::size_t i = 0; i < x_hat_.size(); ++i) {
      x_hat_[i] = clean_of(t, rows_.z[i], x_hat_[i]);
      if (!std::isfinite(x_hat_[i]))
        fail(ErrorKind::numeric, "model", "predicts an x that is not finite");
    }
  }
  [[nodiscard]] std::span<const double> x_hat() const { return x_hat_; }

  void draw(const Transition& step, std::span<const double> normals) {
    for (std::size_t i = 0; i < x_hat_.size(); ++i) {
      const double noise = noise_of(step.t, rows_.z[i], x_hat_[i]);
      rows_.z[i] = step.mean_by_noise(rows_.z[i], noise) + step.deviation * normals[i];
    }
  }

  // A step along the flow. `ratio`: its size over that before, by which x_hat is extrapolated to
  // the middle of the step; 0: taken as it is.
  void follow(const Transition& step, double ratio) {
    const double gain = step.s.alpha * -det_expm1(-half_gap(step)),
                 keep = step.s.sigma / step.t.sigma;
    for (std::size_t i = 0; i < x_hat_.size(); ++i) {
      const double ahead =
          ratio == 0 ? x_hat_[i] : x_hat_[i] + ratio / 2 * (x_hat_[i] - x_hat_before_[i]);
      rows_.z[i] = keep * rows_.z[i] + gain * ahead;
    }
  }

  [[nodiscard]] static double half_gap(const Transition& step) {
    return (step.t.gamma - step.s.gamma) / 2;
  }

 private:
  const Denoiser& denoiser_;
  Sampler::Rows rows_;
  std::size_t count_;
  std::vector<double> x_hat_, x_hat_before_;
};

}  // namespace

void Sampler::run(const Rows& rows, const Draw& draw, const Watch& watch) const {
  const Process& process = denoiser_.process();
  Walk walk(denoiser_, rows);
  std::vector<double> normals(kind_ == SamplerKind::ancestral ? rows.z.size() : 0);
  double gap_before = 0;
  for (std::int64_t i = steps(); i > 0; --i) {
    stop::check();
    const Transition step = transition(process.at(gammas_[at(i - 1)]), process.at(gammas_[at(i)]));
    if (kind_ != SamplerKind::ode || watch) walk.look(step.t);
    if (watch) watch(i, walk.x_hat());
    if (kind_ == SamplerKind::ancestral) {
      draw(i, normals);
      walk.draw(step, normals);
    } else if (kind_ == SamplerKind::ode) {
      const ProbabilityFlow flow(denoiser_, {step.s.gamma, step.t.gamma});
      flow.to_data(rows.z, rows.labels, {.count = 1});
    } else {
      const double gap = Walk::half_gap(step);
      const bool second = kind_ == SamplerKind::dpm2m && gap_before > 0 && i > 1;
      walk.follow(step, second ? gap / gap_before : 0);
      gap_before = gap;
    }
  }
}

}  // namespace logpx::vdm
