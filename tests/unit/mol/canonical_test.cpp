#include "libcore/mol/canonical.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/mol/atom_types.hpp"
#include "libcore/mol/enumerate.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace logpx::canonical_test {
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

// Over all orders of the atoms: how many leave the molecule as it is, and the least result.
std::pair<double, Parts> by_all_orders(const Molecule& molecule) {
  Order order(at(molecule.size()));
  std::iota(order.begin(), order.end(), 0);
  double same = 0;
  Parts least = parts_of(molecule);
  do {
    const Molecule made = relabelled(molecule, order);
    same += made == molecule;
    least = std::min(least, parts_of(made));
  } while (std::ranges::next_permutation(order).found);
  return {same, least};
}

Molecule shuffled(const Molecule& molecule, Cursor& cursor) {
  Order order(at(molecule.size()));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[cursor.below(static_cast<std::uint32_t>(i + 1))]);
  return relabelled(molecule, order);
}

Molecule of_pairs(std::int64_t atoms, const std::vector<std::pair<int, int>>& bonds) {
  Molecule made{.atoms = std::vector<std::uint8_t>(at(atoms)),
                .bonds = std::vector<std::uint8_t>(at(pairs_of(atoms)))};
  for (const auto& [i, j] : bonds) made.set_bond(i, j, 1);
  return made;
}

Molecule golden_molecule(const Json& entry) {
  Molecule made;
  for (const Json& atom : entry.at("atoms").items())
    made.atoms.push_back(static_cast<std::uint8_t>(atom.integer()));
  made.bonds.resize(at(pairs_of(made.size())));
  for (const Json& bond : entry.at("bonds").items())
    made.set_bond(bond.at(0).integer(), bond.at(1).integer(),
                  static_cast<std::uint8_t>(bond.at(2).integer()));
  return made;
}

}  // namespace

TEST_CASE("molecules: relabelled ones have one canonical form, all others another") {
  Cursor cursor(Substream(7, Stream::test, 0));
  // Every molecule of up to three atoms of two types, and drawn ones of more.
  std::vector<Molecule> all;
  for (std::int64_t n = 1; n <= 3; ++n)
    for (std::int64_t code = 0; code < 1 << (n + 2 * pairs_of(n)); ++code) {
      Molecule made;
      for (std::int64_t i = 0; i < n; ++i)
        made.atoms.push_back(static_cast<std::uint8_t>(code >> i & 1));
      for (std::int64_t pair = 0; pair < pairs_of(n); ++pair)
        made.bonds.push_back(static_cast<std::uint8_t>(code >> (n + 2 * pair) & 3));
      all.push_back(made);
    }
  for (int i = 0; i < 60; ++i) all.push_back(drawn(cursor, 4 + i % 2, 2, 2));
  std::set<Parts> by_form, by_least;
  std::set<std::pair<Parts, Parts>> both;
  for (const Molecule& molecule : all) {
    const Molecule form = canonical(molecule);
    CHECK(canonical(shuffled(molecule, cursor)) == form);
    CHECK(canonical(form) == form);
    CHECK(std::ranges::is_sorted(form.atoms));
    const Parts least = by_all_orders(molecule).second;
    by_form.insert(parts_of(form));
    by_least.insert(least);
    both.insert({parts_of(form), least});
  }
  CHECK(by_form.size() == by_least.size());
  CHECK(both.size() == by_form.size());
}

TEST_CASE("molecules: relabellings that change nothing are counted") {
  Cursor cursor(Substream(8, Stream::test, 0));
  for (int i = 0; i < 60; ++i) {
    const Molecule molecule = drawn(cursor, 1 + i % 6, 1 + cursor.below(2), 2 + cursor.below(2));
    CHECK(automorphisms(molecule) == by_all_orders(molecule).first);
  }
  CHECK(automorphisms(of_pairs(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}})) == 12);
  CHECK(automorphisms(of_pairs(20, {})) == 2432902008176640000.0);
  // Two triangles and a ring of six: colours alone do not tell them apart.
  const Molecule triangles = of_pairs(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}});
  CHECK(automorphisms(triangles) == 72);
  // The graph of Petersen has 120.
  std::vector<std::pair<int, int>> petersen;
  for (int i = 0; i < 5; ++i) {
    petersen.insert(petersen.end(), {{i, (i + 1) % 5}, {i, i + 5}, {5 + i, 5 + (i + 2) % 5}});
  }
  CHECK(automorphisms(of_pairs(10, petersen)) == 120);
}

TEST_CASE("molecules: nineteen equal pairs of atoms are no trouble") {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 19; ++i) pairs.emplace_back(2 * i, 2 * i + 1);
  const Molecule many = of_pairs(38, pairs);
  double expected = 1;
  for (int i = 1; i <= 19; ++i) expected *= 2 * i;
  CHECK(automorphisms(many) == doctest::Approx(expected));
  Cursor cursor(Substream(9, Stream::test, 0));
  CHECK(canonical(shuffled(many, cursor)) == canonical(many));
}

TEST_CASE("golden/loarm/molecules: variables, and which graphs are the same molecule") {
  const Json* molecules = golden::field("loarm", "molecules");
  if (!molecules) return;
  Cursor cursor(Substream(10, Stream::test, 0));
  // A graph does not hold the charges of the file's molecules: those that come back from a graph
  // are compared.
  std::map<std::string, Parts> forms;
  const auto take = [&](const std::string& vocabulary, const std::string& name,
                        const Molecule& graph) {
    CAPTURE(name);
    const Parts form = parts_of(canonical(graph));
    CHECK(form == parts_of(canonical(shuffled(graph, cursor))));
    const auto [place, is_new] = forms.insert({vocabulary + ' ' + name, form});
    CHECK(place->second == form);
  };
  for (const Json& entry : molecules->at("smiles").items()) {
    if (entry.find("atoms") == nullptr) continue;
    const Molecule graph = golden_molecule(entry);
    CHECK(dims_of_atoms(graph.size()) == entry.at("L").integer());
    CHECK(atoms_within(entry.at("L").integer()) == graph.size());
    if (entry.at("decoded").at("valid").boolean())
      take(entry.at("vocab").string(), entry.at("decoded").at("canonical").string(), graph);
  }
  for (const Json& entry : molecules->at("graphs").items())
    if (const Json& decoded = entry.at("decoded_with_charge_rule"); decoded.at("valid").boolean())
      take(entry.at("vocab").string(), decoded.at("canonical").string(), golden_molecule(entry));
  // Benzene comes in one Kekule form only, so that no two names are one graph.
  std::set<std::pair<std::string, Parts>> distinct;
  for (const auto& [name, form] : forms) distinct.insert({name.substr(0, name.find(' ')), form});
  CHECK(distinct.size() == forms.size());
}

}  // namespace logpx::canonical_test
