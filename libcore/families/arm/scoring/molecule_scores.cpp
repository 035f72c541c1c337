#include "libcore/families/arm/scoring/molecule_scores.hpp"

#include "libcore/base/index.hpp"
#include "libcore/mol/canonical.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::arm {
namespace {

Molecule molecule_of(const RowForm& form, std::span<const std::int32_t> x) {
  const std::int64_t atoms = form.atoms_of(x);
  Molecule molecule;
  for (const std::int32_t dim : form.dims_of(atoms)) {
    auto& parts = dim < form.most_atoms() ? molecule.atoms : molecule.bonds;
    parts.push_back(static_cast<std::uint8_t>(x[at(dim)]));
  }
  return molecule;
}

// log(n!/|Aut|): how many different numberings the atoms have.
double log_labellings(const Molecule& molecule) {
  double nats = -std::log(automorphisms(molecule));
  for (std::int64_t i = 2; i <= molecule.size(); ++i) nats += std::log(static_cast<double>(i));
  return nats;
}

}  // namespace

void add_atom_counts(const ScoredRows& rows, Scores& scores) {
  const OrderModel& model = rows.model();
  const AtomCounts* const counts = model.atom_counts();
  if (counts == nullptr) return;
  std::vector<double> log_n, unlabelled;
  for (std::int64_t row = 0; row < rows.count(); ++row) {
    log_n.push_back(counts->log_p(model.form().atoms_of(rows.x(row))));
    if (model.is_equivariant())
      unlabelled.push_back(scores.nats[at(row)] +
                           log_labellings(molecule_of(model.form(), rows.x(row))));
  }
  scores.terms.emplace_back("molecules.given_n", scores.nats);
  for (std::size_t i = 0; i < log_n.size(); ++i) scores.nats[i] += log_n[i];
  scores.terms.emplace_back("molecules.with_n", scores.nats);
  if (model.is_equivariant())
    scores.terms.emplace_back("molecules.unlabelled", std::move(unlabelled));
}

}  // namespace logpx::arm
