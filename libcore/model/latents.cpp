#include "libcore/model/latents.hpp"

#include "libcore/det/draws.hpp"

#include <cmath>
#include <numbers>

namespace logpx {

PosteriorDraws draw_posterior(const Posterior& q, const DrawPlace& place, Rng rng) {
  const auto dims = static_cast<std::size_t>(q.dims), count = static_cast<std::size_t>(q.count);
  const auto copies = static_cast<std::size_t>(place.copies);
  PosteriorDraws draws{std::vector<float>(copies * count * dims),
                       std::vector<double>(copies * count)};
  for (std::size_t c = 0; c < copies; ++c) {
    const auto sub = static_cast<std::uint32_t>(place.first_draw + c);
    const std::span<float> z = std::span(draws.z).subspan(c * count * dims, count * dims);
    fill_normals(rng.stream(Stream::evaluation, sub),
                 static_cast<std::uint64_t>(place.first_example) * dims, z);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t e = i * dims; e < (i + 1) * dims; ++e) {
        const double eps = static_cast<double>(z[e]), log_var = static_cast<double>(q.log_var[e]);
        sum += std::log(2 * std::numbers::pi) + log_var + eps * eps;
        z[e] = static_cast<float>(static_cast<double>(q.mean[e]) + std::exp(log_var / 2) * eps);
      }
      draws.log_q[c * count + i] = -sum / 2;
    }
  }
  return draws;
}

}  // namespace logpx
