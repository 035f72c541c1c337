#include "libcore/families/arm/level_reader.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>

namespace logpx::arm {

LevelReader::LevelReader(const Config& config, const DatasetInfo& data)
    : form_(data, config.levels(data)),
      coarse_(config.coarse),
      share_(static_cast<double>(coarse_) / static_cast<double>(data.levels)),
      support_(config.support(data)),
      reader_(config.rules(), *support_, "a model of these data") {}

ModelInfo LevelReader::model_info(const DatasetInfo& data) const {
  ModelInfo info = reading_info("arm", data, rules(), *support_);
  info.samples.levels = levels();
  info.samples.value_max = static_cast<double>(levels() - 1);
  if (!form_.holds_molecules()) return info;
  info.lengths = Lengths::up_to;
  for (DatasetInfo* rows : {&info.data, &info.samples}) {
    rows->has_lengths = true;
    rows->notes = molecules_info(atom_types_of(data), form_.most_atoms()).notes;
  }
  return info;
}

void LevelReader::take_molecule(const Examples& examples, std::int64_t row,
                                std::span<std::int32_t> x) const {
  const Molecule molecule = molecule_of_row(examples.info, examples.rows, row);
  const auto refuse = [&](const std::string& what) {
    fail(ErrorKind::data, examples.info.name, "row " + std::to_string(examples.first + row) + what);
  };
  const std::int64_t most = form_.most_atoms();
  if (molecule.size() == 0) refuse(" has no atoms");
  if (molecule.size() > most)
    refuse(" has " + std::to_string(molecule.size()) + " atoms, and the model reads up to " +
           std::to_string(most));
  std::ranges::fill(x, absent);
  const std::vector<std::int32_t> dims = form_.dims_of(molecule.size());
  for (std::size_t k = 0; k < dims.size(); ++k) {
    const std::size_t atoms = molecule.atoms.size();
    const std::uint8_t value = k < atoms ? molecule.atoms[k] : molecule.bonds[k - atoms];
    if (value >= form_.levels_of(dims[k]))
      refuse(", dimension " + std::to_string(k) + " is " + std::to_string(value) +
             "; a model of these data takes whole numbers below " +
             std::to_string(form_.levels_of(dims[k])));
    x[at(dims[k])] = value;
  }
}

std::vector<std::int32_t> LevelReader::values(const Examples& examples) const {
  std::vector<std::int32_t> x;
  if (form_.holds_molecules()) {
    x.resize(at(examples.rows.count * form_.dims()));
    for (std::int64_t i = 0; i < examples.rows.count; ++i)
      take_molecule(examples, i, std::span(x).subspan(at(i * form_.dims()), at(form_.dims())));
    return x;
  }
  std::vector<float> read(at(examples.rows.count * examples.info.dims()));
  reader_.take_supported(examples, read);
  x.reserve(read.size());
  for (const float value : read) x.push_back(level_of(static_cast<double>(value)));
  return x;
}

std::vector<std::uint8_t> LevelReader::symbols(const Examples& examples) const {
  if (form_.holds_molecules()) {
    std::vector<std::uint8_t> symbols;
    for (const std::int32_t value : values(examples))
      symbols.push_back(value == absent ? no_part : static_cast<std::uint8_t>(value));
    return symbols;
  }
  std::vector<std::uint8_t> symbols = reader_.symbols(examples);
  for (std::uint8_t& symbol : symbols)
    symbol = static_cast<std::uint8_t>(level_of(static_cast<double>(symbol)));
  return symbols;
}

void LevelReader::store(const DatasetInfo& samples, std::span<const std::int32_t> x,
                        std::int64_t to, Rows& rows) const {
  if (form_.holds_molecules()) {
    const auto row = rows.values<std::uint8_t>().subspan(at(to) * x.size(), x.size());
    for (std::size_t k = 0; k < x.size(); ++k)
      row[k] = x[k] == absent ? no_part : static_cast<std::uint8_t>(x[k]);
    rows.length[at(to)] = static_cast<std::int32_t>(form_.atoms_of(x));
    return;
  }
  const std::vector<float> values(x.begin(), x.end());
  store_values(samples, rules(), values, to, rows);
}

std::int64_t atoms_of_row(const Examples& molecules, std::int64_t row) {
  const std::vector<std::int32_t>& lengths = molecules.rows.length;
  return lengths.empty() ? atoms_within(molecules.info.dims()) : lengths[at(row)];
}

LevelRows::LevelRows(const LevelReader& reader, const TaskRows& rows) : reader_(reader) {
  if (!reader.form().holds_molecules()) {
    rows_.emplace(reader.reader_, rows);
    return;
  }
  molecules_.emplace(rows.held());
  std::vector<std::int32_t> x(at(reader.form().dims()));
  for (std::int64_t i = 0; i < rows.count; ++i) reader.take_molecule(*molecules_, i, x);
}

void LevelRows::take(std::int64_t row, const RowNoise& noise, std::span<std::int32_t> x) const {
  if (!rows_) return reader_.take_molecule(*molecules_, row, x);
  std::vector<float> read(x.size());
  rows_->take(row, noise, read);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = reader_.level_of(static_cast<double>(read[k]));
}

}  // namespace logpx::arm
