#include "tools/sessions/molecule_source.hpp"

#include "formats/dataset_file.hpp"
#include "formats/file/input.hpp"
#include "formats/import/csv_records.hpp"
#include "formats/samples_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace logpx {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
constexpr std::size_t most_letters = 10'000;  // of one SMILES; a longer line is something else
constexpr std::string_view hdf5_beginning = "\x89HDF\r\n\x1a\n";

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(" \t"));
}

bool names_smiles(const std::string& field) { return lower(field) == "smiles"; }

// Commas stand in no SMILES, and files of SMILES have no line of names but for that one word.
bool is_table(std::string_view text) {
  const std::string_view line = first_line(text);
  return line.find(',') != std::string_view::npos || line.find(';') != std::string_view::npos;
}

std::size_t column_of(const std::vector<std::string>& names, const std::string& wanted,
                      const std::string& file) {
  const auto found =
      wanted.empty() ? std::ranges::find_if(names, names_smiles) : std::ranges::find(names, wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string lacks = wanted.empty() ? "smiles" : wanted;
  fail(ErrorKind::data, file,
       "has no column called " + lacks + "; its first line names " + join_text(names, ", "),
       "--column NAME says which one holds SMILES");
}

std::vector<std::byte> bytes_of(const SeekableInput& input) {
  ByteSource source(input.path().string());
  std::vector<std::byte> bytes = read_whole(source, most_bytes);
  (void)source.finish();
  return bytes;
}

CompoundGraph graph_of(const Molecule& molecule, const AtomTypes& types) {
  CompoundGraph graph{.atoms = {}, .bonds = molecule.bonds};
  for (const std::uint8_t type : molecule.atoms) graph.atoms.push_back(types[type]);
  return graph;
}

bool is_whole(const Molecule& molecule) {
  const auto known = [](std::uint8_t part) { return part < unknown_part; };
  return std::ranges::all_of(molecule.atoms, known) && std::ranges::all_of(molecule.bonds, known);
}

}  // namespace

MoleculeSource::MoleculeSource(App& app, const std::string& operand, const MoleculeAsking& asking) {
  const DatasetName named = parse_dataset_name(operand);
  SeekableInput input(named.path);
  name_ = input.name();
  ByteSource beginning(input.path().string());
  if (!begins_with(beginning.peek(hdf5_beginning.size()), hdf5_beginning)) {
    if (!named.split.empty())
      fail(ErrorKind::usage, operand, "names a split, and only datasets have splits");
    read_text(input, asking);
    app.add_input({.role = asking.role, .path = operand, .kind = "smiles"});
    return;
  }
  OpenRows open = open_rows(ArtifactFile(std::move(input)));
  const DatasetInfo& info = open.rows->info();
  if (info.content != Content::molecules)
    fail(ErrorKind::data, name_,
         "holds rows of " + std::string(word_of(info.content)) + ", expected molecules");
  const RowSelection chosen = select_rows(info, named, asking.default_split, {});
  graphs_ = Graphs{.info = info,
                   .types = atom_types_of(info),
                   .rows = open.rows->read(chosen.begin, chosen.end),
                   .first = chosen.begin};
  app.add_input({.role = asking.role,
                 .path = named.path,
                 .kind = word_of(open.kind),
                 .content_hash = open.content_hash,
                 .rows = std::pair(chosen.begin, chosen.end)});
}

void MoleculeSource::read_text(const SeekableInput& input, const MoleculeAsking& asking) {
  std::vector<std::byte> bytes = bytes_of(input);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_table(text)) return read_table(std::move(bytes), asking.column);
  if (!asking.column.empty() && lower(asking.column) != lower(std::string(first_line(text))))
    fail(ErrorKind::usage, "--column", name_ + " has no columns: its first line holds no comma");
  read_lines(text);
}

void MoleculeSource::read_lines(std::string_view text) {
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin = end + 1;
    ++number;
    const std::string_view word = first_word(line);
    if (number == 1 && names_smiles(std::string(word))) continue;
    texts_.emplace_back(word);
    lines_.push_back(number);
  }
}

void MoleculeSource::read_table(std::vector<std::byte> bytes, const std::string& column) {
  CsvReader reader(ByteSource(name_, std::move(bytes)));
  CsvRecord record;
  if (!reader.next(record)) return;
  const std::size_t names = record.fields.size(), place = column_of(record.fields, column, name_);
  while (reader.next(record)) {
    if (record.is_blank() && names > 1) continue;
    if (record.fields.size() != names)
      fail(ErrorKind::data, name_ + " line " + std::to_string(record.line),
           "has " + counted(record.fields.size(), "field") + ", and the first line has " +
               std::to_string(names));
    texts_.push_back(record.fields[place]);
    lines_.push_back(static_cast<std::int64_t>(record.line));
  }
}

std::int64_t MoleculeSource::size() const {
  return graphs_ ? graphs_->rows.count : std::ssize(texts_);
}

std::int64_t MoleculeSource::place(std::int64_t i) const {
  return graphs_ ? graphs_->first + i : lines_[static_cast<std::size_t>(i)];
}

std::string MoleculeSource::text(std::int64_t i) const {
  if (!graphs_) return texts_[static_cast<std::size_t>(i)];
  return molecule_text(molecule_of_row(graphs_->info, graphs_->rows, i), graphs_->types);
}

MoleculeReading MoleculeSource::read(std::int64_t i) const {
  if (graphs_) return read_graph(i);
  const std::string& text = texts_[static_cast<std::size_t>(i)];
  if (text.size() > most_letters) return {.trouble = "too-long"};
  const CompoundReading read = chemistry().read(text);
  if (!read.compound) return {.trouble = word_of(*read.trouble)};
  return {.compound = read.compound, .strict = true};
}

MoleculeReading MoleculeSource::read_graph(std::int64_t i) const {
  const Molecule molecule = molecule_of_row(graphs_->info, graphs_->rows, i);
  if (!is_whole(molecule)) return {.trouble = "unfinished"};
  const CompoundGraph graph = graph_of(molecule, graphs_->types);
  const CompoundReading read = chemistry().make(graph, ChargeRule::restored);
  if (!read.compound) return {.trouble = word_of(*read.trouble)};
  return {.compound = read.compound,
          .strict = chemistry().make(graph, ChargeRule::none).compound != nullptr};
}

}  // namespace logpx
