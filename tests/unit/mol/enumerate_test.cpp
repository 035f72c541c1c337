#include "libcore/mol/enumerate.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/mol/atom_types.hpp"
#include "libcore/mol/canonical.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace logpx::enumerate_test {
namespace {

constexpr std::array<int, 4> organic{4, 3, 2, 1};  // C, N, O, F

bool is_connected(const Molecule& molecule) {
  std::vector<bool> seen(at(molecule.size()));
  std::vector<std::int64_t> reached = {0};
  seen[0] = true;
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (std::int64_t j = 0; j < molecule.size(); ++j)
      if (j != reached[k] && !seen[at(j)] && molecule.bond(reached[k], j) > 0) {
        seen[at(j)] = true;
        reached.push_back(j);
      }
  return std::ssize(reached) == molecule.size();
}

bool is_member(const Molecule& molecule, std::span<const int> valences) {
  for (std::int64_t i = 0; i < molecule.size(); ++i)
    if (molecule.used_valence(i) > valences[molecule.atoms[at(i)]]) return false;
  return is_connected(molecule);
}

std::string refusal_of_types(const std::string& text) {
  try {
    (void)AtomTypes::parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("molecules: there are 4, 19, 94, 621 and 4715 of one to five atoms") {
  const std::vector<std::size_t> counts = {4, 19, 94, 621, 4715};
  const std::vector<Molecule> all = enumerate_molecules(organic, 1, 5);
  for (std::size_t n = 1; n <= counts.size(); ++n)
    CHECK(std::ranges::count(all, std::int64_t(n), &Molecule::size) ==
          std::ptrdiff_t(counts[n - 1]));
  CHECK(std::ranges::is_sorted(
      all, {}, [](const Molecule& one) { return std::tuple(one.size(), one.atoms, one.bonds); }));
  for (const Molecule& member : all) CHECK_MESSAGE(is_member(member, organic), member.size());
}

TEST_CASE("molecules: growth finds what trying every graph finds") {
  const std::array<int, 2> valences{3, 2};
  std::set<std::pair<std::vector<std::uint8_t>, std::vector<std::uint8_t>>> tried, grown;
  constexpr std::int64_t atoms = 4, pairs = pairs_of(atoms);
  for (int types = 0; types < 1 << atoms; ++types)
    for (int orders = 0; orders < 1 << 2 * pairs; ++orders) {
      Molecule molecule;
      for (int i = 0; i < atoms; ++i)
        molecule.atoms.push_back(static_cast<std::uint8_t>(types >> i & 1));
      if (!std::ranges::is_sorted(molecule.atoms)) break;  // the same in another order
      for (int pair = 0; pair < pairs; ++pair)
        molecule.bonds.push_back(static_cast<std::uint8_t>(orders >> 2 * pair & 3));
      if (!is_member(molecule, valences)) continue;
      const Molecule form = canonical(molecule);
      tried.insert({form.atoms, form.bonds});
    }
  for (const Molecule& member : enumerate_molecules(valences, atoms, atoms))
    grown.insert({member.atoms, member.bonds});
  CHECK(tried == grown);
  CHECK(tried.size() == 50);
}

// With all numberings of their atoms members are all graphs that there are: each has n! / |Aut|
// numberings.
TEST_CASE("molecules: members and their automorphisms account for every numbering") {
  constexpr std::int64_t atoms = 4;
  double numberings = 0, tried = 0;
  for (const Molecule& member : enumerate_molecules(organic, atoms, atoms))
    numberings += 24 / automorphisms(member);
  Molecule molecule{.atoms = std::vector<std::uint8_t>(atoms),
                    .bonds = std::vector<std::uint8_t>(pairs_of(atoms))};
  for (int types = 0; types < 256; ++types) {
    for (int i = 0; i < atoms; ++i)
      molecule.atoms[at(i)] = static_cast<std::uint8_t>(types >> 2 * i & 3);
    for (int orders = 0; orders < 4096; ++orders) {
      for (int pair = 0; pair < pairs_of(atoms); ++pair)
        molecule.bonds[at(pair)] = static_cast<std::uint8_t>(orders >> 2 * pair & 3);
      tried += is_member(molecule, organic);
    }
  }
  CHECK(numberings == tried);
  CHECK(tried == 11961);
}

TEST_CASE("molecules: as text, atoms and then bonds") {
  const AtomTypes types = AtomTypes::of_elements({"C", "N", "O", "F"});
  Molecule one{.atoms = {0, 0, 2}, .bonds = {1, 0, 2}};
  CHECK(molecule_text(one, types) == "C C O  0-1:1 1-2:2");
  one.atoms[2] = one.bonds[1] = unknown_part;
  CHECK(molecule_text(one, types) == "C C ?  0-1:1 0-2:? 1-2:2");
  CHECK(molecule_text({.atoms = {3}, .bonds = {}}, types) == "F");
  CHECK(molecule_text({.atoms = {0, 9}, .bonds = {0}}, types) == "C 9");
}

TEST_CASE("molecules: types of atoms are written and read, and bad ones refused") {
  const AtomTypes types({{.element = "C"},
                         {.element = "N", .charge = 1, .hydrogens = 2},
                         {.element = "O", .charge = -1},
                         {.element = "C", .hydrogens = no_hydrogens}});
  CHECK(types.names() == "C NH2+ O- [C]");
  CHECK(types.text() == "C 0 0\nN 1 2\nO -1 0\nC 0 -1");
  CHECK(AtomTypes::parse(types.text()) == types);
  CHECK(refusal_of_types("C 0 0\nN") ==
        "line 2 is not ELEMENT CHARGE HYDROGENS of one of 254 types");
  CHECK(refusal_of_types("") == "line 1 is not ELEMENT CHARGE HYDROGENS of one of 254 types");
  CHECK(refusal_of_types("C 0 0\nC 0 0") == "names 'C 0 0' twice");
  for (const char* bad : {"C 10 0", "C 0 -2", "C  0", "1 0 0", "Carb 0 0", "C 0 0 0"})
    CHECK(refusal_of_types(bad) != "");
}

}  // namespace logpx::enumerate_test
