#include "tools/sessions/molecule_columns.hpp"

#include "libcore/mol/molecule.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx {
namespace {

void add_bits(Fingerprints& prints, const std::vector<std::uint64_t>& words) {
  if (!words.empty()) prints.append(words);
}

}  // namespace

MoleculeColumns::MoleculeColumns(const MoleculeSet& of)
    : set(&of),
      morgan(bits_of(FingerprintKind::morgan)),
      path(bits_of(FingerprintKind::path)),
      maccs(bits_of(FingerprintKind::maccs)) {
  for (const ValidMolecule& one : of.valid) {
    const std::vector<double>& values = one.facts.descriptors;
    descriptors.insert(descriptors.end(), values.begin(), values.end());
    add_bits(morgan, one.facts.morgan);
    add_bits(path, one.facts.path);
    add_bits(maccs, one.facts.maccs);
  }
}

RowList MoleculeColumns::all() const {
  RowList rows(set->valid.size());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

std::vector<double> MoleculeColumns::property(std::size_t which, const RowList& rows) const {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::uint32_t row : rows) values.push_back(property_of(facts(row), which));
  return values;
}

void MoleculeColumns::environments(std::int64_t i, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (const auto& [id, count] : facts(i).environments) out[id % out.size()] += count;
  for (double& value : out) value = std::log1p(value);
}

NamedCounts scaffold_counts(const MoleculeColumns& columns, const RowList& rows) {
  NamedCounts counts;
  for (const std::uint32_t row : rows)
    if (const std::string& scaffold = columns.facts(row).scaffold; !scaffold.empty())
      ++counts[scaffold];
  return counts;
}

NamedCounts piece_counts(const MoleculeColumns& columns, const RowList& rows) {
  NamedCounts counts;
  for (const std::uint32_t row : rows)
    for (const std::string& piece : columns.facts(row).pieces) ++counts[piece];
  return counts;
}

NamedCounts size_counts(const MoleculeColumns& columns) {
  NamedCounts counts;
  for (std::int64_t i = 0; i < columns.n(); ++i)
    ++counts[std::to_string(columns.facts(i).graph.atoms.size())];
  return counts;
}

NamedCounts ring_counts(const MoleculeColumns& columns) {
  NamedCounts counts;
  for (std::int64_t i = 0; i < columns.n(); ++i)
    for (const std::int64_t size : columns.facts(i).ring_sizes) ++counts[std::to_string(size)];
  return counts;
}

NamedCounts valence_counts(const MoleculeColumns& columns) {
  NamedCounts counts;
  for (std::int64_t i = 0; i < columns.n(); ++i) {
    const CompoundGraph& graph = columns.facts(i).graph;
    const std::vector<int> used = used_valences(graph.bonds, std::ssize(graph.atoms));
    for (std::size_t a = 0; a < used.size(); ++a)
      ++counts[graph.atoms[a].element + ' ' + std::to_string(used[a])];
  }
  return counts;
}

Moments descriptor_moments(const MoleculeColumns& columns, const RowList& rows) {
  const std::int64_t d = std::ssize(descriptor_names());
  return moments_of({.values = columns.descriptors, .n = columns.n(), .d = d}, rows);
}

Moments environment_moments(const MoleculeColumns& columns, const RowList& rows, Workers& workers) {
  MomentSums sums(environment_places, &workers);
  std::vector<double> row(at(environment_places));
  for (const std::uint32_t i : rows) {
    columns.environments(i, row);
    sums.append(std::span<const double>(row));
  }
  return sums.finish();
}

Moments chemnet_moments(const MoleculeColumns& columns, const RowList& rows, Workers& workers) {
  const std::size_t width = columns.chemnet.size() / at(columns.n());
  MomentSums sums(static_cast<std::int64_t>(width), &workers);
  for (const std::uint32_t i : rows)
    sums.append(std::span(columns.chemnet).subspan(i * width, width));
  return sums.finish();
}

SparseFeatures neighbourhoods(const MoleculeColumns& columns, const RowList& rows,
                              Workers& workers) {
  std::vector<Molecule> molecules;
  molecules.reserve(rows.size());
  for (const std::uint32_t i : rows) molecules.push_back(columns.facts(i).numbered);
  return mean_neighbourhood_pairs(molecules, {}, workers);
}

std::vector<double> environment_matrix(const MoleculeColumns& columns, const RowList& rows) {
  std::vector<double> matrix(rows.size() * at(environment_places));
  for (std::size_t i = 0; i < rows.size(); ++i)
    columns.environments(
        rows[i], std::span(matrix).subspan(i * at(environment_places), at(environment_places)));
  return matrix;
}

}  // namespace logpx
