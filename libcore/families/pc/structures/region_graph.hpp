// How the variables of a row are split, again and again, until few are left: what circuits of
// regions are made of.   [pc/README 4.5]
//
//   const RegionGraph graph = quad_regions({.height = 28, .width = 28}, QuadSplit::both_halves);
#pragma once

#include "libcore/base/rng.hpp"

#include <cstdint>
#include <vector>

namespace logpx::pc {

// A set of variables. It is split in one way or in several, each time into parts that have no
// variable in common; where it is not split, its variables stand side by side.
struct Region {
  std::vector<int> variables = {};                // of a region that is not split
  std::vector<std::vector<int>> partitions = {};  // numbers of regions
};
struct RegionGraph {
  std::vector<Region> regions;
  int root = -1;  // the region of all variables
};
inline constexpr std::int64_t most_regions = 20'000;

struct RegionCount {
  std::int64_t regions = 0;
  std::int64_t blocks = 0;  // of its circuit, at most
  [[nodiscard]] bool fits() const;
};
[[nodiscard]] RegionCount count_of(const RegionGraph& graph);

// A picture, whose variables are its channels one behind the other, row by row in each.
struct PixelGrid {
  std::int64_t height = 1, width = 1, channels = 1;
  [[nodiscard]] std::int64_t pixels() const { return height * width; }
};

// Pixels are regions of their channels. Two by two cells make one, until one is left; at an odd
// border there are two, or one that goes on alone. How the four are split:
//   halves:      the upper and the lower two
//   quarters:    all four at once
//   both_halves: the upper and the lower two, and beside it the left and the right two
enum class QuadSplit { halves, quarters, both_halves };
[[nodiscard]] RegionGraph quad_regions(const PixelGrid& grid, QuadSplit split);

// Boxes of pixels, cut in two at every multiple of `step` that lies inside, across and along.
// A box that is met twice is one region; those without a cut are not split.   [Poon and Domingos]
[[nodiscard]] RegionGraph box_regions(const PixelGrid& grid, std::int64_t step);
// Its size, without making it.
[[nodiscard]] RegionCount count_of_boxes(const PixelGrid& grid, std::int64_t step);

// Halves at random, `depth` times in sequence or until single variables are left; `repetitions`
// begin anew from all variables. Sets that are met twice are one region.   [Peharz et al. alg. 1]
struct RandomSplits {
  std::int64_t depth = 4, repetitions = 8;
};
[[nodiscard]] RegionGraph random_regions(std::int64_t variables, const RandomSplits& splits,
                                         Substream draws);

}  // namespace logpx::pc
