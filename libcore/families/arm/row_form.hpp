// Which dims rows have, and how many values each dim can take. Dims of plain rows are alike, except
// that a column of words takes its own words only. The dims of a molecule are its atoms, then the
// bonds of all pairs of them, at the places where a stored row with room for the most atoms has
// them; the other dims are absent.   [arm/README 9]
#pragma once

#include "libcore/data/dataset.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "libcore/model/levels_of_x.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

// How many molecules of the training data have how many atoms: p(n), by which n is drawn, scored
// and coded before the rest of a molecule.   [arm/README 5.4 and 7]
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

inline constexpr std::int32_t absent = -1;  // x of a dim that its row does not have

class RowForm {
 public:
  RowForm(std::int64_t dims, const LevelsOfX& levels) : dims_(dims), levels_(levels) {}
  // For data whose values are read as this many levels.
  RowForm(const DatasetInfo& data, std::int64_t levels);
  // The same, but columns of words take all levels, too.
  [[nodiscard]] RowForm of_all_levels() const;

  [[nodiscard]] std::int64_t dims() const { return dims_; }
  [[nodiscard]] std::int64_t levels() const { return levels_.most(); }  // of the dim with the most
  [[nodiscard]] std::int64_t levels_of(std::int64_t dim) const;
  // For plain rows only.
  [[nodiscard]] const LevelsOfX& values() const { return levels_; }

  [[nodiscard]] bool holds_molecules() const { return most_atoms_ > 0; }
  // 0 unless rows are molecules.
  [[nodiscard]] std::int64_t most_atoms() const { return most_atoms_; }
  [[nodiscard]] std::int64_t atom_types() const { return atom_types_; }
  // How many atoms a row x [dims] has.
  [[nodiscard]] std::int64_t atoms_of(std::span<const std::int32_t> x) const;
  // The dims of a molecule of this many atoms: atoms, then its own pairs, row by row; `absent` for
  // those beyond the most atoms. For plain rows: all dims.
  [[nodiscard]] std::vector<std::int32_t> dims_of(std::int64_t atoms) const;
  // Atoms of the largest molecule in x [rows, dims], as networks take them; 0 for plain rows.
  [[nodiscard]] std::int64_t extent_of(std::span<const std::int32_t> x) const;

 private:
  std::int64_t dims_, most_atoms_ = 0, atom_types_ = 0;
  LevelsOfX levels_;
};

// Networks see graphs of at least two atoms, one of which may be absent.
[[nodiscard]] constexpr std::int64_t extent_of_atoms(std::int64_t atoms) {
  return atoms < 2 ? 2 : atoms;
}

}  // namespace logpx::arm
