#include "libcore/mol/symmetry.hpp"

#include "libcore/base/index.hpp"
#include "libcore/mol/mixing.hpp"

#include <algorithm>
#include <utility>

namespace logpx {

Symmetry::Symmetry(const Molecule& molecule) : molecule_(molecule), n_(molecule.size()) {
  for (std::int64_t i = 0; i < n_; ++i)
    for (std::int64_t j = 0; j < n_; ++j)
      bonds_.push_back(i == j ? std::uint8_t{0} : molecule.bond(i, j));
}

std::uint8_t Symmetry::bond(std::int64_t i, std::int64_t j) const { return bonds_[at(i * n_ + j)]; }

Colours Symmetry::start() const {
  const std::vector<std::uint64_t> types(molecule_.atoms.begin(), molecule_.atoms.end());
  Colours colours(at(n_));
  divide(colours, types);
  return refined(std::move(colours));
}

std::vector<std::int64_t> Symmetry::open_cell(const Colours& colours) const {
  std::vector<std::int64_t> size(at(n_)), cell;
  for (const std::int64_t colour : colours) ++size[at(colour)];
  const auto first = std::ranges::find_if(size, [](std::int64_t count) { return count > 1; });
  for (std::int64_t i = 0; first != size.end() && i < n_; ++i)
    if (colours[at(i)] == first - size.begin()) cell.push_back(i);
  return cell;
}

Colours Symmetry::with_first(Colours colours, std::int64_t atom) const {
  const std::int64_t colour = colours[at(atom)];
  for (std::int64_t i = 0; i < n_; ++i)
    if (i != atom && colours[at(i)] == colour) ++colours[at(i)];
  return refined(std::move(colours));
}

std::vector<std::int64_t> Symmetry::order_of(const Colours& colours) const {
  std::vector<std::int64_t> order(at(n_));
  for (std::int64_t i = 0; i < n_; ++i) order[at(colours[at(i)])] = i;
  return order;
}

// Cuts each cell by the keys of its atoms; returns how many cells there are.
std::int64_t Symmetry::divide(Colours& colours, std::span<const std::uint64_t> keys) const {
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

// Atoms of a cell whose bonds lead to different cells get different colours, until nothing changes.
// Sums of hashes may coincide: that only leaves more to be tried.
Colours Symmetry::refined(Colours colours) const {
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

// A relabelling that keeps the molecule and takes each cell of `from` to that of `to`.
std::optional<AtomImages> Symmetry::images(const Colours& from, const Colours& to) const {
  const std::vector<std::int64_t> cell = open_cell(from);
  if (cell.empty()) return settled_images(from, to);
  const std::int64_t colour = from[at(cell.front())];
  if (std::ranges::count(to, colour) != std::ssize(cell)) return std::nullopt;
  const Colours settled = with_first(from, cell.front());
  for (std::int64_t i = 0; i < n_; ++i)
    if (to[at(i)] == colour)
      if (auto found = images(settled, with_first(to, i))) return found;
  return std::nullopt;
}

// The same where all colours of `from` differ.
std::optional<AtomImages> Symmetry::settled_images(const Colours& from, const Colours& to) const {
  AtomImages image(at(n_), -1);
  for (std::int64_t i = 0; i < n_; ++i)
    for (std::int64_t j = 0; j < n_; ++j)
      if (from[at(i)] == to[at(j)]) image[at(i)] = j;
  for (std::int64_t i = 0; i < n_; ++i) {
    if (image[at(i)] < 0 || molecule_.atoms[at(i)] != molecule_.atoms[at(image[at(i)])])
      return std::nullopt;
    for (std::int64_t j = 0; j < i; ++j)
      if (bond(i, j) != bond(image[at(i)], image[at(j)])) return std::nullopt;
  }
  return image;
}

}  // namespace logpx
