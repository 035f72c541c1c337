#include "libcore/data/binarise.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace logpx::binarise_test {

TEST_CASE("binarise: rules by the words of the command line") {
  CHECK(parse_binarisation("none").rule == Binarise::none);
  CHECK(parse_binarisation("threshold").threshold == 128);
  CHECK(parse_binarisation("threshold:100").threshold == 100);
  CHECK(parse_binarisation("static").rule == Binarise::fixed);
  CHECK(parse_binarisation("dynamic").rule == Binarise::dynamic);
  for (const char* wrong : {"", "threshold:", "threshold:0", "threshold:256", "stochastic"})
    CHECK_THROWS_AS((void)parse_binarisation(wrong), Error);
}

TEST_CASE("binarise: a threshold is reached by the value itself") {
  std::vector<std::uint8_t> x = {0, 127, 128, 255};
  binarise_by_threshold(x, 128);
  CHECK(x == std::vector<std::uint8_t>{0, 0, 1, 1});
}

TEST_CASE("binarise: a draw depends on the element's number alone") {
  std::vector<std::uint8_t> whole(1000, 100);
  binarise_by_draw(whole, 17, evaluation_bits());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::uint8_t> one = {100};
    binarise_by_draw(one, 17 + i, evaluation_bits());
    REQUIRE(one[0] == whole[i]);
    REQUIRE(one[0] == (evaluation_bits().uniform(17 + i) < 100.0 / 255 ? 1 : 0));
  }
}

TEST_CASE("binarise: 0 is never drawn, 255 always, and epochs differ") {
  std::vector<std::uint8_t> zeros(5000, 0), full(5000, 255), a(5000, 128), b(5000, 128);
  binarise_by_draw(zeros, 0, evaluation_bits());
  binarise_by_draw(full, 0, evaluation_bits());
  CHECK(zeros == std::vector<std::uint8_t>(5000, 0));
  CHECK(full == std::vector<std::uint8_t>(5000, 1));
  binarise_by_draw(a, 0, training_bits(Rng(1), 0));
  binarise_by_draw(b, 0, training_bits(Rng(1), 1));
  CHECK(a != b);
}

}  // namespace logpx::binarise_test
