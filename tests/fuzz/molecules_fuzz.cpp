// Fuzz target of rows of molecules: room and atoms of a row, what its types are called, a zero, and
// the row. A row that is taken comes back the same from its molecule, is text, has one canonical
// form however its atoms come, and numbers that can be drawn from it. Else it is a data error, or
// words that say what is wrong; anything else is a bug.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/mol/canonical.hpp"
#include "libcore/mol/numbering.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace logpx;

namespace {

constexpr std::int64_t most_room = 9;  // so that each input takes milliseconds

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void look_at(const DatasetInfo& info, const Rows& rows) {
  const Molecule molecule = molecule_of_row(info, rows, 0);
  std::vector<std::uint8_t> again(at(info.dims()));
  store_molecule(molecule, again);
  require(std::ranges::equal(again, rows.values<std::uint8_t>()));
  require(!molecule_text(molecule, atom_types_of(info)).empty());
  std::vector<std::int64_t> backwards;
  for (std::int64_t i = molecule.size(); i-- > 0;) backwards.push_back(i);
  const CanonicalForm form = canonical_form(molecule);
  require(form.molecule == canonical(relabelled(molecule, backwards)));
  require(automorphisms(form.molecule) == automorphisms(molecule));
  std::vector<std::int64_t> order(form.order.size());  // that makes the molecule of its form
  for (std::size_t i = 0; i < order.size(); ++i)
    order[at(form.order[i])] = static_cast<std::int64_t>(i);
  require(relabelled(form.molecule, order) == molecule);
  double nats = 0;
  for (const NumberingStep& step : steps_of_numbering(form.molecule, order))
    nats += std::log(static_cast<double>(step.left) / static_cast<double>(step.alike.size()));
  require(std::abs(nats - log_labellings(molecule)) < 1e-6);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::int64_t room = 1 + data[0] % most_room, atoms = 1 + data[1] % room;
  const std::uint8_t *const last = data + size, *const zero = std::find(data + 2, last, 0),
                            *const parts = zero == last ? last : zero + 1;
  const std::string types(data + 2, zero);
  try {
    DatasetInfo info = molecules_info(AtomTypes::parse(types), room);
    info.has_missing = data[0] >= 128;
    check_molecules_info(info);
    Rows rows;
    rows.count = 1;
    rows.length = {static_cast<std::int32_t>(atoms)};
    rows.x.resize(at(info.dims()));
    const std::span<std::uint8_t> row = rows.values<std::uint8_t>();
    std::copy_n(parts, std::min(std::ssize(row), last - parts), row.begin());
    if (trouble_of_molecule(info, atom_types_of(info).size(), row, atoms).empty())
      look_at(info, rows);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data);
  }
  return 0;
}
