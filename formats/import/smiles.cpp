// Lists and tables of SMILES as molecules.
#include "formats/import/atom_vocabulary.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/packed_molecules.hpp"
#include "formats/import/smiles_reader.hpp"
#include "formats/import/smiles_signature.hpp"
#include "formats/import/test_index.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/base/shown_name.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace logpx {
namespace {

constexpr std::int64_t lines_at_once = 8192, lines_a_block = 64;
constexpr std::size_t longest_shown = 60;

struct Growth {
  std::int64_t least = 0, most = 0;
};

std::optional<Growth> growth_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t colon = text.find(':');
  const auto least = parse_integer(text.substr(0, colon));
  const auto most = colon == std::string::npos ? least : parse_integer(text.substr(colon + 1));
  if (!least || !most || *least < 0 || *most < *least || *most > 100)
    fail(ErrorKind::usage, "--grow",
         "is '" + text + "', expected A:B, the least and the most further atoms, up to 100",
         "--grow 1:4");
  return Growth{*least, *most};
}

std::string shown_text(const std::string& text) {
  const std::string shown = shown_name(text.substr(0, longest_shown));
  return '\'' + shown + (text.size() > longest_shown ? "...'" : "'");
}

class SmilesImporter final : public Importer {
 public:
  SmilesImporter(Inputs inputs, const ImportOptions& options)
      : inputs_(std::move(inputs)),
        options_(options),
        growth_(growth_of(options.grow)),
        vocabulary_(options.vocab, options.vocab_charges),
        molecules_({.most_atoms = options.max_atoms ? options.max_atoms : vocabulary_.most_atoms(),
                    .fragments = options.fragments,
                    .grown_by = growth_ ? growth_->most : 0},
                   vocabulary_) {
    if (!options.test_index.empty()) test_.emplace(options.test_index);
    (void)chemistry();
  }

  [[nodiscard]] bool next(Rows& rows) override {
    if (!read_) read_all();
    rows = {};
    const auto width = static_cast<std::int64_t>(info_.row_bytes());
    const std::int64_t most = std::max<std::int64_t>(1, RowStream::chunk_bytes / width);
    while (given_ < info_.n && rows.count < most) put_row(given_++, rows);
    return rows.count > 0;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    for (std::size_t i = record_.sources.size(); i < inputs_.size(); ++i)
      record_.sources.push_back(*inputs_[i].open().finish());
    return std::move(record_);
  }

 private:
  void read_all() {
    read_ = true;
    for (Input& input : inputs_) {
      SmilesReader reader(input.open(), options_.column);
      while (read_lines(reader)) {
      }
      record_.sources.push_back(reader.finish());
    }
    if (test_) test_->require_below(line_);
    if (molecules_.size() == 0) fail_without_molecules();
    describe();
    tell();
  }

  // Up to some thousand lines: parsed side by side, then taken in their order.
  bool read_lines(SmilesReader& reader) {
    stop::check();
    std::vector<SmilesLine> lines;
    for (SmilesLine line; std::ssize(lines) < lines_at_once && reader.next(line);)
      lines.push_back(std::move(line));
    std::vector<PackedMolecules::Candidate> read(lines.size());
    const std::int64_t count = std::ssize(lines);
    run_blocks(workers_, (count + lines_a_block - 1) / lines_a_block, [&](std::int64_t block) {
      const std::int64_t end = std::min(count, (block + 1) * lines_a_block);
      for (std::int64_t i = block * lines_a_block; i < end; ++i)
        read[at(i)] = lines[at(i)].refused.empty()
                          ? molecules_.read(lines[at(i)].text)
                          : PackedMolecules::Candidate{.trouble = lines[at(i)].refused};
    });
    for (std::int64_t i = 0; i < count; ++i) take(reader.name(), lines[at(i)], read[at(i)]);
    if (told_) told_(line_);
    return count > 0;
  }

  void take(const std::string& file, const SmilesLine& line,
            const PackedMolecules::Candidate& read) {
    const std::int64_t number = line_++;
    const std::string trouble = molecules_.trouble_of(read);
    if (trouble.empty()) {
      molecules_.take(read, number, options_.dedupe ? Repeats::drop : Repeats::keep);
      return;
    }
    const std::string place = file + ':' + std::to_string(line.line);
    if (options_.on_bad == OnBad::fail)
      fail(ErrorKind::data, place, shown_text(line.text) + ": " + trouble,
           "--on-bad skip leaves it out");
    bad_.add(trouble, place, shown_name(line.text.substr(0, longest_shown)));
  }

  [[noreturn]] void fail_without_molecules() const {
    if (line_ == 0) fail(ErrorKind::data, inputs_[0].name(), "no lines");
    const bool atoms = bad_.most_frequent() == "unknown-element";
    fail(ErrorKind::data, inputs_[0].name(),
         "no molecule: " + counted(line_, "line") + " left out (" + bad_.words() + ")",
         atoms ? "--vocab auto" : "");
  }

  void describe() {
    types_ = vocabulary_.types();
    numbers_ = vocabulary_.numbers(types_);
    const std::int64_t most = molecules_.most_atoms();
    info_ = molecules_info(types_, most);
    order_molecules();
    info_.n = molecules_.size() * rows_each();
    info_.has_missing = growth_.has_value();
    info_.has_smiles = !growth_;
    info_.has_source_rows = molecules_.size() != line_ || test_ || rows_each() > 1;
  }

  // As they came; with a list of rows for tests, those last.
  void order_molecules() {
    std::vector<std::int64_t> tests;
    for (std::int64_t i = 0; i < molecules_.size(); ++i)
      (test_ && test_->holds(molecules_.source(i)) ? tests : order_).push_back(i);
    const std::int64_t train = std::ssize(order_) * rows_each();
    order_.insert(order_.end(), tests.begin(), tests.end());
    if (test_)
      info_.splits = {{"train", 0, train}, {"test", train, std::ssize(order_) * rows_each()}};
  }

  [[nodiscard]] std::int64_t rows_each() const {
    return growth_ ? growth_->most - growth_->least + 1 : 1;
  }

  void put_row(std::int64_t row, Rows& rows) const {
    const std::int64_t number = order_[at(row / rows_each())];
    Molecule molecule = molecules_.molecule(number, numbers_);
    if (growth_) molecule = grown(molecule, growth_->least + row % rows_each());
    const std::size_t begin = rows.x.size(), width = info_.row_bytes();
    rows.x.resize(begin + width);
    store_molecule(molecule, rows.values<std::uint8_t>().subspan(begin, width));
    rows.length.push_back(static_cast<std::int32_t>(molecule.size()));
    if (info_.has_smiles) rows.smiles.push_back(molecules_.smiles(number));
    if (info_.has_source_rows) rows.source.push_back(molecules_.source(number));
    ++rows.count;
  }

  void tell() {
    if (bad_.count() > 0)
      record_.left_out.push_back(counted(bad_.count(), "line") + " (" + bad_.words() +
                                 "; the first is " + bad_.first_place() + ")");
    record_.said = {"up to " + counted(molecules_.most_atoms(), "atom") + " of " + types_.names(),
                    rate_words()};
    if (options_.dedupe)
      leave_out(molecules_.repeated(), "molecule that came before", "molecules that came before");
    else if (molecules_.repeated() > 0)
      record_.notes.push_back(counted(molecules_.repeated(), "molecule") +
                              " came before (--dedupe leaves them out)");
    record_.facts = Json::object();
    record_.facts.set("library", chemistry().version()).set("atoms", types_.names());
    record_.facts.set("most_atoms", molecules_.most_atoms()).set("lines", line_);
    record_.facts.set("come_back", molecules_.come_back()).set("repeated", molecules_.repeated());
    record_.facts.set("left_out", bad_.counts_json()).set("first_left_out", bad_.first_json());
  }

  [[nodiscard]] std::string rate_words() const {
    const std::int64_t lost = molecules_.size() - molecules_.come_back();
    if (lost == 0) return "all of which come back as they were";
    const double share = 100.0 * static_cast<double>(molecules_.come_back()) /
                         static_cast<double>(molecules_.size());
    const std::string rate = fmt::format("{:.1f} % come back as they were", share);
    return vocabulary_.may_tell_charges() ? rate + " (all with --vocab-charges)" : rate;
  }

  Inputs inputs_;
  ImportOptions options_;
  std::optional<Growth> growth_;
  AtomVocabulary vocabulary_;
  PackedMolecules molecules_;
  std::optional<TestIndex> test_;
  BadLines bad_;
  AtomTypes types_;
  std::vector<std::uint8_t> numbers_;  // of tickets
  std::vector<std::int64_t> order_;    // of molecules
  std::int64_t line_ = 0, given_ = 0;
  bool read_ = false;
};

std::unique_ptr<Importer> open_smiles(Inputs inputs, const ImportOptions& options) {
  return std::make_unique<SmilesImporter>(unpacked(std::move(inputs), options.members), options);
}

}  // namespace

namespace foreign {

ImportFormat smiles() {
  return {.word = "smiles",
          .says = "molecules, as lists or tables of SMILES",
          .known_by = {{"a table of SMILES", "", begins_smiles_table},
                       {"a list of SMILES", "", begins_smiles_list}},
          .options = {"members", "vocab", "vocab-charges", "max-atoms", "column", "fragments",
                      "on-bad", "test-index", "dedupe", "grow"},
          .open = open_smiles};
}

}  // namespace foreign
}  // namespace logpx
