#include "libcore/mol/canonical.hpp"

#include "libcore/base/index.hpp"
#include "libcore/mol/mixing.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace logpx {
namespace {

// Atoms of one colour are a cell; the colour is the number of atoms before the cell, and cells are
// in an order that does not depend on labels. Once all colours differ, the order is settled.
using Colours = std::vector<std::int64_t>;

class Symmetry {
 public:
  explicit Symmetry(const Molecule& molecule) : molecule_(molecule), n_(molecule.size()) {
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < n_; ++j)
        bonds_.push_back(i == j ? std::uint8_t{0} : molecule.bond(i, j));
  }

  // Cells of atoms of one type, refined by their bonds.
  [[nodiscard]] Colours start() const {
    std::vector<std::uint64_t> types(molecule_.atoms.begin(), molecule_.atoms.end());
    Colours colours(at(n_));
    divide(colours, types);
    return refined(std::move(colours));
  }

  // The atoms of the first cell that has more than one; empty if there is none.
  [[nodiscard]] std::vector<std::int64_t> open_cell(const Colours& colours) const {
    std::vector<std::int64_t> size(at(n_)), cell;
    for (const std::int64_t colour : colours) ++size[at(colour)];
    const auto first = std::ranges::find_if(size, [](std::int64_t count) { return count > 1; });
    for (std::int64_t i = 0; first != size.end() && i < n_; ++i)
      if (colours[at(i)] == first - size.begin()) cell.push_back(i);
    return cell;
  }

  // Puts an atom before the others of its cell.
  [[nodiscard]] Colours with_first(Colours colours, std::int64_t atom) const {
    const std::int64_t colour = colours[at(atom)];
    for (std::int64_t i = 0; i < n_; ++i)
      if (i != atom && colours[at(i)] == colour) ++colours[at(i)];
    return refined(std::move(colours));
  }

  // Whether some relabelling keeps the molecule and takes each cell of `from` to that of `to`.
  [[nodiscard]] bool alike(const Colours& from, const Colours& to) const {
    const std::vector<std::int64_t> cell = open_cell(from);
    if (cell.empty()) return is_same(from, to);
    const std::int64_t colour = from[at(cell.front())];
    if (std::ranges::count(to, colour) != std::ssize(cell)) return false;
    const Colours settled = with_first(from, cell.front());
    for (std::int64_t i = 0; i < n_; ++i)
      if (to[at(i)] == colour && alike(settled, with_first(to, i))) return true;
    return false;
  }
  // Whether one of these takes `atom` to `other` of the same cell.
  [[nodiscard]] bool alike(const Colours& colours, std::int64_t atom, std::int64_t other) const {
    return alike(with_first(colours, atom), with_first(colours, other));
  }

  [[nodiscard]] Molecule ordered(const Colours& colours) const {
    std::vector<std::int64_t> order(at(n_));
    for (std::int64_t i = 0; i < n_; ++i) order[at(colours[at(i)])] = i;
    return relabelled(molecule_, order);
  }

 private:
  [[nodiscard]] std::uint8_t bond(std::int64_t i, std::int64_t j) const {
    return bonds_[at(i * n_ + j)];
  }

  // Cuts each cell by the keys of its atoms; returns how many cells there are.
  std::int64_t divide(Colours& colours, const std::vector<std::uint64_t>& keys) const {
    std::vector<std::pair<std::pair<std::int64_t, std::uint64_t>, std::int64_t>> atoms;
    for (std::int64_t i = 0; i < n_; ++i) atoms.push_back({{colours[at(i)], keys[at(i)]}, i});
    std::ranges::sort(atoms);
    std::int64_t cells = 0, colour = 0;
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      if (k == 0 || atoms[k].first != atoms[k - 1].first) {
        ++cells;
        colour = static_cast<std::int64_t>(k);
      }
      colours[at(atoms[k].second)] = colour;
    }
    return cells;
  }

  // Atoms of a cell whose bonds lead to different cells get different colours, until nothing
  // changes. Sums of hashes may coincide: that only leaves more to be tried.
  [[nodiscard]] Colours refined(Colours colours) const {
    std::vector<std::uint64_t> keys(at(n_));
    for (std::int64_t cells = 0;;) {
      for (std::int64_t i = 0; i < n_; ++i) {
        keys[at(i)] = 0;
        for (std::int64_t j = 0; j < n_; ++j)
          if (bond(i, j) != 0)
            keys[at(i)] += mixed(static_cast<std::uint64_t>(colours[at(j)]) << 8 | bond(i, j));
      }
      const std::int64_t now = divide(colours, keys);
      if (now == cells || now == n_) return colours;
      cells = now;
    }
  }

  // All colours differ: whether both orders of the atoms give the same molecule.
  [[nodiscard]] bool is_same(const Colours& from, const Colours& to) const {
    std::vector<std::int64_t> image(at(n_), -1);
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t j = 0; j < n_; ++j)
        if (from[at(i)] == to[at(j)]) image[at(i)] = j;
    for (std::int64_t i = 0; i < n_; ++i) {
      if (image[at(i)] < 0 || molecule_.atoms[at(i)] != molecule_.atoms[at(image[at(i)])])
        return false;
      for (std::int64_t j = 0; j < i; ++j)
        if (bond(i, j) != bond(image[at(i)], image[at(j)])) return false;
    }
    return true;
  }

  const Molecule& molecule_;
  std::int64_t n_;
  std::vector<std::uint8_t> bonds_;  // [n,n]
};

bool comes_before(const Molecule& a, const Molecule& b) {
  return std::tie(a.atoms, a.bonds) < std::tie(b.atoms, b.bonds);
}

// The least molecule over all orders that the colours leave open. Where a symmetry exchanges atoms
// of a cell, one of them is tried.
void find_least(const Symmetry& symmetry, const Colours& colours, std::optional<Molecule>& least) {
  const std::vector<std::int64_t> cell = symmetry.open_cell(colours);
  if (cell.empty()) {
    Molecule made = symmetry.ordered(colours);
    if (!least || comes_before(made, *least)) least = std::move(made);
    return;
  }
  std::vector<std::int64_t> tried;
  for (const std::int64_t atom : cell) {
    const auto is_alike = [&](std::int64_t other) { return symmetry.alike(colours, other, atom); };
    if (std::ranges::any_of(tried, is_alike)) continue;
    tried.push_back(atom);
    find_least(symmetry, symmetry.with_first(colours, atom), least);
  }
}

}  // namespace

Molecule canonical(const Molecule& molecule) {
  const Symmetry symmetry(molecule);
  std::optional<Molecule> least;
  find_least(symmetry, symmetry.start(), least);
  return *least;
}

double automorphisms(const Molecule& molecule) {
  const Symmetry symmetry(molecule);
  double count = 1;
  for (Colours colours = symmetry.start();;) {
    const std::vector<std::int64_t> cell = symmetry.open_cell(colours);
    if (cell.empty()) return count;
    // How many places the first atom of the cell can go to while those settled before it stay.
    count *= static_cast<double>(std::ranges::count_if(
        cell, [&](std::int64_t atom) { return symmetry.alike(colours, cell.front(), atom); }));
    colours = symmetry.with_first(std::move(colours), cell.front());
  }
}

}  // namespace logpx
