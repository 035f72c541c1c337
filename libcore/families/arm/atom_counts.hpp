// How many molecules of the training data have how many atoms: p(n), by which n is drawn, scored
// and coded before the rest of a molecule.   [arm/README 5.4 and 7]
#pragma once

#include "libcore/math/tensor_ref.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

class AtomCounts {
 public:
  explicit AtomCounts(std::int64_t most_atoms)
      : counts_(static_cast<std::size_t>(most_atoms + 1)) {}
  // Counts molecules with these numbers of atoms.
  void count(std::span<const std::int64_t> atoms);
  // The counts as a model file holds them. `check`: a data error, since anyone may have written it.
  [[nodiscard]] TensorRef tensor();
  void check() const;

  [[nodiscard]] std::int64_t most_atoms() const { return std::ssize(counts_) - 1; }
  [[nodiscard]] double log_p(std::int64_t atoms) const;  // -inf for what was never seen
  [[nodiscard]] std::int64_t draw(double uniform) const;
  // Counts plus one for 1 to most_atoms atoms: a coder must be able to code them all.
  [[nodiscard]] std::vector<double> weights() const;

 private:
  [[nodiscard]] std::int64_t total() const;
  std::vector<std::int64_t> counts_;  // by number of atoms, from 0
};

}  // namespace logpx::arm
