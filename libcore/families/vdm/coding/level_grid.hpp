// The Gaussians of a model of T steps as a coder needs them: the levels, the steps between them,
// and a lattice for each level that is fine enough for both of the Gaussians coded on it.
// [vdm/README 12]
#pragma once

#include "libcore/codec/lattice.hpp"
#include "libcore/families/vdm/process.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::vdm {

inline constexpr int lattice_precision = 26;

// 2^-fineness times the smaller deviation of p(z_i|z_i+1) and q(z_i|z_i-1), for i = 0 .. T.
[[nodiscard]] std::vector<double> lattice_spacings(std::span<const double> gammas, int fineness);

struct LevelGrid {
  std::vector<NoiseLevel> levels;  // T + 1
  std::vector<Transition> steps;   // T; steps[i] is from level i to level i + 1
  std::vector<codec::Lattice> lattices;

  // For the variance-preserving process. A data error where the deviations on a level differ so
  // much that no lattice serves both.
  explicit LevelGrid(std::span<const double> gammas);
  [[nodiscard]] std::size_t top() const { return steps.size(); }
};

}  // namespace logpx::vdm
