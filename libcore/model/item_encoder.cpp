#include "libcore/model/item_encoder.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <vector>

namespace logpx {
namespace {

constexpr std::size_t items_encoded_at_a_time = 64;

}  // namespace

void ItemEncoder::posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                            std::span<float> log_var) const {
  const std::size_t size = at(form_.dims), latents = at(form_.latents), count = items.size() / size;
  std::vector<float> x;
  for (std::size_t first = 0; first < count; first += items_encoded_at_a_time) {
    const std::size_t held = std::min(items_encoded_at_a_time, count - first);
    const std::size_t rows = held == 1 ? 1 : items_encoded_at_a_time;  // two plans are enough
    x.assign(rows * size, 0.0F);
    for (std::size_t r = 0; r < held; ++r)
      for (std::size_t i = 0; i < size; ++i)
        x[r * size + form_.places(i)] =
            static_cast<float>(static_cast<double>(items[(first + r) * size + i]) / form_.unit);
    net_.run({{"x", x}}, static_cast<std::int64_t>(rows), [&](const Executor<float>& done) {
      const auto means = done.output("mean").span(), log_vars = done.output("log_var").span();
      for (std::size_t i = 0; i < held * latents; ++i) {
        mean[first * latents + i] = means[i];
        log_var[first * latents + i] = log_vars[i % log_vars.size()];
      }
    });
  }
}

}  // namespace logpx
