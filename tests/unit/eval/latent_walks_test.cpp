#include "libcore/eval/sample_makers.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

namespace logpx::latent_walks_test {

TEST_CASE("latent walks: on a manifold x grows to the right and y upwards") {
  const std::int64_t nodes = 3, dims = 4;
  const LatentWalk walk = manifold(dims, nodes, {.right = 3, .up = 1});
  const std::vector<double> axis = quantile_axis(nodes);
  CHECK(walk.columns == nodes);
  REQUIRE(walk.count() == nodes * nodes);
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) {
      const float* z = &walk.z[(r * 3 + c) * 4];
      CHECK(z[3] == static_cast<float>(axis[c]));
      CHECK(z[1] == static_cast<float>(axis[2 - r]));
      CHECK(z[0] == 0);
      CHECK(z[2] == 0);
    }
}

TEST_CASE("latent walks: latents that are not there are usage errors") {
  CHECK_THROWS_AS((void)manifold(2, 3, {.right = 0, .up = 2}), Error);
  CHECK_THROWS_AS((void)manifold(2, 3, {.right = -1, .up = 1}), Error);
  CHECK_THROWS_AS((void)manifold(2, 3, {.right = 1, .up = 1}), Error);
  CHECK_THROWS_AS((void)traversal(2, std::array<std::int64_t, 1>{2}, {}, 3), Error);
}

TEST_CASE("latent walks: a traversal moves one latent at a time from end to end") {
  const std::array<std::int64_t, 2> axes{2, 0};
  const LatentWalk walk = traversal(3, axes, {.low = 1, .high = 4}, 4);
  CHECK(walk.columns == 4);
  CHECK(walk.z == std::vector<float>{0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4,  //
                                     1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0});
}

TEST_CASE("latent walks: interpolations begin and end at their points") {
  const std::vector<float> a{1, 2, -3}, b{0.5F, 0, 8};
  for (const Path path : {Path::line, Path::arc}) {
    const LatentWalk walk = interpolation(a, b, 5, path);
    REQUIRE(walk.count() == 5);
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(walk.z[d] == doctest::Approx(a[d]).epsilon(1e-6));
      CHECK(walk.z[12 + d] == doctest::Approx(b[d]).epsilon(1e-6));
    }
  }
}

TEST_CASE("latent walks: an arc keeps the length and between parallel points is a line") {
  const std::array<double, 2> a{3, 0}, b{0, 3}, twice{6, 0}, zero{0, 0};
  for (const double t : {0.1, 0.5, 0.8}) {
    const std::vector<double> p = between(a, b, t, Path::arc);
    CHECK(std::hypot(p[0], p[1]) == doctest::Approx(3));
    CHECK(between(a, twice, t, Path::arc) == between(a, twice, t, Path::line));
    CHECK(between(a, zero, t, Path::arc) == between(a, zero, t, Path::line));
  }
}

}  // namespace logpx::latent_walks_test
