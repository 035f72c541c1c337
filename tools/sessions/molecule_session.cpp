#include "tools/sessions/molecule_session.hpp"

#include "formats/file/signature.hpp"
#include "formats/import/byte_source.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/progress.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/molecule_report.hpp"
#include "tools/sessions/molecule_series.hpp"
#include "tools/sessions/molecule_source.hpp"
#include "tools/sessions/molecule_tables.hpp"

#include <algorithm>
#include <filesystem>

namespace logpx {
namespace {

constexpr const char* wanted_molecules = "SMILES a line, a CSV, a dataset or samples";

// Whether it is a file of --make-reference.
bool is_reference(const std::string& operand) {
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(operand, unreadable)) return false;
  ByteSource source(operand);
  if (!begins_with(source.peek(hdf5_magic.size()), hdf5_magic)) return false;
  return ArtifactFile(operand).kind() == ArtifactKind::reference;
}

// What others have measured or fitted, and users have files of.
void describe_others(Fields& f, MoleculeOptions& o) {
  f.add("sa-table", o.sa_table, "scores of fragments for SA, in place of those of RDKit's data")
      .metavar("FILE")
      .external()
      .hidden_default()
      .files("*.h5")
      .rank(Rank::manual)
      .about(
          "RDKit's fpscores.pkl.gz, or a table of --build-sa-table; by the latter the score is "
          "called SA_custom, since it cannot be compared with SA.");
  f.add("fcd", o.fcd, "weights of ChemNet, by scripts/convert-chemnet: FCD as well")
      .metavar("FILE")
      .external()
      .hidden_default()
      .files("*.h5 of basis");
}

}  // namespace

void MoleculeOptions::describe(Fields& f) {
  f.add("molecules", sets, std::string("what to judge: ") + wanted_molecules)
      .metavar("MOLECULES")
      .positional()
      .required()
      .files("*.smi");
  f.group("compare with");
  f.add("train", train, "molecules that a model has seen: the others are new")
      .metavar("FILE")
      .external()
      .hidden_default()
      .files("*.smi");
  f.add("test", test, "molecules to be like, or a reference made of them")
      .metavar("FILE")
      .external()
      .hidden_default()
      .files("*.smi");
  f.add("column", column, "the column of a CSV that holds SMILES")
      .metavar("NAME")
      .shows_default("smiles, in letters of any size")
      .rank(Rank::manual);
  measures.describe(f);
  describe_others(f, *this);
  f.add("table", table,
        {{"none", Benchmark::none, "our own"},
         {"moses", Benchmark::moses, "those of MOSES"},
         {"guacamol", Benchmark::guacamol, "those of GuacaMol's distribution learning"}},
        "columns of a benchmark too");
  describe_output(f, output, "where to write a reference, features or a table", {{"h5"}});
  f.add("valid-out", valid_out, "write the valid ones as canonical SMILES")
      .metavar("FILE.smi")
      .output()
      .writes({"smi"})
      .hidden_default();
  f.add("per-molecule", per_molecule, "write a row for each molecule, and why others are none")
      .metavar("FILE.csv")
      .output()
      .writes({"csv"})
      .hidden_default();
  f.add("make-reference", make_reference, "write what --test needs of these molecules");
  f.add("features", features,
        {{"none", MoleculeFeatures::none, "nothing"},
         {"descriptors", MoleculeFeatures::descriptors, "32 descriptors, as FDD compares them"},
         {"morgan", MoleculeFeatures::morgan, "environments of atoms, as FMD compares them"}},
        "write features for fid-extrapolate");
  f.add("build-sa-table", build_sa_table, "write a table for --sa-table: how common fragments are")
      .rank(Rank::manual);
}

void MoleculeOptions::check() const {
  const int made = make_reference + build_sa_table + (features != MoleculeFeatures::none);
  if (made > 1)
    fail(ErrorKind::usage, "",
         "--make-reference, --features and --build-sa-table each want an output of their own: one "
         "at a time");
  if (made == 1 && output.empty())
    fail(ErrorKind::usage, "", "missing -o: where to write", "add -o OUT.h5");
  if (made == 0 && !output.empty())
    fail(ErrorKind::usage, "-o", "goes with --make-reference, --features or --build-sa-table",
         "--report FILE keeps the answer; leave out -o then");
  if (made == 1 && sets.size() > 1)
    fail(ErrorKind::usage, "", counted(sets.size(), "set") + ", and the output is of one");
  if (table != Benchmark::none && test.empty())
    fail(ErrorKind::usage, "--table", "needs --test: these benchmarks compare with a test set",
         "add --test TEST.smi");
  if (!fcd.empty() && test.empty() && !make_reference)
    fail(ErrorKind::usage, "--fcd", "needs --test: FCD is the distance from a test set",
         "add --test TEST.smi");
  if (make_reference && (!test.empty() || !train.empty()))
    fail(ErrorKind::usage, "--make-reference",
         "takes the test set itself, without --test and --train",
         "mol-metrics TEST.smi --make-reference -o REFERENCE.h5");
  (void)measures.parts();
}

MoleculeSession::MoleculeSession(App& app, const MoleculeOptions& options)
    : app_(app), options_(options), parts_(options.measures.parts()) {
  (void)chemistry();
  parts_.spelling = !options.fcd.empty();
  if (options.features == MoleculeFeatures::descriptors) parts_.properties = true;
  if (options.features == MoleculeFeatures::morgan) parts_.bits = true;
  if (options.build_sa_table)
    parts_ = {
        .properties = false, .bits = true, .other_bits = false, .pieces = false, .graphs = false};
}

void MoleculeSession::say_plan() {
  app_.say("would judge " + join_text(options_.sets, ", ") + " by " +
           join_text(options_.measures.measures, ", "));
}

void MoleculeSession::open_table() {
  if (!parts_.properties) return;
  const std::string path = options_.sa_table.empty() ? usual_sa_table() : options_.sa_table;
  if (path.empty())
    return app_.warn(
        "RDKit's data are not installed (rdkit-data), and SA is left out: "
        "--sa-table FILE names a table of fragment scores");
  table_ = read_sa_table(path);
  if (!options_.sa_table.empty())
    app_.add_input({.role = "sa_table",
                    .path = path,
                    .kind = table_->is_custom ? "basis" : "pickle",
                    .content_hash = table_->hash});
}

MoleculeSet MoleculeSession::read(const std::string& operand, const std::string& role) {
  FactParts parts = parts_;
  if (role == "test") parts.other_bits = false;
  const MoleculeSource source(
      app_, operand,
      {.role = role, .column = options_.column, .default_split = role == "test" ? "test" : ""});
  const auto progress = app_.progress("molecules", static_cast<double>(source.size()));
  return read_molecules(source, parts,
                        {table_ ? &table_->scores : nullptr, &app_.workers(), progress.get()});
}

std::optional<std::vector<std::string>> MoleculeSession::read_train() {
  if (options_.train.empty()) return std::nullopt;
  const MoleculeSource source(
      app_, options_.train, {.role = "train", .column = options_.column, .default_split = "train"});
  const auto progress = app_.progress("molecules", static_cast<double>(source.size()));
  return read_canonical(source, {nullptr, &app_.workers(), progress.get()});
}

void MoleculeSession::require_parts(const MoleculeReference& reference) const {
  const std::string again =
      "mol-metrics TEST.smi --make-reference -o " + shell_word(reference.name) + " --force";
  FactParts wanted = parts_;
  wanted.other_bits = false;  // of pairs within a set
  for (const auto& [word, part] : fact_parts)
    if (wanted.*part && !(reference.parts.*part))
      fail(ErrorKind::data, reference.name,
           std::string("was made without ") + word + ", which --measures asks for", again);
  const bool both = table_ && !reference.sa_hash.empty();
  if (both && parts_.properties && table_->hash != reference.sa_hash)
    fail(
        ErrorKind::data, reference.name, "was made with another table of SA",
        options_.sa_table.empty() ? again : again + " --sa-table " + shell_word(options_.sa_table));
  if (chemnet_ && reference.chemnet_hash != chemnet_->hash())
    fail(ErrorKind::data, reference.name,
         reference.chemnet_hash.empty() ? "was made without --fcd"
                                        : "was made with other weights of ChemNet",
         again + " --fcd " + shell_word(options_.fcd));
}

std::optional<MoleculeReference> MoleculeSession::read_reference() {
  if (options_.test.empty()) return std::nullopt;
  if (is_reference(options_.test)) {
    const ReferenceFile file(options_.test);
    app_.add_input({.role = "test",
                    .path = options_.test,
                    .kind = "reference",
                    .content_hash = file.content_hash(),
                    .provenance = file.provenance()});
    MoleculeReference reference = reference_from(file);
    require_parts(reference);
    return reference;
  }
  return as_reference(read(options_.test, "test"));
}

MoleculeReference MoleculeSession::as_reference(const MoleculeSet& set) {
  MoleculeColumns columns(set);
  if (chemnet_) columns.chemnet = chemnet_->features(spellings_of(set));
  return reference_of(columns,
                      {.parts = parts_,
                       .sa_hash = table_ ? table_->hash : "",
                       .chemnet_hash = chemnet_ ? chemnet_->hash() : ""},
                      app_);
}

void MoleculeSession::run() {
  open_table();
  if (!options_.fcd.empty()) chemnet_.emplace(app_, options_.fcd);
  if (options_.build_sa_table) return write_table();
  judge();
}

void MoleculeSession::judge() {
  std::optional<MoleculeReference> reference = read_reference();
  std::vector<MoleculeSet> sets;
  for (const std::string& operand : options_.sets) sets.push_back(read(operand, "generated"));
  const std::optional<std::vector<std::string>> train = read_train();
  const MoleculeJudge judge(app_, options_.measures,
                            {.reference = std::move(reference),
                             .train = train,
                             .chemnet = chemnet_ ? &*chemnet_ : nullptr});
  const auto& test = judge.reference();
  std::vector<MoleculeMeasures> measures;
  std::vector<DescribedSet> described;
  for (const MoleculeSet& set : sets) {
    const MoleculeColumns columns = judge.columns_of(set);
    measures.push_back(judge.of(columns));
    warn_of(measures.back());
    if (options_.table == Benchmark::guacamol && parts_.properties && parts_.bits)
      measures.back().divergence_score = divergence_score(columns, *test, app_.workers());
    described.push_back({&set, {.train = train ? &*train : nullptr, .has_sa = table_.has_value()}});
    if (!options_.per_molecule.empty() && test && parts_.bits)
      described.back().beside.nearest =
          nearest_similarities(columns.morgan, test->morgan, app_.workers());
  }
  report(judge, std::move(measures));
  if (parts_.properties)
    add_property_series(app_, sets, test ? &*test : nullptr, table_.has_value());
  if (!options_.per_molecule.empty()) write_each_molecule(app_, options_.per_molecule, described);
  if (!options_.valid_out.empty()) write_valid_molecules(app_, options_.valid_out, described);
  if (options_.features != MoleculeFeatures::none)
    write_molecule_features(app_, options_.output, sets.front(), options_.features);
  if (options_.make_reference) write_reference_of(sets.front());
}

void MoleculeSession::warn_of(const MoleculeMeasures& m) {
  if (m.n == 0) app_.warn(m.name + " is empty: there is nothing to judge");
  else if (m.valid == 0)
    app_.warn(m.name + " holds no valid molecule, so that there is nothing more to say of it");
  if (m.in_pairs > 0 && m.in_pairs < m.valid)
    app_.warn("similarities are of " + std::to_string(m.in_pairs) + " of " +
              std::to_string(m.valid) + " molecules of " + m.name +
              ", chosen at random "
              "(--max-pairs-mols)");
}

void MoleculeSession::report(const MoleculeJudge& judge, std::vector<MoleculeMeasures> measures) {
  if (table_ && table_->is_custom)
    for (MoleculeMeasures& one : measures)
      for (PropertyMeasures& property : one.properties)
        if (property.name == "SA") property.name = "SA_custom";
  const MoleculeReference* const reference = judge.reference() ? &*judge.reference() : nullptr;
  Json& result = app_.result();
  result.set("chemistry", chemistry().version());
  Json sets = Json::array();
  for (const MoleculeMeasures& one : measures) sets.push(to_json(one, reference));
  result.set("sets", std::move(sets));
  if (reference != nullptr) result.set("test", to_json(*reference));
  app_.shown() = people_tables(measures, reference);
  if (options_.table != Benchmark::none) {
    Json rows = Json::array();
    for (const MoleculeMeasures& one : measures) rows.push(benchmark_row(options_.table, one));
    const std::string name = options_.table == Benchmark::moses ? "moses" : "guacamol";
    app_.shown() =
        Json::object().set(name, rows).set("but", join_text(benchmark_notes(options_.table), "; "));
    result.set("table", Json::object()
                            .set("benchmark", name)
                            .set("rows", std::move(rows))
                            .set("notes", Json::array_of(benchmark_notes(options_.table))));
  }
  for (const MoleculeMeasures& one : measures)
    app_.say((measures.size() > 1 ? one.name + ": " : "") + summary_of(one));
}

void MoleculeSession::write_reference_of(const MoleculeSet& set) {
  const MoleculeReference reference = as_reference(set);
  OutputFile out(options_.output, app_.overwrite());
  FileRecord record{.role = "reference", .path = options_.output, .kind = "reference"};
  record.content_hash = write_reference(out, contents_of(reference), app_.provenance());
  out.commit();
  record.bytes = out.bytes();
  app_.add_output(std::move(record));
  app_.next("mol-metrics MOLECULES --test " + shell_word(options_.output));
}

void MoleculeSession::write_table() {
  const MoleculeSet set = read(options_.sets.front(), "corpus");
  write_sa_table(app_, options_.output, set);
  app_.say("fragments of " + counted(set.valid.size(), "molecule") + " -> " + options_.output);
  app_.next("mol-metrics MOLECULES --sa-table " + shell_word(options_.output));
}

}  // namespace logpx
