#include "formats/draw/bond_lines.hpp"

#include "libcore/base/index.hpp"
#include "libcore/mol/molecule.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace logpx::draw {
namespace {

constexpr double apart = 0.17, of_triple = 0.14, cut_inside = 0.13;

// The atoms of the smallest ring with this bond; none: it is in no ring.
std::vector<std::size_t> ring_of(const BondedAtoms& atoms, std::size_t i, std::size_t j) {
  std::vector<std::int64_t> from(atoms.places.size(), -1);
  from[i] = static_cast<std::int64_t>(i);
  std::deque<std::size_t> open = {i};
  while (!open.empty() && from[j] < 0) {
    const std::size_t at = open.front();
    open.pop_front();
    for (const std::size_t next : atoms.neighbours(at)) {
      if (from[next] >= 0 || (at == i && next == j)) continue;
      from[next] = static_cast<std::int64_t>(at);
      open.push_back(next);
    }
  }
  std::vector<std::size_t> ring;
  if (from[j] < 0) return ring;
  for (std::size_t at = j; at != i; at = static_cast<std::size_t>(from[at])) ring.push_back(at);
  ring.push_back(i);
  return ring;
}

// Above 0 where `at` is to the left of the way from a to b.
double side(PlanePoint a, PlanePoint b, PlanePoint at) {
  return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
}

// 1: to the left of the way from i to j, -1: to the right, 0: neither.
int side_of_second(const BondedAtoms& atoms, std::size_t i, std::size_t j) {
  const PlanePoint a = atoms.places[i], b = atoms.places[j];
  if (const std::vector<std::size_t> ring = ring_of(atoms, i, j); !ring.empty()) {
    double sum = 0;
    for (const std::size_t atom : ring) sum += side(a, b, atoms.places[atom]);
    return sum >= 0 ? 1 : -1;
  }
  const std::vector<std::size_t> of_i = atoms.neighbours(i), of_j = atoms.neighbours(j);
  if (of_i.size() < 2 || of_j.size() < 2) return 0;
  int votes = 0;
  for (const auto* neighbours : {&of_i, &of_j})
    for (const std::size_t atom : *neighbours)
      if (atom != i && atom != j) votes += side(a, b, atoms.places[atom]) > 0 ? 1 : -1;
  return (votes > 0) - (votes < 0);
}

struct BondFrame {
  PlanePoint a, b, along, left;  // unit vectors
  [[nodiscard]] BondLine shifted(double to_left, double cut) const {
    const auto moved = [&](PlanePoint at, double by) {
      return PlanePoint{at.x + to_left * left.x + by * along.x,
                        at.y + to_left * left.y + by * along.y};
    };
    return {moved(a, cut), moved(b, -cut)};
  }
};

}  // namespace

std::int64_t BondedAtoms::order(std::size_t i, std::size_t j) const {
  const auto n = static_cast<std::int64_t>(places.size());
  const auto [low, high] =
      std::minmax({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)});
  const std::uint8_t order = bonds[at(pair_number(n, low, high))];
  return order < bond_kinds ? order : 0;
}

std::vector<std::size_t> BondedAtoms::neighbours(std::size_t i) const {
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < places.size(); ++j)
    if (j != i && order(i, j) > 0) found.push_back(j);
  return found;
}

std::vector<BondLine> lines_of_bond(const BondedAtoms& atoms, std::size_t i, std::size_t j) {
  const PlanePoint a = atoms.places[i], b = atoms.places[j];
  const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-6);
  const PlanePoint along = {(b.x - a.x) / length, (b.y - a.y) / length};
  const BondFrame bond = {a, b, along, {-along.y, along.x}};
  switch (atoms.order(i, j)) {
    case 1: return {bond.shifted(0, 0)};
    case 2:
      if (const int where = side_of_second(atoms, i, j); where != 0)
        return {bond.shifted(0, 0), bond.shifted(where * apart, cut_inside)};
      return {bond.shifted(apart / 2, 0), bond.shifted(-apart / 2, 0)};
    case 3: return {bond.shifted(0, 0), bond.shifted(of_triple, 0), bond.shifted(-of_triple, 0)};
    default: return {};
  }
}

}  // namespace logpx::draw
