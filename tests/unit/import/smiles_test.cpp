// Lists and tables of SMILES as molecules.
#include "formats/import/smiles_reader.hpp"
#include "formats/mol/chemistry.hpp"
#include "formats/mol/molecule_lines.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace logpx::smiles_test {

using namespace logpx::testing;

namespace {

std::vector<std::string> lines_of(const std::string& text, const std::string& column = "") {
  SmilesReader reader(ByteSource("a", bytes_of(text)), column);
  std::vector<std::string> lines;
  for (SmilesLine line; reader.next(line);)
    lines.push_back(std::to_string(line.line) + ' ' + line.text +
                    (line.refused.empty() ? "" : " = " + line.refused));
  return lines;
}

using Lines = std::vector<std::string>;

// The lines that view-samples would write.
std::string texts_of(const Packed& packed) { return smiles_lines(packed.info, packed.rows); }

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string data_file(const char* name) {
  const char* const set = std::getenv("LOGPX_DATA_DIR");
  const std::string folder = set != nullptr ? set : LOGPX_DATA_DIR;
  const std::string path = folder + "/smiles/" + name;
  if (!folder.empty() && std::filesystem::exists(path)) return path;
  MESSAGE("skipped: LOGPX_DATA_DIR has no smiles/" << std::string(name));
  return "";
}

// The first molecules of a file, of those that `keep` takes.
template <typename Keep>
Lines first_of(const std::string& path, std::size_t count, const Keep& keep) {
  Lines lines;
  SmilesReader reader{ByteSource(path)};
  for (SmilesLine line; lines.size() < count && reader.next(line);)
    if (keep(line.text)) lines.push_back(line.text);
  return lines;
}

}  // namespace

TEST_CASE(
    "smiles: the first line says what a file is, and what stands behind a text is passed over") {
  if (!has_chemistry()) return;
  CHECK(lines_of("CCO ethanol, pure\nC\tmethane\r\n\n# a comment\nN\n\n\n") ==
        Lines{"1 CCO", "2 C", "3 ", "5 N"});
  CHECK(lines_of("SMILES name\nCCO ethanol\n") == Lines{"2 CCO"});
  CHECK(lines_of("smiles\nCCO\n") == Lines{"2 CCO"});
  CHECK(lines_of("id,canonical_smiles\n1,CCO\n2,\"C\n\"\n") == Lines{"2 CCO", "3 C"});
  CHECK(lines_of("CCO,1.5\nC,2\n") == Lines{"1 CCO", "2 C"});
  CHECK(lines_of("a,b\n1,CCO\n", "b") == Lines{"2 CCO"});
  CHECK(lines_of("a,b\n1,CCO\n", "2") == Lines{"2 CCO"});
  CHECK(lines_of("# valence: C C  0-1:3\nC\n") ==
        Lines{"1 # valence: C C  0-1:3 = valence", "2 C"});
  CHECK(error_of("smiles", bytes_of("mol,logp\n1,2\n")) ==
        "data|a: no column is called smiles|--column NAME; columns are mol,logp");
}

TEST_CASE("smiles: what occurs is kept with charges and radicals, so that all come back") {
  if (!has_chemistry()) return;
  const Lines lines = {
      "C[N+](=O)[O-]", "[NH3+]CC(=O)[O-]", "[CH2]C", "C[C]C", "c1cc[nH]c1", "c1cc[nH+]cc1",
      "[O]C",          "C[Si](C)(C)C",     "[H+]",   "*C"};
  const Packed packed = pack("smiles", bytes_of(joined(lines)));
  CHECK(packed.info.n == 8);
  CHECK(packed.rows.smiles.size() == 8);
  CHECK(texts_of(packed) == joined(packed.rows.smiles));
  CHECK(packed.record.facts.at("come_back").integer() == 8);
  CHECK(packed.record.facts.at("left_out").at("unknown-element").integer() == 2);
  ImportOptions elements;
  elements.vocab_charges = false;
  const Packed plain = pack("smiles", bytes_of(joined(lines)), elements);
  CHECK(atom_types_of(plain.info).names() == "C N O Si");
  CHECK(plain.record.facts.at("come_back").integer() == 2);
}

TEST_CASE("smiles: the same molecule is the same row however it is written") {
  if (!has_chemistry()) return;
  const Packed packed = pack("smiles", bytes_of("OCC\nC(O)C\n[13CH3][CH2:7]O\nC([2H])([2H])CO\n"));
  REQUIRE(packed.info.n == 4);
  for (const std::string& smiles : packed.rows.smiles) CHECK(smiles == "CCO");
  const auto x = packed.x();
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == x[i % (x.size() / 4)]);
}

TEST_CASE("smiles: lines are left out by class, counted and named") {
  if (!has_chemistry()) return;
  ImportOptions options;
  options.vocab = "C,N,O";
  options.max_atoms = 3;
  const std::string text = "C\nC1CC\nC(C)(C)(C)(C)C\nc1cccc1\n\nFC\nCCCC\nC.O\nC\nC$C\n" +
                           std::string(5000, 'C') + "\nC\x80\n";
  const Packed packed = pack("smiles", bytes_of(text), options);
  const Json& counts = packed.record.facts.at("left_out");
  CHECK(packed.info.n == 2);
  CHECK(counts.at("smiles-syntax").integer() == 2);
  CHECK(counts.at("valence").integer() == 1);
  CHECK(counts.at("kekulize").integer() == 1);
  CHECK(counts.at("empty").integer() == 1);
  CHECK(counts.at("unknown-element").integer() == 1);
  CHECK(counts.at("too-large").integer() == 2);
  CHECK(counts.at("multi-fragment").integer() == 1);
  CHECK(counts.at("unknown-bond").integer() == 1);
  CHECK(packed.record.facts.at("first_left_out").at(0).at("line").string() == "a:2");
  CHECK(packed.rows.source == std::vector<std::int64_t>{0, 8});
  options.on_bad = OnBad::fail;
  CHECK(error_of("smiles", bytes_of(text), options) ==
        "data|a:2: 'C1CC': smiles-syntax|--on-bad skip leaves it out");
}

TEST_CASE("smiles: fragments, repeats and tests are as asked for") {
  if (!has_chemistry()) return;
  ImportOptions options;
  options.fragments = Fragments::largest;
  options.dedupe = true;
  const Packed packed = pack("smiles", bytes_of("[Na+].CC(=O)[O-]\nCC\nC.CC\nO\n"), options);
  CHECK(packed.rows.smiles == Lines{"CC(=O)[O-]", "CC", "O"});
  options = {};
  options.grow = "0:2";
  const Packed grown = pack("smiles", bytes_of("CO\n"), options);
  CHECK(grown.info.has_missing);
  CHECK(grown.rows.length == std::vector<std::int32_t>{2, 3, 4});
  CHECK(molecule_text(molecule_of_row(grown.info, grown.rows, 1), atom_types_of(grown.info)) ==
        "C O ?  0-1:1 0-2:? 1-2:?");
}

TEST_CASE("smiles: four threads parse as one") {
  if (!has_chemistry()) return;
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += std::string(static_cast<std::size_t>(1 + i % 20), 'C') + "O\n";
  const auto rows_with = [&](int threads) {
    Workers workers(threads);
    std::vector<Input> inputs;
    inputs.emplace_back("a", bytes_of(text));
    const auto importer = open_import(*find_format("smiles"), std::move(inputs), {});
    importer->share_work(workers, nullptr);
    std::vector<std::byte> x;
    for (Rows rows; importer->next(rows);) x.insert(x.end(), rows.x.begin(), rows.x.end());
    return x;
  };
  CHECK(rows_with(1) == rows_with(4));
}

TEST_CASE(
    "smiles: ten thousand neutral molecules of QM9 and ZINC come back, and with charges all") {
  if (!has_chemistry()) return;
  const std::vector<std::pair<const char*, const char*>> files = {
      {"qm9_train.csv", "qm9"}, {"zinc250k_valid.csv", "zinc250k"}};
  for (const auto& [name, vocab] : files) {
    const std::string path = data_file(name);
    if (path.empty()) continue;
    const auto come_back = [&](bool charges, const Lines& lines) {
      ImportOptions options;
      options.vocab = vocab;
      options.vocab_charges = charges;
      const Packed packed = pack("smiles", bytes_of(joined(lines)), options);
      CHECK(texts_of(packed) == joined(packed.rows.smiles));
      CHECK(packed.record.facts.at("come_back").integer() == packed.info.n);
      return packed.info.n;
    };
    const Lines all = first_of(path, 10000, [](const std::string&) { return true; });
    const Lines neutral = first_of(path, 10000, [](const std::string& smiles) {
      const std::vector<AtomType> atoms = chemistry().read_plain(smiles).graph.atoms;
      return std::ranges::all_of(atoms, [](const AtomType& type) {
        return type.charge == 0 && type.hydrogens == usual_hydrogens;
      });
    });
    CHECK(come_back(false, neutral) >= 9900);  // those of one part
    CHECK(come_back(true, all) >= 9900);
    // read() and read_plain() are the same molecule.
    for (std::size_t i = 0; i < all.size(); i += 50) {
      const PlainCompound plain = chemistry().read_plain(all[i]);
      const CompoundReading read = chemistry().read(all[i]);
      REQUIRE(read.compound);
      CHECK(read.compound->smiles() == plain.smiles);
      CHECK(read.compound->graph().atoms == plain.graph.atoms);
      CHECK(read.compound->graph().bonds == plain.graph.bonds);
    }
  }
}

}  // namespace logpx::smiles_test
