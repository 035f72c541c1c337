// Rings and pieces of a small graph, from products of its adjacency matrix.   [arm/README 8.4]
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

// edges [n,n]: symmetric, 1 or 0, with a zero diagonal.
struct RingCounts {
  std::vector<std::array<double, 3>> of_nodes;  // [n]: rings of 3, 4, 5 nodes that go through each
  std::array<double, 4> of_graph{};             // rings of 3 to 6 nodes
};
[[nodiscard]] RingCounts count_rings(std::span<const double> edges, std::int64_t n);

struct Spectrum {
  double pieces = 0;                           // eigenvalues that are 0
  std::array<double, 5> values{};              // the lowest others over n; 2 where there are none
  std::vector<std::array<double, 2>> vectors;  // [n]: of the lowest two; their largest entry > 0
};
// The spectrum of the Laplacian.
[[nodiscard]] Spectrum spectrum_of(std::span<const double> edges, std::int64_t n);

}  // namespace logpx
