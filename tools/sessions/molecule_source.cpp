#include "tools/sessions/molecule_source.hpp"

#include "formats/dataset_file.hpp"
#include "formats/file/input.hpp"
#include "formats/file/signature.hpp"
#include "formats/import/smiles_reader.hpp"
#include "formats/mol/molecule_lines.hpp"
#include "formats/samples_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "tools/frame/app.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;
constexpr std::size_t most_letters = 10'000;  // of one SMILES; a longer line is something else

}  // namespace

MoleculeSource::MoleculeSource(App& app, const std::string& operand, const MoleculeAsking& asking) {
  const DatasetName named = parse_dataset_name(operand);
  SeekableInput input(named.path);
  name_ = input.name();
  ByteSource beginning(input.path().string());
  if (!begins_with(beginning.peek(hdf5_magic.size()), hdf5_magic)) {
    if (!named.split.empty())
      fail(ErrorKind::usage, operand, "names a split, and only datasets have splits");
    read_text(input, asking.column);
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

void MoleculeSource::read_text(const SeekableInput& input, const std::string& column) {
  ByteSource source(input.path().string());
  SmilesReader reader(ByteSource(name_, read_whole(source, most_bytes)), column);
  for (SmilesLine line; reader.next(line);) lines_.push_back(std::move(line));
}

std::int64_t MoleculeSource::size() const {
  return graphs_ ? graphs_->rows.count : std::ssize(lines_);
}

std::int64_t MoleculeSource::place(std::int64_t i) const {
  return graphs_ ? graphs_->first + i : static_cast<std::int64_t>(lines_[at(i)].line);
}

std::string MoleculeSource::text(std::int64_t i) const {
  if (!graphs_) return lines_[at(i)].text;
  return molecule_text(molecule_of_row(graphs_->info, graphs_->rows, i), graphs_->types);
}

MoleculeReading MoleculeSource::read(std::int64_t i) const {
  if (graphs_) return read_graph(i);
  const SmilesLine& line = lines_[at(i)];
  if (!line.refused.empty()) return {.trouble = line.refused};
  if (line.text.size() > most_letters) return {.trouble = "too-long"};
  const CompoundReading read = chemistry().read(line.text);
  if (!read.compound) return {.trouble = word_of(*read.trouble)};
  return {.compound = read.compound, .strict = true};
}

MoleculeReading MoleculeSource::read_graph(std::int64_t i) const {
  const Molecule molecule = molecule_of_row(graphs_->info, graphs_->rows, i);
  if (!is_whole(molecule)) return {.trouble = unknown_parts};
  const CompoundGraph graph = compound_graph(molecule, graphs_->types);
  const ChargeRule rule = charge_rule(graphs_->types);
  const CompoundReading read = chemistry().make(graph, rule);
  if (!read.compound) return {.trouble = word_of(*read.trouble)};
  const bool strict =
      rule == ChargeRule::none || chemistry().make(graph, ChargeRule::none).compound != nullptr;
  return {.compound = read.compound, .strict = strict};
}

}  // namespace logpx
