#include "libcore/mol/enumerate.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/mol/canonical.hpp"

#include <iterator>
#include <set>
#include <utility>

namespace logpx {
namespace {

struct ByParts {
  bool operator()(const Molecule& a, const Molecule& b) const {
    return a.atoms != b.atoms ? a.atoms < b.atoms : a.bonds < b.bonds;
  }
};
using Members = std::set<Molecule, ByParts>;

class Growth {
 public:
  explicit Growth(std::span<const int> valences) : valences_(valences) {}

  [[nodiscard]] Members single_atoms() const {
    Members members;
    for (std::size_t type = 0; type < valences_.size(); ++type)
      members.insert({.atoms = {static_cast<std::uint8_t>(type)}, .bonds = {}});
    return members;
  }

  // Every member has an atom without which it is still connected. So all of them come from a
  // smaller one by a new atom on a single bond, then by raising orders of bonds one by one, as
  // valences allow.
  [[nodiscard]] Members one_atom_more(const Members& smaller) const {
    Members members;
    std::vector<const Molecule*> fresh;
    const auto add = [&](const Molecule& made) {
      const auto [place, is_new] = members.insert(canonical(made));
      if (is_new) fresh.push_back(&*place);
    };
    for (const Molecule& parent : smaller) {
      stop::check();
      for (std::int64_t i = 0; i < parent.size(); ++i)
        if (has_room(parent, i))
          for (std::size_t type = 0; type < valences_.size(); ++type)
            if (valences_[type] > 0) add(with_atom(parent, i, static_cast<std::uint8_t>(type)));
    }
    while (!fresh.empty()) {
      Molecule raised = *fresh.back();
      fresh.pop_back();
      for (std::int64_t i = 0; i < raised.size(); ++i)
        for (std::int64_t j = i + 1; j < raised.size(); ++j) {
          const std::uint8_t order = raised.bond(i, j);
          if (order + 1 == bond_kinds || !has_room(raised, i) || !has_room(raised, j)) continue;
          raised.set_bond(i, j, static_cast<std::uint8_t>(order + 1));
          add(raised);
          raised.set_bond(i, j, order);
        }
    }
    return members;
  }

 private:
  [[nodiscard]] bool has_room(const Molecule& molecule, std::int64_t i) const {
    return molecule.used_valence(i) < valences_[molecule.atoms[at(i)]];
  }

  [[nodiscard]] static Molecule with_atom(const Molecule& parent, std::int64_t neighbour,
                                          std::uint8_t type) {
    const std::int64_t n = parent.size();
    Molecule made{.atoms = parent.atoms, .bonds = {}};
    made.atoms.push_back(type);
    made.bonds.resize(at(pairs_of(n + 1)));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = i + 1; j < n; ++j) made.set_bond(i, j, parent.bond(i, j));
    made.set_bond(neighbour, n, 1);
    return made;
  }

  std::span<const int> valences_;
};

}  // namespace

std::vector<Molecule> enumerate_molecules(std::span<const int> valences, std::int64_t min_atoms,
                                          std::int64_t max_atoms) {
  LOGPX_ASSERT(1 <= min_atoms && min_atoms <= max_atoms);
  const Growth growth(valences);
  Members members = growth.single_atoms();
  std::vector<Molecule> all;
  for (std::int64_t n = 1;; ++n) {
    if (n >= min_atoms) all.insert(all.end(), members.begin(), members.end());
    if (n == max_atoms) return all;
    members = growth.one_atom_more(members);
  }
}

}  // namespace logpx
