#include "libcore/mol/neighbourhood_pairs.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace logpx::neighbourhood_pairs_test {
namespace {

Molecule drawn(Cursor& cursor, std::int64_t atoms) {
  Molecule made;
  for (std::int64_t i = 0; i < atoms; ++i)
    made.atoms.push_back(static_cast<std::uint8_t>(cursor.below(3)));
  for (std::int64_t pair = 0; pair < pairs_of(atoms); ++pair)
    made.bonds.push_back(static_cast<std::uint8_t>(cursor.below(5) == 0 ? 1 + cursor.below(3) : 0));
  return made;
}

std::vector<Molecule> drawn_set(std::uint32_t sub, std::int64_t count) {
  Cursor cursor(Rng(5).stream(Stream::test, sub));
  std::vector<Molecule> made;
  for (std::int64_t i = 0; i < count; ++i)
    made.push_back(drawn(cursor, static_cast<std::int64_t>(cursor.below(10))));
  return made;
}

Molecule relabelled_at_random(const Molecule& molecule, Cursor& cursor) {
  std::vector<std::int64_t> order(at(molecule.size()));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[cursor.below(static_cast<std::uint32_t>(i))]);
  return relabelled(molecule, order);
}

}  // namespace

TEST_CASE("neighbourhood pairs: the numbers of atoms do not matter") {
  Cursor cursor(Rng(6).stream(Stream::test));
  for (const Molecule& molecule : drawn_set(0, 60))
    CHECK(neighbourhood_pairs(relabelled_at_random(molecule, cursor)) ==
          neighbourhood_pairs(molecule));
}

TEST_CASE("neighbourhood pairs: a set is 0 from itself, and each other molecule adds") {
  Workers workers(2);
  const std::vector<Molecule> made = drawn_set(1, 40);
  const SparseFeatures mean = mean_neighbourhood_pairs(made, {}, workers);
  CHECK(squared_distance(mean, mean) == 0);
  std::vector<Molecule> other = made;
  other.front() = {.atoms = {0, 1, 2}, .bonds = {3, 0, 3}};
  CHECK(squared_distance(mean, mean_neighbourhood_pairs(other, {}, workers)) > 1e-4);
}

// Two atoms and one bond: (r,d) is (0,0), (1,0), (0,1) or (1,1), each of which makes 1/4 of the
// squared length. Where only the order of the bond differs, r = 0 cannot tell.
TEST_CASE("neighbourhood pairs: what r = 0 sees is half of two atoms that are bound") {
  const Molecule single{.atoms = {0, 1}, .bonds = {1}}, twofold{.atoms = {0, 1}, .bonds = {2}};
  const auto with = [&](const Molecule& a, const Molecule& b) {
    return squared_distance(neighbourhood_pairs(a), neighbourhood_pairs(b));
  };
  CHECK(with(single, twofold) == doctest::Approx(1));  // 2 - 2 * 1/2
  const Molecule apart{.atoms = {2, 2}, .bonds = {0}};
  CHECK(with(single, apart) == doctest::Approx(2));  // nothing in common
}

TEST_CASE("neighbourhood pairs: molecules without atoms do not count") {
  Workers workers(1);
  const std::vector<Molecule> one = {{.atoms = {0, 1}, .bonds = {1}}};
  const std::vector<Molecule> with_empty = {{}, one[0], {}};
  CHECK(mean_neighbourhood_pairs(with_empty, {}, workers) ==
        mean_neighbourhood_pairs(one, {}, workers));
  CHECK(mean_neighbourhood_pairs({}, {}, workers).empty());
}

TEST_CASE("neighbourhood pairs: the same bytes for 1, 2 and 4 threads") {
  const std::vector<Molecule> made = drawn_set(2, 700);
  const auto by = [&](int threads) {
    Workers workers(threads);
    return mean_neighbourhood_pairs(made, {}, workers);
  };
  CHECK(by(2) == by(1));
  CHECK(by(4) == by(1));
}

}  // namespace logpx::neighbourhood_pairs_test
