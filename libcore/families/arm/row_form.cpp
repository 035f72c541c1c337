#include "libcore/families/arm/row_form.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_counted = std::int64_t{1} << 40;
constexpr const char* tensor_name = "atom_counts";

}  // namespace

void AtomCounts::count(std::span<const std::int64_t> atoms) {
  for (const std::int64_t n : atoms) ++counts_[at(n)];
}

TensorRef AtomCounts::tensor() {
  return TensorRef::of(tensor_name, std::span(counts_), {std::ssize(counts_)});
}

void AtomCounts::check() const {
  for (const std::int64_t count : counts_)
    if (count < 0 || count > most_counted)
      fail(ErrorKind::data, tensor_name,
           "holds " + std::to_string(count) + ", which is no number of molecules");
  if (counts_[0] != 0) fail(ErrorKind::data, tensor_name, "counts molecules without atoms");
  if (total() == 0) fail(ErrorKind::data, tensor_name, "counts no molecule at all");
}

std::int64_t AtomCounts::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

double AtomCounts::log_p(std::int64_t atoms) const {
  const std::int64_t count = atoms > most_atoms() ? 0 : counts_[at(atoms)];
  if (count == 0) return -std::numeric_limits<double>::infinity();
  return std::log(static_cast<double>(count)) - std::log(static_cast<double>(total()));
}

std::int64_t AtomCounts::draw(double uniform) const {
  const double wanted = uniform * static_cast<double>(total());
  std::int64_t last = 1, sum = 0;
  for (std::int64_t n = 1; n <= most_atoms(); ++n) {
    if (counts_[at(n)] == 0) continue;
    last = n;
    sum += counts_[at(n)];
    if (static_cast<double>(sum) >= wanted) break;
  }
  return last;
}

std::vector<double> AtomCounts::weights() const {
  std::vector<double> weights;
  for (std::int64_t n = 1; n <= most_atoms(); ++n)
    weights.push_back(static_cast<double>(counts_[at(n)] + 1));
  return weights;
}

RowForm::RowForm(const DatasetInfo& data, std::int64_t levels)
    : dims_(data.dims()), levels_(levels_of_columns(data, levels)) {
  if (data.content != Content::molecules) return;
  most_atoms_ = atoms_within(dims_);
  atom_types_ = atom_types_of(data).size();
}

RowForm RowForm::of_all_levels() const {
  RowForm form = *this;
  form.levels_ = levels();
  return form;
}

std::int64_t RowForm::levels_of(std::int64_t dim) const {
  if (!holds_molecules()) return levels_.at(at(dim));
  return dim < most_atoms_ ? atom_types_ : bond_kinds;
}

std::int64_t RowForm::atoms_of(std::span<const std::int32_t> x) const {
  const auto atoms = x.first(at(most_atoms_));
  return std::ranges::find(atoms, absent) - atoms.begin();
}

std::vector<std::int32_t> RowForm::dims_of(std::int64_t atoms) const {
  std::vector<std::int32_t> dims;
  if (!holds_molecules()) {
    dims.resize(at(dims_));
    std::iota(dims.begin(), dims.end(), 0);
    return dims;
  }
  const auto add = [&](std::int64_t last, std::int64_t dim) {
    dims.push_back(last < most_atoms_ ? static_cast<std::int32_t>(dim) : absent);
  };
  for (std::int64_t i = 0; i < atoms; ++i) add(i, i);
  for (std::int64_t i = 0; i < atoms; ++i)
    for (std::int64_t j = i + 1; j < atoms; ++j)
      add(j, most_atoms_ + pair_number(most_atoms_, i, j));
  return dims;
}

std::int64_t RowForm::extent_of(std::span<const std::int32_t> x) const {
  if (!holds_molecules()) return 0;
  std::int64_t most = 0;
  for (std::size_t first = 0; first < x.size(); first += at(dims_))
    most = std::max(most, atoms_of(x.subspan(first, at(dims_))));
  return extent_of_atoms(most);
}

}  // namespace logpx::arm
