#include "libcore/train/row_noise.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"

namespace logpx {

void fill_row_noise(std::span<float> noise, const NoiseBlock& block,
                    const std::function<Substream(std::int64_t row)>& of_row) {
  if (block.count == 0) return;
  const std::int64_t dims = std::ssize(noise) / (block.copies * block.count);
  for (std::int64_t row = 0; row < block.count; ++row) {
    const Substream stream = of_row(row);
    for (std::int64_t copy = 0; copy < block.copies; ++copy)
      fill_normals(stream, static_cast<std::uint64_t>((block.first_copy + copy) * dims),
                   noise.subspan(at((copy * block.count + row) * dims), at(dims)));
  }
}

}  // namespace logpx
