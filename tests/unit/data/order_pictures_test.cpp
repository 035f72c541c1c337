#include "libcore/data/order_pictures.hpp"

#include <doctest/doctest.h>

namespace logpx::order_pictures_test {
namespace {

DatasetInfo picture_of_four() {
  DatasetInfo info;
  info.content = Content::image;
  info.shape = {2, 2, 1};
  info.levels = 4;
  return info;
}

std::vector<std::uint8_t> picture(const OrderPictures& pictures, std::size_t number) {
  const auto values = pictures.rows.values<std::uint8_t>().subspan(4 * number, 4);
  return {values.begin(), values.end()};
}

using Picture = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("orders: the mean step of a value is its grey, black where it was always known") {
  const std::vector<std::int32_t> order = {3, 2, 1, 0, 3, 0, 1, -1};
  const OrderPictures map = mean_step_map(picture_of_four(), {.count = 2, .order = order});
  CHECK(map.rows.count == 1);
  CHECK(map.info.levels == 256);
  // Steps 3 2 1 0 and 1 2 (known) 0, of at most 3.
  CHECK((picture(map, 0) == Picture{170, 170, 43, 0}));
}

TEST_CASE("orders: the mean step of a value is how many were known before it") {
  const std::vector<std::int32_t> order = {2, 0, 1, 0, 2, -1};
  CHECK((mean_steps(3, {.count = 2, .order = order}) == std::vector<double>{0.5, 1, 0.5}));
}

TEST_CASE("orders: frames show the policy, what is known, and the picture so far") {
  const std::vector<std::int32_t> order = {2, 0, 1, 3};
  std::vector<float> policy(16);
  policy[0] = 0.2F, policy[2] = 0.4F;          // at the first step
  policy[4 + 0] = 0.7F, policy[4 + 3] = 0.3F;  // and the second
  Rows rows;
  rows.count = 1;
  for (const int value : {3, 1, 2, 0}) rows.x.push_back(static_cast<std::byte>(value));
  const std::vector<std::int64_t> frames = {1, 2};
  const OrderPictures shown = order_frames(picture_of_four(), rows, {1, order, policy}, frames);
  CHECK(shown.rows.count == 6);
  CHECK((picture(shown, 0) == Picture{128, 0, 255, 0}));
  CHECK((picture(shown, 1) == Picture{255, 0, 0, 109}));
  CHECK((picture(shown, 2) == Picture{0, 0, 255, 0}));
  CHECK((picture(shown, 3) == Picture{255, 0, 255, 0}));
  CHECK((picture(shown, 4) == Picture{128, 128, 170, 128}));
  CHECK((picture(shown, 5) == Picture{255, 128, 170, 128}));
  CHECK(order_frames(picture_of_four(), rows, {1, order, {}}, frames).rows.count == 4);
}

}  // namespace logpx::order_pictures_test
