// How many molecules of the training data have how many atoms: p(n), of which a molecule is drawn,
// scored and coded first.   [spec/loarm.md sections 6.4, 7 and 8]
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
  // Of molecules of so many atoms each.
  void count(std::span<const std::int64_t> atoms);
  // As it is stored with a model. `check` is for what anyone may have written: a data error.
  [[nodiscard]] TensorRef tensor();
  void check() const;

  [[nodiscard]] std::int64_t most_atoms() const { return std::ssize(counts_) - 1; }
  [[nodiscard]] double log_p(std::int64_t atoms) const;  // -inf for what was never seen
  [[nodiscard]] std::int64_t draw(double uniform) const;
  // Of 1 to most_atoms atoms, for a coder that must be able to code them all: one more each.
  [[nodiscard]] std::vector<double> weights() const;

 private:
  [[nodiscard]] std::int64_t total() const;
  std::vector<std::int64_t> counts_;  // by number of atoms, from 0
};

}  // namespace logpx::arm
