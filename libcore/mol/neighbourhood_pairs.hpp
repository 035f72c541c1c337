// NSPDK: how far apart two sets of molecules are, by pairs of neighbourhoods [Costa, De Grave
// 2010], as those report it who call EDeN's vectorize(complexity=4, discrete=True):
//
//   the ball of an atom   for each radius r = 0..4 the atoms within r bonds and the bonds between
//                         them up to there, by distance: at each distance the set of types with
//                         numbers of neighbours
//   a feature             two atoms d = 0..4 bonds apart, in both orders, that both have neighbours
//                         as far as r: their two balls, r and d; and the second ball, r and d alone
//   a vector              counts of features, scaled to length 1 for each (r,d), then all together
//   NSPDK                 the squared distance between the mean vectors of both sets, which is the
//                         squared MMD of the linear kernel with each molecule's pair with itself
//
// What made molecules are apart from a reference:
//
//   const SparseFeatures ours = mean_neighbourhood_pairs(made, {}, workers);
//   const double nspdk = squared_distance(ours, mean_neighbourhood_pairs(reference, {}, workers));
//
// EDeN hashes with Python's hash(), which is another one in each process unless PYTHONHASHSEED says
// so, and folds features into 65,536 places, where some fall together; here a feature has 64 bits
// and a place of its own. What a bond's order stands for is up to the caller; published numbers
// count those of aromatic rings as single, and leave charges out of the types of atoms.
#pragma once

#include "libcore/mol/molecule.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class Workers;

struct SparseFeature {
  std::uint64_t key = 0;
  double value = 0;
  friend bool operator==(const SparseFeature&, const SparseFeature&) = default;
};
using SparseFeatures = std::vector<SparseFeature>;  // keys rise

struct PairReach {
  std::int64_t radius = 4, distance = 4;  // in bonds
};

// The vector of one molecule; empty if it has no atoms. What is unknown is no bond.
[[nodiscard]] SparseFeatures neighbourhood_pairs(const Molecule& molecule,
                                                 const PairReach& reach = {});
// The mean over all molecules with atoms; the same for any number of threads.
[[nodiscard]] SparseFeatures mean_neighbourhood_pairs(std::span<const Molecule> molecules,
                                                      const PairReach& reach, Workers& workers);
[[nodiscard]] double squared_distance(const SparseFeatures& a, const SparseFeatures& b);

}  // namespace logpx
