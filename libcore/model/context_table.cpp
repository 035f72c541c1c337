#include "libcore/model/context_table.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t largest_distance = 4;
constexpr double least_bright = 252.0 / 255;  // of the highest level

struct Offset {
  std::int64_t down = 0, right = 0;
};

// The nearest ones before a pixel; of equally near ones, the upper and then the left first.
std::vector<Offset> nearest_before(std::int64_t count) {
  std::vector<Offset> all;
  for (std::int64_t down = -largest_distance; down <= 0; ++down)
    for (std::int64_t right = -largest_distance; right <= largest_distance; ++right)
      if (down < 0 || right < 0) all.push_back({down, right});
  std::ranges::sort(all, {}, [](const Offset& o) {
    return std::tuple(o.down * o.down + o.right * o.right, o.down, o.right);
  });
  all.resize(at(count));
  return all;
}

}  // namespace

std::shared_ptr<const ContextTable> context_table(std::int64_t neighbours, const Extents& extents,
                                                  const Likelihood& likelihood) {
  LOGPX_ASSERT(0 < neighbours && neighbours <= most_neighbours);
  auto table = std::make_shared<ContextTable>();
  table->channels = extents.channels;
  table->pixels = extents.height * extents.width;
  table->seen = neighbours * extents.channels + extents.channels - 1;
  const std::vector<Offset> offsets = nearest_before(neighbours);
  for (std::int64_t dim = 0; dim < table->dims(); ++dim) {
    const std::int64_t channel = dim / table->pixels, pixel = dim % table->pixels,
                       row = pixel / extents.width, column = pixel % extents.width;
    for (const Offset& o : offsets) {
      const std::int64_t r = row + o.down, c = column + o.right;
      const bool inside = r >= 0 && c >= 0 && c < extents.width;
      for (std::int64_t k = 0; k < extents.channels; ++k)
        table->places.push_back(
            inside ? static_cast<std::int32_t>(k * table->pixels + r * extents.width + c)
                   : ContextTable::outside);
    }
    for (std::int64_t k = 0; k + 1 < extents.channels; ++k)
      table->places.push_back(k < channel ? static_cast<std::int32_t>(k * table->pixels + pixel)
                                          : ContextTable::later);
  }
  if (likelihood.takes() != ValuesOfX::levels) return table;
  const auto top = static_cast<double>(likelihood.levels() - 1);
  table->scale = 2 / top;
  table->shift = -1;
  table->bright = std::ceil(top * least_bright);
  return table;
}

Fronts fronts_of(const ContextTable& table) {
  Fronts fronts;
  std::vector<std::size_t> front_of(at(table.dims()));
  const auto find_front = [&](std::int64_t dim) {
    std::size_t front = 0;
    for (std::int64_t i = 0; i < table.seen; ++i)
      if (const std::int32_t place = table.places_of(dim)[i]; place >= 0)
        front = std::max(front, front_of[at(place)] + 1);
    return front;
  };
  for (std::int64_t pixel = 0; pixel < table.pixels; ++pixel)
    for (std::int64_t channel = 0; channel < table.channels; ++channel) {
      const std::int64_t dim = channel * table.pixels + pixel;
      const std::size_t front = front_of[at(dim)] = find_front(dim);
      if (front >= fronts.size()) fronts.resize(front + 1);
      fronts[front].push_back(static_cast<std::int32_t>(dim));
    }
  for (auto& front : fronts) std::ranges::sort(front);
  return fronts;
}

ContextChoice::ContextChoice(std::shared_ptr<const ContextTable> table, double share)
    : table_(std::move(table)), step_(1 / share), seers_(at(table_->pixels)) {
  LOGPX_ASSERT(share > 0 && share <= 1);
  for (std::int64_t pixel = 0; pixel < table_->pixels; ++pixel) {
    const std::int64_t last = (table_->channels - 1) * table_->pixels + pixel;
    for (const std::int32_t place : std::span(table_->places_of(last), at(table_->seen)))
      if (place >= 0)
        seers_[at(place % table_->pixels)].push_back(static_cast<std::int32_t>(pixel));
  }
}

// Few pixels are not 0, so those are told to the ones that see them.
std::vector<bool> ContextChoice::background(std::span<const float> x) const {
  std::vector<bool> plain(at(table_->pixels), true);
  for (std::size_t dim = 0; dim < x.size(); ++dim) {
    if (x[dim] == 0) continue;
    const std::size_t pixel = dim % plain.size();
    plain[pixel] = false;
    for (const std::int32_t seer : seers_[pixel]) plain[at(seer)] = false;
  }
  return plain;
}

std::int64_t ContextChoice::most(std::span<const float> x) const {
  const std::int64_t plain = std::ranges::count(background(x), true);
  const auto taken = static_cast<std::int64_t>(std::ceil(static_cast<double>(plain) / step_));
  return (table_->pixels - plain + taken) * table_->channels;
}

// Background pixels are taken at equal steps from a random first one.
void ContextChoice::choose(std::span<const float> x, double u, std::span<std::int32_t> dims,
                           std::span<float> weights) const {
  const std::vector<bool> is_background = background(x);
  std::size_t taken = 0;
  std::int64_t passed = 0, found = 0;
  for (std::int64_t pixel = 0; pixel < table_->pixels; ++pixel) {
    const bool plain = is_background[at(pixel)];
    if (plain && passed++ < static_cast<std::int64_t>((u + static_cast<double>(found)) * step_))
      continue;
    if (plain) ++found;
    for (std::int64_t channel = 0; channel < table_->channels; ++channel, ++taken) {
      dims[taken] = static_cast<std::int32_t>(channel * table_->pixels + pixel);
      weights[taken] = plain ? static_cast<float>(step_) : 1.0F;
    }
  }
  std::ranges::fill(dims.subspan(taken), 0);
  std::ranges::fill(weights.subspan(taken), 0.0F);
}

}  // namespace logpx
