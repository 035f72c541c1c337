#include "libcore/mol/numbering.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/mol/canonical.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace logpx::numbering_test {
namespace {

using Order = std::vector<std::int64_t>;
using Parts = std::pair<std::vector<std::uint8_t>, std::vector<std::uint8_t>>;

Parts parts_of(const Molecule& molecule) { return {molecule.atoms, molecule.bonds}; }

Molecule drawn(Cursor& cursor, std::int64_t atoms, std::uint32_t types, std::uint32_t orders) {
  Molecule made;
  for (std::int64_t i = 0; i < atoms; ++i)
    made.atoms.push_back(static_cast<std::uint8_t>(cursor.below(types)));
  for (std::int64_t pair = 0; pair < pairs_of(atoms); ++pair)
    made.bonds.push_back(static_cast<std::uint8_t>(cursor.below(orders)));
  return made;
}

std::set<Parts> all_relabellings(const Molecule& molecule) {
  Order order(at(molecule.size()));
  std::iota(order.begin(), order.end(), 0);
  std::set<Parts> all;
  do all.insert(parts_of(relabelled(molecule, order)));
  while (std::ranges::next_permutation(order).found);
  return all;
}

// Every way to number the atoms, by the places that were taken; only the first of atoms alike is.
void each_numbering(const Molecule& molecule, std::vector<std::uint32_t>& taken,
                    const std::function<void(const Order&)>& visit) {
  Numbering numbering(molecule);
  for (const std::uint32_t place : taken) numbering.take(place);
  if (numbering.left() == 0) return visit(numbering.order());
  for (std::uint32_t place = 0; place < numbering.left(); ++place) {
    if (numbering.alike(place).front() != place) continue;
    taken.push_back(place);
    each_numbering(molecule, taken, visit);
    taken.pop_back();
  }
}

std::vector<Molecule> molecules_to_number() {
  Cursor cursor(Substream(17, Stream::test, 0));
  std::vector<Molecule> all;
  for (int i = 0; i < 40; ++i)
    all.push_back(drawn(cursor, i % 6, 1 + cursor.below(2), 1 + cursor.below(3)));
  Molecule triangles{.atoms = std::vector<std::uint8_t>(6), .bonds = std::vector<std::uint8_t>(15)};
  for (const auto& [i, j] : {std::pair{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}})
    triangles.set_bond(i, j, 1);
  all.push_back(triangles);
  return all;
}

}  // namespace

TEST_CASE("molecules: each relabelling comes from one way of numbering atoms, and no other") {
  for (const Molecule& molecule : molecules_to_number()) {
    std::vector<std::uint32_t> taken;
    std::vector<Parts> made;
    each_numbering(molecule, taken, [&](const Order& order) {
      made.push_back(parts_of(relabelled(molecule, order)));
    });
    const std::set<Parts> all = all_relabellings(molecule);
    CHECK(made.size() == all.size());
    CHECK(std::set<Parts>(made.begin(), made.end()) == all);
    CHECK(std::log(static_cast<double>(all.size())) == doctest::Approx(log_labellings(molecule)));
  }
}

TEST_CASE("molecules: how atoms were numbered is found again from any order that gives the same") {
  for (const Molecule& molecule : molecules_to_number()) {
    std::vector<std::uint32_t> taken;
    each_numbering(molecule, taken, [&](const Order& drawn_order) {
      const Molecule labelled = relabelled(molecule, drawn_order);
      Order order = drawn_order;
      do std::ranges::next_permutation(order);
      while (relabelled(molecule, order) != labelled);
      const std::vector<NumberingStep> steps = steps_of_numbering(molecule, order);
      REQUIRE(steps.size() == taken.size());
      double ways = 0;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        CHECK(steps[i].alike.front() == taken[i]);
        CHECK(steps[i].left == steps.size() - i);
        ways += std::log(static_cast<double>(steps[i].left) /
                         static_cast<double>(steps[i].alike.size()));
      }
      CHECK(ways == doctest::Approx(log_labellings(molecule)));
    });
  }
}

}  // namespace logpx::numbering_test
