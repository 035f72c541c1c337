#include "tools/sessions/molecule_files.hpp"

#include "formats/basis_file.hpp"
#include "formats/features_file.hpp"
#include "formats/file/output.hpp"
#include "formats/mol/sa_table.hpp"
#include "formats/text_table.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/molecule_columns.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace logpx {
namespace {

void write_lines(App& app, const std::string& path, FileRecord record, const std::string& text) {
  OutputFile out(path, app.overwrite());
  out.holds(Matter::text);
  write_text_file(out, text);
  out.commit();
  record.path = path;
  record.bytes = text.size();
  app.add_output(std::move(record));
}

// Columns of the table in their order, filled a molecule at a time.
class EachTable {
 public:
  explicit EachTable(bool several) : several_(several) {}

  void add(const DescribedSet& described) {
    const MoleculeSet& set = *described.set;
    std::size_t valid = 0, refused = 0;
    while (valid < set.valid.size() || refused < set.refused.size()) {
      const bool is_valid =
          refused == set.refused.size() ||
          (valid < set.valid.size() && set.valid[valid].place < set.refused[refused].place);
      if (several_) put("set", set.name);
      if (is_valid) add_valid(described, valid++);
      else add_refused(set.refused[refused++]);
    }
  }
  [[nodiscard]] std::string text() && {
    TextTable table;
    for (auto& [name, cells] : columns_) table.add(name, std::move(cells));
    return table.text(TableForm::csv);
  }

 private:
  void add_valid(const DescribedSet& described, std::size_t i) {
    const ValidMolecule& one = described.set->valid[i];
    const MoleculeBeside& beside = described.beside;
    put("place", one.place);
    put("class", "valid");
    put("smiles", one.smiles);
    put("fragments", one.fragments);
    for (std::size_t p = 0; p < property_names.size(); ++p) {
      const bool known = !one.facts.descriptors.empty() &&
                         (std::string_view(property_names[p]) != "SA" || beside.has_sa);
      put(property_names[p], known ? Json(property_of(one.facts, p)) : Json());
    }
    put("in_train", beside.train == nullptr
                        ? Json()
                        : Json(std::ranges::binary_search(*beside.train, one.smiles) ? 1 : 0));
    put("nearest", beside.nearest.empty() ? Json() : Json(beside.nearest[i]));
  }
  void add_refused(const RefusedMolecule& one) {
    put("place", one.place);
    put("class", one.trouble);
    put("smiles", one.text);
    put("fragments", Json());
    for (const char* const name : property_names) put(name, Json());
    put("in_train", Json());
    put("nearest", Json());
  }
  void put(const std::string& name, Json cell) {
    const auto found = std::ranges::find(columns_, name, [](const auto& one) { return one.first; });
    auto& column = found == columns_.end() ? columns_.emplace_back(name, Json::Array()) : *found;
    column.second.push_back(std::move(cell));
  }
  bool several_;
  std::vector<std::pair<std::string, Json::Array>> columns_;
};

}  // namespace

void write_each_molecule(App& app, const std::string& path, std::span<const DescribedSet> sets) {
  EachTable table(sets.size() > 1);
  for (const DescribedSet& one : sets) table.add(one);
  write_lines(app, path, {.role = "molecules", .kind = "csv"}, std::move(table).text());
}

void write_valid_molecules(App& app, const std::string& path, std::span<const DescribedSet> sets) {
  std::string text;
  for (const DescribedSet& one : sets)
    for (const ValidMolecule& molecule : one.set->valid) text += molecule.smiles + '\n';
  write_lines(app, path, {.role = "valid", .kind = "smiles"}, text);
}

void write_molecule_features(App& app, const std::string& path, const MoleculeSet& set,
                             MoleculeFeatures which) {
  const MoleculeColumns columns(set);
  if (columns.n() == 0)
    fail(ErrorKind::data, set.name, "has no valid molecule to make features of");
  const bool descriptors = which == MoleculeFeatures::descriptors;
  const std::int64_t width = descriptors ? std::ssize(descriptor_names()) : environment_places;
  OutputFile out(path, app.overwrite());
  FeaturesWriter writer(out, {.extractor = descriptors ? "mol-descriptors" : "mol-morgan",
                              .params = Json::object().set("chemistry", chemistry().version()),
                              .d = width});
  std::vector<double> row(at(width));
  for (std::int64_t i = 0; i < columns.n(); ++i) {
    if (descriptors) row = columns.facts(i).descriptors;
    else columns.environments(i, row);
    FeatureRows rows;
    rows.count = 1;
    for (const double value : row) rows.features.push_back(static_cast<float>(value));
    writer.append(rows);
  }
  FileRecord record{.role = "features", .path = path, .kind = "features"};
  record.content_hash = writer.finish(app.provenance());
  out.commit();
  record.bytes = out.bytes();
  app.add_output(std::move(record));
}

void write_sa_table(App& app, const std::string& path, const MoleculeSet& set) {
  std::map<std::uint32_t, std::int64_t> counts;
  for (const ValidMolecule& one : set.valid)
    for (const auto& [id, count] : one.facts.environments) counts[id] += count;
  if (counts.empty())
    fail(ErrorKind::data, set.name, "has no valid molecule to count fragments of");
  const FragmentScores scores = fragment_scores_of({counts.begin(), counts.end()});
  std::vector<double> ids, values;
  for (const auto& [id, score] : scores.all()) {
    ids.push_back(id);
    values.push_back(score);
  }
  const std::int64_t n = std::ssize(ids);
  OutputFile out(path, app.overwrite());
  FileRecord record{.role = "basis", .path = path, .kind = "basis"};
  record.content_hash = write_basis(out,
                                    {.extractor = sa_table_extractor,
                                     .data = std::nullopt,
                                     .tensors = {TensorView::of<double>("ids", ids, {n}),
                                                 TensorView::of<double>("scores", values, {n})}},
                                    app.provenance());
  out.commit();
  record.bytes = out.bytes();
  app.add_output(std::move(record));
  app.result().set("fragments", n).set("molecules", std::ssize(set.valid));
}

}  // namespace logpx
