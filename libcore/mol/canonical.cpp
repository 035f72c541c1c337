#include "libcore/mol/canonical.hpp"

#include "libcore/mol/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace logpx {
namespace {

bool comes_before(const Molecule& a, const Molecule& b) {
  return std::tie(a.atoms, a.bonds) < std::tie(b.atoms, b.bonds);
}

class LeastForm {
 public:
  explicit LeastForm(const Molecule& molecule) : molecule_(molecule), symmetry_(molecule) {
    find(symmetry_.start());
  }
  [[nodiscard]] CanonicalForm take() { return std::move(*least_); }

 private:
  // Tries all orders that the colours leave open. Where a symmetry exchanges atoms of a cell, one
  // of them is tried.
  void find(const Colours& colours) {
    const std::vector<std::int64_t> cell = symmetry_.open_cell(colours);
    if (cell.empty()) return keep_if_least(symmetry_.order_of(colours));
    std::vector<std::int64_t> tried;
    for (const std::int64_t atom : cell) {
      const auto is_alike = [&](std::int64_t other) {
        return symmetry_.exchange(colours, other, atom).has_value();
      };
      if (std::ranges::any_of(tried, is_alike)) continue;
      tried.push_back(atom);
      find(symmetry_.with_first(colours, atom));
    }
  }
  void keep_if_least(std::vector<std::int64_t> order) {
    Molecule made = relabelled(molecule_, order);
    if (!least_ || comes_before(made, least_->molecule))
      least_ = CanonicalForm{std::move(made), std::move(order)};
  }

  const Molecule& molecule_;
  const Symmetry symmetry_;
  std::optional<CanonicalForm> least_;
};

}  // namespace

CanonicalForm canonical_form(const Molecule& molecule) { return LeastForm(molecule).take(); }

double automorphisms(const Molecule& molecule) {
  const Symmetry symmetry(molecule);
  double count = 1;
  for (Colours colours = symmetry.start();;) {
    const std::vector<std::int64_t> cell = symmetry.open_cell(colours);
    if (cell.empty()) return count;
    // How many places the first atom of the cell can go to while those settled before it stay.
    count *= static_cast<double>(std::ranges::count_if(cell, [&](std::int64_t atom) {
      return symmetry.exchange(colours, cell.front(), atom).has_value();
    }));
    colours = symmetry.with_first(std::move(colours), cell.front());
  }
}

double log_labellings(const Molecule& molecule) {
  double nats = -std::log(automorphisms(molecule));
  for (std::int64_t i = 2; i <= molecule.size(); ++i) nats += std::log(static_cast<double>(i));
  return nats;
}

}  // namespace logpx
