#include "libcore/families/molecule_labels.hpp"

#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/mol/canonical.hpp"
#include "libcore/mol/numbering.hpp"

#include <algorithm>
#include <vector>

namespace logpx {

void MoleculeLabels::settle(std::span<std::uint8_t> row) const {
  store_molecule(canonical(molecule_in(row)), row);
}

// At each step one of the atoms that are left, and back what tells it from those alike.
void MoleculeLabels::draw(codec::Message& message, std::span<std::uint8_t> row) const {
  const Molecule molecule = molecule_in(row);
  Numbering numbering(molecule);
  while (numbering.left() > 0) {
    const std::uint32_t place = message.pop_uniform(numbering.left());
    const std::vector<std::uint32_t> alike = numbering.alike(place);
    const auto number = std::ranges::lower_bound(alike, place) - alike.begin();
    message.push_uniform(static_cast<std::uint32_t>(number),
                         static_cast<std::uint32_t>(alike.size()));
    numbering.take(alike.front());
  }
  store_molecule(relabelled(molecule, numbering.order()), row);
}

void MoleculeLabels::give_back(codec::Message& message, std::span<std::uint8_t> row) const {
  const CanonicalForm form = canonical_form(molecule_in(row));
  std::vector<std::int64_t> order(form.order.size());  // that gives the row again
  for (std::size_t i = 0; i < order.size(); ++i)
    order[at(form.order[i])] = static_cast<std::int64_t>(i);
  const std::vector<NumberingStep> steps = steps_of_numbering(form.molecule, std::move(order));
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const std::uint32_t number =
        message.pop_uniform(static_cast<std::uint32_t>(step->alike.size()));
    message.push_uniform(step->alike[number], step->left);
  }
  store_molecule(form.molecule, row);
}

double MoleculeLabels::nats(std::span<const std::uint8_t> row) const {
  return log_labellings(molecule_in(row));
}

}  // namespace logpx
