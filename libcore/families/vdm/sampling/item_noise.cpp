#include "libcore/families/vdm/sampling/item_noise.hpp"

#include "libcore/det/draws.hpp"
#include "libcore/math/low_discrepancy.hpp"

#include <algorithm>
#include <vector>

namespace logpx::vdm {

void ItemNoise::normals(std::int64_t item, std::uint64_t which, std::span<double> out) const {
  std::vector<float> own(out.size());
  const std::uint64_t width = (out.size() + 1) / 2 * 2;  // normals come in pairs
  fill_normals(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + item)),
               which * width, own);
  std::ranges::copy(own, out.begin());
}

double ItemNoise::uniform(std::int64_t item, std::uint64_t which) const {
  return uniform53_at(rng.stream(Stream::resample, static_cast<std::uint32_t>(first + item)),
                      which);
}

}  // namespace logpx::vdm
