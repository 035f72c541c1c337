// Orders in numbers and pictures: when values became known, as samples of models of orders record
// it (logpx-samples(5): order, policy).   [data/README 5.4]
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// For `count` rows: the dim of every step, -1 behind the last one; and, if kept, the probability
// of every dim at every step.
struct ValueOrders {
  std::int64_t count = 0;
  std::span<const std::int32_t> order;  // [count, dims]
  std::span<const float> policy = {};   // [count, dims, dims]
};

// Grey pictures of 256 levels in the shape of `info`.
struct OrderPictures {
  DatasetInfo info;
  Rows rows;
};

// How many values were known before each of `dims` dims, on average over the rows; a dim that was
// known from the start counts 0.
[[nodiscard]] std::vector<double> mean_steps(std::int64_t dims, const ValueOrders& orders);

// The same as one picture: black for the first, white for the last.
[[nodiscard]] OrderPictures mean_step_map(const DatasetInfo& info, const ValueOrders& orders);

// For each picture, a line of frames after the given numbers of steps: the policy that chooses the
// next value, if kept, as a share of its largest; a mask of the known values, in white; and the
// picture so far, middle grey where nothing is known.
[[nodiscard]] OrderPictures order_frames(const DatasetInfo& info, const Rows& rows,
                                         const ValueOrders& orders,
                                         std::span<const std::int64_t> frames);

}  // namespace logpx
