#include "libcore/mol/neighbourhood_pairs.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/mol/mixing.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t molecules_of_task = 128;
constexpr std::int64_t not_reached = -1;

std::uint64_t hash_of(std::initializer_list<std::uint64_t> parts) {
  std::uint64_t hash = parts.size();
  for (const std::uint64_t part : parts) hash = mixed(hash ^ mixed(part + 0x9e3779b97f4a7c15U));
  return hash;
}

bool is_bond(std::uint8_t order) { return order > 0 && order < unknown_part; }

struct Bond {
  std::int64_t a, b;
  std::uint8_t order;
};

// Atoms and bonds as they lie around each atom.
class Surroundings {
 public:
  Surroundings(const Molecule& molecule, const PairReach& reach)
      : molecule_(molecule), n_(molecule.size()), degrees_(at(n_)), distances_(at(n_ * n_)) {
    std::size_t pair = 0;
    for (std::int64_t a = 0; a < n_; ++a)
      for (std::int64_t b = a + 1; b < n_; ++b, ++pair)
        if (is_bond(molecule.bonds[pair])) {
          bonds_.push_back({a, b, molecule.bonds[pair]});
          ++degrees_[at(a)];
          ++degrees_[at(b)];
        }
    for (std::int64_t root = 0; root < n_; ++root)
      balls_.push_back(balls_around(root, reach.radius));
  }

  [[nodiscard]] std::int64_t distance(std::int64_t a, std::int64_t b) const {
    return distances_[at(a * n_ + b)];
  }
  // The hash of the ball of each radius that the atom's surroundings reach.
  [[nodiscard]] const std::vector<std::uint64_t>& balls(std::int64_t atom) const {
    return balls_[at(atom)];
  }

 private:
  void find_distances(std::span<std::int64_t> from_root, std::int64_t root) const {
    std::ranges::fill(from_root, not_reached);
    from_root[at(root)] = 0;
    for (std::int64_t step = 0; step < n_; ++step) {
      bool found = false;
      for (const Bond& bond : bonds_)
        for (const auto& [near, far] : {std::pair(bond.a, bond.b), std::pair(bond.b, bond.a)})
          if (from_root[at(near)] == step && from_root[at(far)] == not_reached) {
            from_root[at(far)] = step + 1;
            found = true;
          }
      if (!found) return;
    }
  }

  // What lies at one distance, as a hash that no order of it changes.
  static std::uint64_t level_hash(std::vector<std::uint64_t> things) {
    std::ranges::sort(things);
    std::uint64_t hash = things.size();
    for (const std::uint64_t thing : things) hash = hash_of({hash, thing});
    return hash;
  }

  std::vector<std::uint64_t> balls_around(std::int64_t root, std::int64_t radius) {
    const auto from_root = std::span(distances_).subspan(at(root * n_), at(n_));
    find_distances(from_root, root);
    std::vector<std::uint64_t> balls;
    std::uint64_t hash = 0;
    for (std::int64_t r = 0; r <= radius; ++r) {
      std::vector<std::uint64_t> bonds, atoms;
      for (const Bond& bond : bonds_)
        if (const std::int64_t near = std::min(from_root[at(bond.a)], from_root[at(bond.b)]);
            r > 0 && near == r - 1)
          bonds.push_back(hash_of({bond.order}));
      for (std::int64_t atom = 0; atom < n_; ++atom)
        if (from_root[at(atom)] == r)
          atoms.push_back(hash_of({molecule_.atoms[at(atom)], degrees_[at(atom)]}));
      if (atoms.empty()) break;
      hash = hash_of({hash, level_hash(bonds), level_hash(atoms)});
      balls.push_back(hash);
    }
    return balls;
  }

  const Molecule& molecule_;
  std::int64_t n_;
  std::vector<Bond> bonds_;
  std::vector<std::uint64_t> degrees_;
  std::vector<std::int64_t> distances_;
  std::vector<std::vector<std::uint64_t>> balls_;
};

// Sorts the keys, and appends each with its count over the length of all counts.
void append_counts(std::vector<std::uint64_t>& keys, SparseFeatures& features) {
  std::ranges::sort(keys);
  const std::size_t first = features.size();
  double squares = 0;
  for (auto key = keys.begin(); key != keys.end();) {
    const auto end = std::upper_bound(key, keys.end(), *key);
    const auto count = static_cast<double>(end - key);
    features.push_back({*key, count});
    squares += count * count;
    key = end;
  }
  for (std::size_t i = first; i < features.size(); ++i) features[i].value /= std::sqrt(squares);
}

// a += factor * b, keys rising.
void add(SparseFeatures& a, const SparseFeatures& b, double factor) {
  SparseFeatures sum;
  sum.reserve(a.size() + b.size());
  auto x = a.begin();
  for (const SparseFeature& y : b) {
    while (x != a.end() && x->key < y.key) sum.push_back(*x++);
    const bool both = x != a.end() && x->key == y.key;
    sum.push_back({y.key, factor * y.value + (both ? (x++)->value : 0)});
  }
  sum.insert(sum.end(), x, a.end());
  a = std::move(sum);
}

// The sum of values of equal keys, in the order in which they came.
SparseFeatures joined(SparseFeatures all) {
  std::ranges::stable_sort(all, {}, &SparseFeature::key);
  SparseFeatures sums;
  for (const SparseFeature& feature : all)
    if (!sums.empty() && sums.back().key == feature.key) sums.back().value += feature.value;
    else sums.push_back(feature);
  return sums;
}

}  // namespace

SparseFeatures neighbourhood_pairs(const Molecule& molecule, const PairReach& reach) {
  const Surroundings around(molecule, reach);
  const std::int64_t n = molecule.size();
  SparseFeatures features;
  std::vector<std::uint64_t> keys;
  double kinds = 0;
  for (std::int64_t r = 0; r <= reach.radius; ++r)
    for (std::int64_t d = 0; d <= reach.distance; ++d) {
      keys.clear();
      for (std::int64_t a = 0; a < n; ++a)
        for (std::int64_t b = 0; b < n; ++b) {
          const auto &from = around.balls(a), &to = around.balls(b);
          if (around.distance(a, b) != d || r >= std::ssize(from) || r >= std::ssize(to)) continue;
          const auto [low, high] = std::minmax(from[at(r)], to[at(r)]);
          const auto size = static_cast<std::uint64_t>(r), apart = static_cast<std::uint64_t>(d);
          keys.push_back(hash_of({low, high, size, apart}));
          keys.push_back(hash_of({to[at(r)], size, apart}));
        }
      if (keys.empty()) continue;
      append_counts(keys, features);
      ++kinds;
    }
  for (SparseFeature& feature : features) feature.value /= std::sqrt(kinds);
  std::ranges::sort(features, {}, &SparseFeature::key);
  return features;
}

SparseFeatures mean_neighbourhood_pairs(std::span<const Molecule> molecules, const PairReach& reach,
                                        Workers& workers) {
  const std::int64_t n = std::ssize(molecules);
  const std::int64_t tasks = (n + molecules_of_task - 1) / molecules_of_task;
  std::vector<SparseFeatures> parts(at(tasks));
  workers.run(tasks, [&](std::int64_t task) {
    SparseFeatures all;
    for (std::int64_t i = task * molecules_of_task; i < std::min(n, (task + 1) * molecules_of_task);
         ++i) {
      const SparseFeatures features = neighbourhood_pairs(molecules[at(i)], reach);
      all.insert(all.end(), features.begin(), features.end());
    }
    parts[at(task)] = joined(std::move(all));
  });
  SparseFeatures mean;
  for (const SparseFeatures& part : parts) add(mean, part, 1);
  const auto with_atoms =
      std::ranges::count_if(molecules, [](const Molecule& m) { return m.size() > 0; });
  for (SparseFeature& feature : mean) feature.value /= static_cast<double>(with_atoms);
  return mean;
}

double squared_distance(const SparseFeatures& a, const SparseFeatures& b) {
  SparseFeatures difference = a;
  add(difference, b, -1);
  double sum = 0;
  for (const SparseFeature& feature : difference) sum += feature.value * feature.value;
  return sum;
}

}  // namespace logpx
