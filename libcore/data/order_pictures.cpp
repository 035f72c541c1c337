#include "libcore/data/order_pictures.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

constexpr double white = 255;
constexpr std::uint8_t middle_grey = 128;

OrderPictures grey_like(const DatasetInfo& info) {
  OrderPictures pictures{.info = info, .rows = {}};
  pictures.info.levels = 256;
  pictures.info.value_max = white;
  pictures.info.element = Element::u8;
  pictures.info.has_labels = false;
  return pictures;
}

void append(OrderPictures& pictures, std::span<const std::uint8_t> picture) {
  const auto bytes = std::as_bytes(picture);
  pictures.rows.x.insert(pictures.rows.x.end(), bytes.begin(), bytes.end());
  pictures.info.n = ++pictures.rows.count;
}

std::uint8_t grey(double share) { return static_cast<std::uint8_t>(std::lround(white * share)); }

// The step at which each dim of a picture became known, -1 for those that always were.
std::vector<std::int64_t> steps_of(std::span<const std::int32_t> order) {
  std::vector<std::int64_t> steps(order.size(), -1);
  for (std::size_t step = 0; step < order.size() && order[step] >= 0; ++step)
    steps[at(order[step])] = static_cast<std::int64_t>(step);
  return steps;
}

}  // namespace

std::vector<double> mean_steps(std::int64_t dims, const ValueOrders& orders) {
  const std::size_t width = at(dims);
  std::vector<double> steps(width);
  for (std::size_t row = 0; row < at(orders.count); ++row) {
    const std::vector<std::int64_t> own = steps_of(orders.order.subspan(row * width, width));
    for (std::size_t k = 0; k < width; ++k)
      steps[k] += static_cast<double>(std::max<std::int64_t>(own[k], 0));
  }
  for (double& step : steps) step /= static_cast<double>(std::max<std::int64_t>(orders.count, 1));
  return steps;
}

OrderPictures mean_step_map(const DatasetInfo& info, const ValueOrders& orders) {
  const auto last = static_cast<double>(std::max<std::int64_t>(info.dims() - 1, 1));
  std::vector<std::uint8_t> picture;
  for (const double step : mean_steps(info.dims(), orders)) picture.push_back(grey(step / last));
  OrderPictures pictures = grey_like(info);
  append(pictures, picture);
  return pictures;
}

OrderPictures order_frames(const DatasetInfo& info, const Rows& rows, const ValueOrders& orders,
                           std::span<const std::int64_t> frames) {
  const std::size_t dims = at(info.dims());
  const auto values = rows.values<std::uint8_t>();
  const double top = static_cast<double>(std::max<std::int64_t>(info.levels - 1, 1));
  OrderPictures pictures = grey_like(info);
  std::vector<std::uint8_t> picture(dims);
  for (std::size_t row = 0; row < at(orders.count); ++row) {
    const std::vector<std::int64_t> steps = steps_of(orders.order.subspan(row * dims, dims));
    for (const std::int64_t frame : frames) {
      if (orders.policy.empty()) break;
      const auto policy = orders.policy.subspan((row * dims + at(frame - 1)) * dims, dims);
      const double largest = static_cast<double>(*std::ranges::max_element(policy));
      for (std::size_t k = 0; k < dims; ++k)
        picture[k] = largest > 0 ? grey(static_cast<double>(policy[k]) / largest) : 0;
      append(pictures, picture);
    }
    for (const std::int64_t frame : frames) {
      for (std::size_t k = 0; k < dims; ++k) picture[k] = steps[k] < frame ? 255 : 0;
      append(pictures, picture);
    }
    for (const std::int64_t frame : frames) {
      for (std::size_t k = 0; k < dims; ++k)
        picture[k] = steps[k] < frame ? grey(static_cast<double>(values[row * dims + k]) / top)
                                      : middle_grey;
      append(pictures, picture);
    }
  }
  return pictures;
}

}  // namespace logpx
