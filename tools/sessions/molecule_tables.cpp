// What people see of molecules' measures at a terminal.
#include "tools/sessions/molecule_tables.hpp"

#include "formats/report.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/sessions/molecule_words.hpp"

#include <algorithm>
#include <filesystem>

namespace logpx {
namespace {

using Sets = std::span<const MoleculeMeasures>;
using Part = NamedNumbers MoleculeMeasures::*;

std::string text_of(const NamedNumber& measure) {
  if (!measure.value) return "-";
  return people_text({.value = *measure.value,
                      .unit = measure.unit,
                      .kind = "estimate",
                      .std_error = measure.std_error,
                      .n = measure.n});
}

// Shares of molecules, as people say them: "98.2 ± 0.4 %".
std::string percent_of(const NamedNumber& share) {
  if (!share.value) return "-";
  NamedNumber percent = share;
  percent.value = 100 * *share.value;
  if (share.std_error) percent.std_error = 100 * *share.std_error;
  return text_of(percent) + " %";
}

// The last part of each path, where these differ.
std::vector<std::string> short_names(Sets sets) {
  std::vector<std::string> names, whole;
  for (const MoleculeMeasures& set : sets) {
    whole.push_back(set.name);
    names.push_back(std::filesystem::path(set.name).filename().string());
  }
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) names = std::move(whole);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count(names, names[i]) > 1) names[i] += ' ' + std::to_string(i + 1);
  return names;
}

// A column for each set; of one set what each number says beside it.
class MeasureTable {
 public:
  explicit MeasureTable(Sets sets) : sets_(sets), names_(short_names(sets)) {}

  void add(const MeasureWords& words, const std::vector<std::string>& cells) {
    Json row = Json::object().set("measure", words.name);
    for (std::size_t i = 0; i < cells.size(); ++i) row.set(names_[i], cells[i]);
    if (sets_.size() == 1) row.set("which is", words.says);
    rows_.push(std::move(row));
  }
  void add(Part part, std::string (*text)(const NamedNumber&) = text_of) {
    for (const NamedNumber& first : sets_.front().*part) {
      const auto words = words_of_measure(first.key);
      std::vector<std::string> cells;
      bool any = false;
      for (const MoleculeMeasures& set : sets_) {
        const auto same = std::ranges::find(set.*part, first.key, &NamedNumber::key);
        cells.push_back(same == (set.*part).end() ? "-" : text(*same));
        any |= cells.back() != "-";
      }
      if (words && any) add(*words, cells);
    }
  }
  template <typename Count>
  void add_count(const MeasureWords& words, Count count) {
    std::vector<std::string> cells;
    for (const MoleculeMeasures& set : sets_) cells.push_back(std::to_string(count(set)));
    add(words, cells);
  }
  [[nodiscard]] Json take() { return std::move(rows_); }

 private:
  Sets sets_;
  std::vector<std::string> names_;
  Json rows_ = Json::array();
};

Json sound_table(Sets sets) {
  MeasureTable table(sets);
  table.add_count({"molecules", "lines or rows, whether molecules or not"},
                  [](const MoleculeMeasures& set) { return set.n; });
  table.add(&MoleculeMeasures::soundness, percent_of);
  const bool any = std::ranges::any_of(
      sets, [](const MoleculeMeasures& set) { return set.several_fragments > 0; });
  if (any)
    table.add_count({"in pieces", "of several; what follows is of the largest"},
                    [](const MoleculeMeasures& set) { return set.several_fragments; });
  return table.take();
}

// One row for each property and set; a set without molecules has none.
Json property_table(Sets sets) {
  Json rows = Json::array();
  const std::vector<std::string> names = short_names(sets);
  std::size_t most = 0;
  for (const MoleculeMeasures& set : sets) most = std::max(most, set.properties.size());
  for (std::size_t p = 0; p < most; ++p)
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const MoleculeMeasures& set = sets[i];
      if (p >= set.properties.size()) continue;
      const PropertyMeasures& one = set.properties[p];
      Json row = Json::object().set("property", one.name);
      if (sets.size() > 1) row.set("set", names[i]);
      row.set("mean", four_digits(one.mean))
          .set("sd", four_digits(one.deviation))
          .set("5 %", four_digits(one.low))
          .set("median", four_digits(one.median))
          .set("95 %", four_digits(one.high));
      if (one.wasserstein.value) row.set("from test", text_of(one.wasserstein));
      if (sets.size() == 1) row.set("which is", says_of_property(one.name));
      rows.push(std::move(row));
    }
  return rows;
}

Json refused_table(Sets sets) {
  Json rows = Json::array();
  const std::vector<std::string> names = short_names(sets);
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (const auto& [trouble, count] : sets[i].refused) {
      const MoleculeMeasures& set = sets[i];
      const auto first = std::ranges::find(set.first_refused, trouble, &RefusedMolecule::trouble);
      Json row = Json::object().set("class", trouble);
      if (sets.size() > 1) row.set("set", names[i]);
      row.set("count", count);
      if (first != set.first_refused.end())
        row.set("first at", first->place).set("such as", shown_molecule(first->text));
      rows.push(std::move(row));
    }
  return rows;
}

Json against_table(Sets sets, const MoleculeReference& reference) {
  MeasureTable table(sets);
  table.add(&MoleculeMeasures::against);
  Json rows = table.take(), whole = Json::array();
  // What two halves of the test set are apart is what no model can go below.
  const std::pair<const char*, std::optional<double>> floors[] = {
      {"FDD", reference.descriptor_floor},
      {"FMD", reference.environment_floor},
      {"FCD", reference.chemnet_floor},
      {"NSPDK", reference.neighbourhood_floor}};
  for (Json row : rows.items()) {
    std::string halves;
    for (const auto& [name, floor] : floors)
      if (row.at("measure").string() == name && floor) halves = four_digits(*floor);
    const Json* const says = row.find("which is");
    const Json last = says == nullptr ? Json() : *says;
    row.erase("which is");
    row.set("halves of test", halves);
    if (!last.is_null()) row.set("which is", last);
    whole.push(std::move(row));
  }
  return whole;
}

void put_table(Json& shown, const char* title, Json rows) {
  if (rows.size() > 0) shown.set(title, std::move(rows));
}

}  // namespace

Json people_tables(Sets sets, const MoleculeReference* reference) {
  Json shown = Json::object().set("chemistry", chemistry().version());
  put_table(shown, "are they molecules", sound_table(sets));
  put_table(shown, "what is no molecule", refused_table(sets));
  put_table(shown, "what they are like", property_table(sets));
  MeasureTable alike(sets);
  alike.add(&MoleculeMeasures::alike);
  put_table(shown, "how alike they are", alike.take());
  if (reference != nullptr)
    put_table(shown, "how like the test set", against_table(sets, *reference));
  return shown;
}

std::string summary_of(const MoleculeMeasures& m) {
  const auto percent = [](double share) { return four_digits(100 * share) + " %"; };
  std::vector<std::string> parts = {counted(m.n, "molecule")};
  if (const auto value = value_of(m.soundness, "validity"))
    parts.push_back(percent(*value) + " valid");
  if (const auto value = value_of(m.soundness, "uniqueness"))
    parts.push_back(percent(*value) + " of these unique");
  if (const auto value = value_of(m.soundness, "novelty"))
    parts.push_back(percent(*value) + " of these new");
  for (const PropertyMeasures& one : m.properties)
    if (one.name == "QED" || one.name == "SA")
      parts.push_back(one.name + ' ' + four_digits(one.mean));
  for (const NamedNumber& one : m.against)
    if (one.value && (one.key == "FCD" || one.key == "FDD"))
      parts.push_back(one.key + ' ' + four_digits(*one.value));
  return join_text(parts, ", ");
}

}  // namespace logpx
