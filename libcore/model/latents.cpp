#include "libcore/model/latents.hpp"

#include "libcore/base/error.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/det/draws.hpp"

#include <cmath>
#include <numbers>

namespace logpx {

std::vector<float> ModelLatents::observed(const Examples& examples) const {
  return stored_values(examples.info, examples.rows);
}

double log_density(const Posterior& q, std::size_t row, std::span<const float> z,
                   std::span<double> gradient) {
  LOGPX_ASSERT(std::ssize(z) == q.dims && (gradient.empty() || gradient.size() == z.size()));
  double sum = 0;
  for (std::size_t d = 0; d < z.size(); ++d) {
    const auto log_var = static_cast<double>(q.log_var[row * z.size() + d]);
    const double off = static_cast<double>(z[d]) - static_cast<double>(q.mean[row * z.size() + d]);
    const double pull = off * std::exp(-log_var);
    sum += std::log(2 * std::numbers::pi) + log_var + off * pull;
    if (!gradient.empty()) gradient[d] = -pull;
  }
  return -sum / 2;
}

PosteriorDraws draw_posterior(const Posterior& q, const DrawPlace& place, Rng rng) {
  const auto dims = static_cast<std::size_t>(q.dims), count = static_cast<std::size_t>(q.count);
  const auto copies = static_cast<std::size_t>(place.copies);
  PosteriorDraws draws{std::vector<float>(copies * count * dims),
                       std::vector<double>(copies * count)};
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::uint32_t>(place.first_example + static_cast<std::int64_t>(i));
    const Substream noise = rng.stream(Stream::evaluation, row);
    for (std::size_t c = 0; c < copies; ++c) {
      const std::span<float> z = std::span(draws.z).subspan((c * count + i) * dims, dims);
      fill_normals(noise, (static_cast<std::uint64_t>(place.first_draw) + c) * dims, z);
      double sum = 0;
      for (std::size_t d = 0; d < dims; ++d) {
        const double eps = static_cast<double>(z[d]);
        const auto log_var = static_cast<double>(q.log_var[i * dims + d]);
        sum += std::log(2 * std::numbers::pi) + log_var + eps * eps;
        z[d] = static_cast<float>(static_cast<double>(q.mean[i * dims + d]) +
                                  std::exp(log_var / 2) * eps);
      }
      draws.log_q[c * count + i] = -sum / 2;
    }
  }
  return draws;
}

}  // namespace logpx
