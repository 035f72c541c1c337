#include "tools/sessions/molecule_report.hpp"

#include "formats/report.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/sessions/molecule_words.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

Json quantity_of(const NamedNumber& measure) {
  if (!measure.value) return {};
  return to_json(Quantity{.value = *measure.value,
                          .unit = measure.unit,
                          .kind = "estimate",
                          .std_error = measure.std_error,
                          .n = measure.n});
}

// "sim_pair.path" is member `path` of member `sim_pair`.
void add_measures(Json& json, const NamedNumbers& measures) {
  for (const NamedNumber& measure : measures) {
    const std::size_t dot = measure.key.find('.');
    if (dot == std::string::npos) {
      json.set(measure.key, quantity_of(measure));
      continue;
    }
    const std::string group = measure.key.substr(0, dot);
    if (json.find(group) == nullptr) json.set(group, Json::object());
    json.find(group)->set(measure.key.substr(dot + 1), quantity_of(measure));
  }
}

Json property_json(const PropertyMeasures& property, std::int64_t n, bool has_reference) {
  const double error = property.deviation / std::sqrt(static_cast<double>(n));
  Json json =
      Json::object()
          .set("mean", to_json(Quantity{.value = property.mean,
                                        .unit = unit_of_property(property.name),
                                        .kind = "estimate",
                                        .std_error = n > 1 ? std::optional(error) : std::nullopt,
                                        .n = n}))
          .set("sd", property.deviation)
          .set("p5", property.low)
          .set("median", property.median)
          .set("p95", property.high);
  if (!has_reference) return json;
  NamedNumber wasserstein = property.wasserstein;
  wasserstein.unit = unit_of_property(property.name);
  return json.set("wasserstein", quantity_of(wasserstein));
}

// By number where the names are numbers: "9" before "10".
bool comes_first(const std::string& a, const std::string& b) {
  const auto x = parse_integer(a), y = parse_integer(b);
  return x && y ? *x < *y : a < b;
}

// [{"atoms": "9", "generated": 812, "test": 790}, ...]
Json histogram(const char* of, const NamedCounts& ours, const NamedCounts* theirs) {
  std::vector<std::string> names;
  for (const auto& [name, count] : ours) names.push_back(name);
  if (theirs != nullptr)
    for (const auto& [name, count] : *theirs)
      if (!ours.contains(name)) names.push_back(name);
  std::ranges::sort(names, comes_first);
  const auto count_in = [](const NamedCounts& counts, const std::string& name) {
    const auto found = counts.find(name);
    return found == counts.end() ? std::int64_t{0} : found->second;
  };
  Json rows = Json::array();
  for (const std::string& name : names) {
    Json row = Json::object().set(of, name).set("generated", count_in(ours, name));
    if (theirs != nullptr) row.set("test", count_in(*theirs, name));
    rows.push(std::move(row));
  }
  return rows;
}

Json refused_json(const MoleculeMeasures& m) {
  Json counts = Json::object(), first = Json::array();
  for (const auto& [trouble, count] : m.refused) counts.set(trouble, count);
  for (const RefusedMolecule& one : m.first_refused)
    first.push(Json::object()
                   .set("place", one.place)
                   .set("class", one.trouble)
                   .set("text", shown_molecule(one.text)));
  return Json::object().set("counts", std::move(counts)).set("first", std::move(first));
}

Json floor_json(std::optional<double> floor, const char* name) {
  return floor ? to_json(Quantity{*floor, name, "estimate", {}, {}}) : Json();
}

}  // namespace

Json to_json(const MoleculeMeasures& m, const MoleculeReference* reference) {
  Json json = Json::object();
  json.set("name", m.name)
      .set("n_generated", m.n)
      .set("n_valid", m.valid)
      .set("n_unique", m.unique)
      .set("n_multi_fragment", m.several_fragments);
  add_measures(json, m.soundness);
  json.set("refused", refused_json(m));
  for (const PropertyMeasures& one : m.properties)
    json.set(one.name, property_json(one, m.valid, reference != nullptr));
  if (m.valid == 0)
    for (const char* const name : property_names) json.set(name, Json());
  if (m.unknown_share) json.set("SA_unknown_share", *m.unknown_share);
  add_measures(json, m.alike);
  add_measures(json, m.against);
  json.set("n_in_pairs", m.in_pairs);
  json.set("atoms", histogram("atoms", m.sizes, reference ? &reference->sizes : nullptr));
  json.set("rings", histogram("ring", m.rings, reference ? &reference->rings : nullptr));
  json.set("valences", histogram("atom", m.valences, reference ? &reference->valences : nullptr));
  return json;
}

Json to_json(const MoleculeReference& reference) {
  return Json::object()
      .set("name", reference.name)
      .set("chemistry", reference.chemistry)
      .set("n", reference.n)
      .set("n_valid", reference.valid)
      .set("FDD_halves", floor_json(reference.descriptor_floor, "FDD"))
      .set("FMD_halves", floor_json(reference.environment_floor, "FMD"))
      .set("FCD_halves", floor_json(reference.chemnet_floor, "FCD"))
      .set("NSPDK_halves", floor_json(reference.neighbourhood_floor, "NSPDK"));
}

}  // namespace logpx
