#include "libcore/families/vdm/sampling/completer.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/math/resample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::vdm {
namespace {

constexpr std::int64_t particles_at_once = 64;  // in one pass of the network
constexpr double few = 0.5;  // share of effective samples, below which particles are drawn again

// The particles of some rows on their way from z_1 to z_0, those of a row one after another.
class Swarm {
 public:
  // Keeps references. `first` is the number of the first row among all.
  Swarm(const Denoiser& denoiser, const Completer::Form& form, const ItemNoise& noise)
      : denoiser_(denoiser), form_(form), noise_(noise), dims_(at(denoiser.dims())) {}

  void run(const PartlyKnownRows& rows, std::int64_t first, const Completer::Completed& out) {
    rows_ = rows;
    first_ = first;
    effective_ = out.effective;
    count_ = std::ssize(out.effective) * form_.particles;
    for (std::vector<double>* tensor : {&z_, &hat_}) tensor->resize(at(count_) * dims_);
    log_weights_.assign(at(count_), 0);
    foreseen_.assign(at(count_), 0);
    weights_.assign(at(count_), 1 / static_cast<double>(form_.particles));
    std::ranges::fill(effective_, static_cast<double>(form_.particles));
    const Process& process = denoiser_.process();
    NoiseLevel t = process.at(form_.gammas.back());
    begin(t);
    for (std::int64_t i = std::ssize(form_.gammas) - 1; i > 0; --i) {
      stop::check();
      look(t);
      foresee(t, form_.errors[at(i)]);
      redraw_by_weight(i);
      const NoiseLevel s = process.at(form_.gammas[at(i - 1)]);
      step(transition(s, t), i);
      t = s;
    }
    end(t);
    choose(out.z);
  }

 private:
  [[nodiscard]] std::int64_t row_of(std::int64_t k) const { return k / form_.particles; }
  [[nodiscard]] std::span<double> own(std::vector<double>& tensor, std::int64_t k) const {
    return std::span(tensor).subspan(at(k) * dims_, dims_);
  }
  [[nodiscard]] std::span<double> of_row(std::vector<double>& each, std::int64_t row) const {
    return std::span(each).subspan(at(row * form_.particles), at(form_.particles));
  }
  [[nodiscard]] double x(std::int64_t k, std::size_t d) const {
    return rows_.x[at(row_of(k)) * dims_ + d];
  }
  [[nodiscard]] bool is_known(std::int64_t k, std::size_t d) const {
    return rows_.known[at(row_of(k)) * dims_ + d] != 0;
  }
  // Draw T + 1 is z_1, and 0 that of x given z_0. The first particle draws as a sample without
  // given values does.
  void draw(std::int64_t k, std::int64_t which, std::span<double> normals) const {
    const std::int64_t particle = k % form_.particles, each = std::ssize(form_.gammas) + 1;
    noise_.normals(first_ + row_of(k), static_cast<std::uint64_t>(particle * each + which),
                   normals);
  }

  void begin(const NoiseLevel& last) {
    const double deviation = denoiser_.process().prior_deviation(last.gamma);
    for (std::int64_t k = 0; k < count_; ++k) {
      const std::span<double> z = own(z_, k);
      draw(k, std::ssize(form_.gammas), z);
      for (std::size_t d = 0; d < dims_; ++d) {
        const double n = z[d];
        z[d] = is_known(k, d) ? last.alpha * x(k, d) + last.sigma * n : deviation * n;
        if (!is_known(k, d)) continue;
        // ln p(z_1) - ln q(z_1|x), less what all particles share
        const double u = z[d] / deviation;
        log_weights_[at(k)] += 0.5 * (n * n - u * u);
      }
    }
  }

  void look(const NoiseLevel& t) {
    for (std::int64_t first = 0; first < count_; first += particles_at_once) {
      const std::int64_t count = std::min(particles_at_once, count_ - first);
      const std::vector<NoiseLevel> levels(at(count), t);
      std::vector<std::int32_t> labels;
      if (!rows_.labels.empty())
        for (std::int64_t k = 0; k < count; ++k)
          labels.push_back(rows_.labels[at(row_of(first + k))]);
      const auto part = [&](std::vector<double>& tensor) {
        return std::span(tensor).subspan(at(first) * dims_, at(count) * dims_);
      };
      denoiser_.noise({part(z_), levels, labels}, part(hat_));
    }
    if (!std::ranges::all_of(hat_, [](double noise) { return std::isfinite(noise); }))
      fail(ErrorKind::numeric, "model", "predicts noise that is not finite");
  }

  // Weighs by how likely what is known is to come, as x_hat says: the better it says, the less do
  // the weights change on the way. What was foreseen before is taken back.
  void foresee(const NoiseLevel& t, double error) {
    for (std::int64_t k = 0; k < count_; ++k) {
      double sum = 0;
      for (std::size_t d = 0; d < dims_; ++d) {
        if (!is_known(k, d)) continue;
        const double off = x(k, d) - clean_of(t, own(z_, k)[d], own(hat_, k)[d]);
        sum -= 0.5 * (off * off / error + std::log(error));
      }
      log_weights_[at(k)] += sum - foreseen_[at(k)];
      foreseen_[at(k)] = sum;
    }
  }

  void step(const Transition& step, std::int64_t which) {
    const double scale = std::sqrt(step.snr_loss);
    std::vector<double> normals(dims_);
    for (std::int64_t k = 0; k < count_; ++k) {
      const std::span<double> z = own(z_, k), hat = own(hat_, k);
      draw(k, which, normals);
      for (std::size_t d = 0; d < dims_; ++d) {
        double noise = hat[d];
        if (is_known(k, d)) {
          noise = noise_of(step.t, z[d], x(k, d));
          const double off = scale * (hat[d] - noise);
          log_weights_[at(k)] -= off * (0.5 * off + normals[d]);
        }
        z[d] = step.mean_by_noise(z[d], noise) + step.deviation * normals[d];
      }
    }
  }

  void end(const NoiseLevel& first) {
    const LevelDecoder decoder(std::max<std::int64_t>(form_.levels, 1), first.gamma);
    for (std::int64_t k = 0; k < count_; ++k) {
      log_weights_[at(k)] -= foreseen_[at(k)];
      for (std::size_t d = 0; d < dims_; ++d) {
        if (!is_known(k, d)) continue;
        const double r = own(z_, k)[d] / first.alpha;
        log_weights_[at(k)] +=
            form_.levels > 0 ? decoder.log_probability(level_of_value(x(k, d), form_.levels), r)
                             : -real_nats(first.gamma, x(k, d) - r);
      }
    }
  }

  void weigh(std::int64_t row) {
    if (form_.particles == 1) return;
    const std::span<double> weights = of_row(weights_, row);
    static_cast<void>(importance_weights(of_row(log_weights_, row), weights));
    effective_[at(row)] = std::min(effective_[at(row)], effective_size(weights));
  }

  // Those of a row, each replaced by the one that `from` says.
  void keep(std::span<const std::int64_t> from, std::int64_t row, std::vector<double>& each) const {
    const std::size_t width = each.size() / at(count_);
    const auto own = std::span(each).subspan(at(row) * from.size() * width, from.size() * width);
    const std::vector<double> before(own.begin(), own.end());
    for (std::size_t k = 0; k < from.size(); ++k)
      std::ranges::copy(std::span(before).subspan(at(from[k]) * width, width),
                        own.subspan(k * width, width).begin());
  }

  void redraw_by_weight(std::int64_t which) {
    const auto enough = few * static_cast<double>(form_.particles);
    std::vector<std::int64_t> from(at(form_.particles));
    for (std::int64_t row = 0; row < std::ssize(effective_); ++row) {
      weigh(row);
      if (effective_size(of_row(weights_, row)) >= enough) continue;
      const double u = noise_.uniform(first_ + row, static_cast<std::uint64_t>(which));
      resample(Resampler::systematic, of_row(weights_, row), {&u, 1}, from);
      for (std::vector<double>* each : {&z_, &hat_, &foreseen_}) keep(from, row, *each);
      std::ranges::fill(of_row(log_weights_, row), 0.0);
    }
  }

  void choose(std::span<double> z_0) {
    std::vector<double> sums(at(form_.particles));
    for (std::int64_t row = 0; row < std::ssize(effective_); ++row) {
      weigh(row);
      const std::span<double> weights = of_row(weights_, row);
      std::partial_sum(weights.begin(), weights.end(), sums.begin());
      const std::int64_t chosen = chosen_index(sums, noise_.uniform(first_ + row, 0));
      std::ranges::copy(own(z_, row * form_.particles + chosen),
                        z_0.subspan(at(row) * dims_, dims_).begin());
    }
  }

  const Denoiser& denoiser_;
  const Completer::Form& form_;
  const ItemNoise& noise_;
  std::size_t dims_;
  PartlyKnownRows rows_;
  std::int64_t first_ = 0, count_ = 0;
  std::span<double> effective_;
  std::vector<double> z_, hat_, log_weights_, foreseen_, weights_;
};

}  // namespace

void Completer::run(const PartlyKnownRows& rows, const ItemNoise& noise,
                    const Completed& out) const {
  const std::size_t dims = at(denoiser_.dims()), all = out.effective.size();
  const std::size_t together = at(std::max<std::int64_t>(particles_at_once / form_.particles, 1));
  Swarm swarm(denoiser_, form_, noise);
  for (std::size_t first = 0; first < all; first += together) {
    const std::size_t count = std::min(together, all - first);
    const auto part = [&](auto span) { return span.subspan(first * dims, count * dims); };
    const auto labels = rows.labels.empty() ? rows.labels : rows.labels.subspan(first, count);
    swarm.run({part(rows.x), part(rows.known), labels}, static_cast<std::int64_t>(first),
              {part(out.z), out.effective.subspan(first, count)});
  }
}

}  // namespace logpx::vdm
