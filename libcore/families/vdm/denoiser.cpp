#include "libcore/families/vdm/denoiser.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>

namespace logpx::vdm {
namespace {

// Rows as the network reads them.
struct NetworkRows {
  std::vector<double> z, gamma;
  NetworkRows(const Denoiser::Rows& rows, std::int64_t dims) : z(rows.z.begin(), rows.z.end()) {
    for (std::size_t r = 0; r < rows.levels.size(); ++r) {
      gamma.push_back(rows.levels[r].gamma);
      const double scale = rows.levels[r].to_network;
      if (scale == 1) continue;
      for (double& value : std::span(z).subspan(r * at(dims), at(dims))) value *= scale;
    }
  }
};

}  // namespace

void Denoiser::predict(const NoisyRows& rows, std::span<double> noise) const {
  network_.predict(rows, noise);
  if (guidance_ == 0 || rows.labels.empty()) return;
  const std::vector<std::int32_t> none(rows.labels.size(), no_label);
  std::vector<double> unlabelled(noise.size());
  network_.predict({rows.z, rows.gamma, none}, unlabelled);
  for (std::size_t i = 0; i < noise.size(); ++i)
    noise[i] = (1 + guidance_) * noise[i] - guidance_ * unlabelled[i];
}

void Denoiser::clip(const Rows& rows, std::span<double> noise) const {
  const std::size_t dims = at(network_.dims());
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const NoiseLevel& level = rows.levels[i / dims];
    const double x = clean_of(level, rows.z[i], noise[i]);
    if (x > *limit_) noise[i] = noise_of(level, rows.z[i], *limit_);
    else if (x < -*limit_) noise[i] = noise_of(level, rows.z[i], -*limit_);
  }
}

void Denoiser::noise(const Rows& rows, std::span<double> noise) const {
  const NetworkRows seen(rows, dims());
  predict({seen.z, seen.gamma, rows.labels}, noise);
  if (limit_) clip(rows, noise);
}

void Denoiser::noise_with_slope(const Rows& rows, std::span<const double> direction,
                                std::span<double> noise, std::span<double> slope) const {
  LOGPX_ASSERT(!limit_ && guidance_ == 0);
  const NetworkRows seen(rows, dims());
  network_.predict_with_slope({seen.z, seen.gamma, rows.labels}, direction, noise, slope);
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] *= rows.levels[i / at(dims())].to_network;
}

}  // namespace logpx::vdm
