#include "tools/sessions/molecule_measures.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/judge/extrapolation.hpp"
#include "libcore/judge/feature_distance.hpp"
#include "libcore/judge/subset_scores.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/chemnet_store.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace logpx {
namespace {

constexpr std::uint32_t pairs_choice = 21;  // of the stream of subsets
constexpr std::string_view sa_name = "SA";
constexpr double circle_distance = 0.75;
constexpr std::size_t most_first_refused = 20;

RowList resample_of(std::int64_t n, Substream substream) {
  Cursor cursor(substream);
  RowList rows(at(n));
  for (std::uint32_t& row : rows) row = cursor.below(static_cast<std::uint32_t>(n));
  return rows;
}

NamedNumber share(std::string key, std::int64_t part, std::int64_t whole) {
  NamedNumber measure{.key = std::move(key), .n = whole};
  if (whole == 0) return measure;
  const auto n = static_cast<double>(whole);
  measure.value = static_cast<double>(part) / n;
  measure.std_error = std::sqrt(*measure.value * (1 - *measure.value) / n);
  return measure;
}

// Shares of different molecules: how many repeat each other says nothing about their error.
NamedNumber plain_share(std::string key, std::int64_t part, std::int64_t whole) {
  NamedNumber measure = share(std::move(key), part, whole);
  measure.std_error.reset();
  return measure;
}

std::int64_t unique_of_first(const MoleculeSet& set, std::int64_t first) {
  std::set<std::string_view> seen;
  for (std::int64_t i = 0; i < std::min(first, std::ssize(set.valid)); ++i)
    seen.insert(set.valid[at(i)].smiles);
  return std::ssize(seen);
}

NamedNumber unique_at(const MoleculeSet& set, std::int64_t k) {
  const std::string key = "unique@" + std::to_string(k);
  if (std::ssize(set.valid) < k) return {.key = key, .n = k};
  return plain_share(key, unique_of_first(set, k), k);
}

double mean_of_values(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

PropertyMeasures property_measures(const char* name, std::vector<double> values) {
  PropertyMeasures made{.name = name};
  made.mean = mean_of_values(values);
  made.deviation = values.size() < 2 ? 0 : standard_deviation(values);
  made.low = quantile(values, 0.05);
  made.median = quantile(values, 0.5);
  made.high = quantile(values, 0.95);
  return made;
}

std::optional<double> unknown_share_of(const MoleculeColumns& columns) {
  std::int64_t unknown = 0, all = 0;
  for (std::int64_t i = 0; i < columns.n(); ++i) {
    unknown += columns.facts(i).synthetic.unknown;
    all += columns.facts(i).synthetic.counted;
  }
  if (all == 0) return std::nullopt;
  return static_cast<double>(unknown) / static_cast<double>(all);
}

NamedNumber measured(std::string key, std::optional<double> value, std::int64_t n) {
  return {.key = std::move(key), .value = value, .n = n};
}

// The spread of a number over resamples is its error.
void take_error(NamedNumber& measure, const std::vector<double>& drawn) {
  if (drawn.size() > 1) measure.std_error = standard_deviation(drawn);
}

}  // namespace

void MeasureOptions::describe(Fields& f) {
  f.group("measures");
  f.add("measures", measures, "what to measure")
      .metavar("LIST")
      .about(
          "properties: QED, SA, logP, TPSA, MW, and FDD; similarity: IntDiv, circles, SNN and "
          "FMD by Morgan's fingerprint; pairs: the mean similarity of pairs by paths and MACCS "
          "keys as well, which take the longest; pieces: Scaf and Frag; graphs: NSPDK. What is "
          "left out saves its time.");
  f.add("max-pairs-mols", most_in_pairs,
        "look at pairs of at most so many molecules, chosen at random")
      .at_least(2)
      .rank(Rank::manual);
  f.add("bootstrap", bootstrap, "standard errors by so many resamples of the molecules")
      .at_least(0)
      .rank(Rank::manual)
      .about(
          "Means and shares have errors without it. All else is computed again for each "
          "resample, so 20 of them take 20 times as long.");
}

FactParts MeasureOptions::parts() const {
  FactParts parts{
      .properties = false, .bits = false, .other_bits = false, .pieces = false, .graphs = false};
  for (const std::string& word : measures) {
    const auto found =
        std::ranges::find_if(fact_parts, [&](const FactPart& one) { return one.word == word; });
    if (found == fact_parts.end())
      fail(ErrorKind::usage, "--measures",
           '\'' + word + "' is none of properties, similarity, pairs, pieces, graphs");
    parts.*found->member = true;
  }
  parts.bits |= parts.other_bits;
  return parts;
}

std::optional<double> value_of(const NamedNumbers& measures, const std::string& key) {
  const auto found = std::ranges::find(measures, key, &NamedNumber::key);
  return found == measures.end() ? std::nullopt : found->value;
}

MoleculeJudge::MoleculeJudge(App& app, MeasureOptions options, JudgeParts parts)
    : app_(app),
      options_(std::move(options)),
      parts_(options_.parts()),
      reference_(std::move(parts.reference)),
      train_(std::move(parts.train)),
      chemnet_(parts.chemnet) {}

void MoleculeJudge::add_soundness(const MoleculeSet& set, MoleculeMeasures& m) const {
  std::set<std::string_view> unique;
  std::int64_t strict = 0, connected = 0;
  for (const ValidMolecule& one : set.valid) {
    unique.insert(one.smiles);
    strict += one.strict;
    connected += one.fragments == 1;
  }
  m.valid = std::ssize(set.valid);
  m.unique = std::ssize(unique);
  m.several_fragments = m.valid - connected;
  m.soundness = {share("validity", m.valid, set.n),
                 share("validity_strict", strict, set.n),
                 share("validity_connected", connected, set.n),
                 plain_share("uniqueness", m.unique, m.valid),
                 unique_at(set, 1000),
                 unique_at(set, 10'000)};
  NamedNumber novelty{.key = "novelty", .n = m.unique};
  if (train_) {
    std::int64_t known = 0;
    for (const std::string_view smiles : unique)
      known += std::ranges::binary_search(*train_, smiles);
    novelty = share("novelty", m.unique - known, m.unique);
  }
  m.soundness.push_back(std::move(novelty));
  if (m.valid == 0) return;
  m.unique_of_1000 = unique_of_first(set, 1000);
  m.unique_of_10000 = unique_of_first(set, 10'000);
}

RowList MoleculeJudge::in_pairs(const RowList& rows) const {
  const RowList places = chosen_rows(std::ssize(rows), options_.most_in_pairs,
                                     app_.rng().stream(Stream::subsets, pairs_choice));
  RowList chosen;
  for (const std::uint32_t place : places) chosen.push_back(rows[place]);
  return chosen;
}

NamedNumbers MoleculeJudge::alike(const MoleculeColumns& columns, const RowList& rows) const {
  NamedNumbers made;
  if (!parts_.bits) return made;
  const RowList some = in_pairs(rows);
  const auto add = [&](const char* key, const std::optional<SetSimilarities>& similar,
                       double (SetSimilarities::*number)() const) {
    made.push_back(measured(key, similar ? std::optional(((*similar).*number)()) : std::nullopt,
                            std::ssize(some)));
  };
  const auto by = [&](const Fingerprints& prints) -> std::optional<SetSimilarities> {
    if (some.empty()) return std::nullopt;
    return similarities(prints.chosen(some), app_.workers());
  };
  const std::optional<SetSimilarities> by_morgan = by(columns.morgan);
  add("IntDiv", by_morgan, &SetSimilarities::internal_diversity);
  add("IntDiv2", by_morgan, &SetSimilarities::internal_diversity_2_of_set);
  add("IntDiv2_moses", by_morgan, &SetSimilarities::internal_diversity_2);
  add("sim_pair.morgan", by_morgan, &SetSimilarities::of_pairs);
  if (parts_.other_bits) {
    add("sim_pair.path", by(columns.path), &SetSimilarities::of_pairs);
    add("sim_pair.maccs", by(columns.maccs), &SetSimilarities::of_pairs);
  }
  return made;
}

NamedNumbers MoleculeJudge::against(const MoleculeColumns& columns, const RowList& rows) const {
  NamedNumbers made;
  if (!reference_) return made;
  const auto n = std::ssize(rows);
  const bool any = n > 0 && reference_->valid > 0, several = n > 1 && reference_->valid > 1;
  if (parts_.bits) {
    std::optional<double> nearest;
    if (any)
      nearest = mean_of_values(nearest_similarities(columns.morgan.chosen(in_pairs(rows)),
                                                    reference_->morgan, app_.workers()));
    made.push_back(measured("SNN", nearest, n));
  }
  if (parts_.pieces) {
    made.push_back(
        measured("Scaf", cosine(reference_->scaffolds, scaffold_counts(columns, rows)), n));
    made.push_back(measured("Frag", cosine(reference_->pieces, piece_counts(columns, rows)), n));
  }
  const auto distance = [&](const char* name, const std::optional<Moments>& theirs,
                            FeatureScale scale, auto moments) {
    NamedNumber measure{.key = name, .unit = name, .n = n};
    if (several && theirs) {
      const FeatureDistance apart = feature_distance(*theirs, moments(), scale);
      measure.value = apart.value;
      if (apart.few_rows())
        app_.warn(std::string(name) + " of " + std::to_string(apart.rows) +
                  " molecules is mostly noise: it compares " + std::to_string(apart.features) +
                  " features, and wants twice as many molecules");
    }
    made.push_back(std::move(measure));
  };
  if (parts_.properties)
    distance("FDD", reference_->descriptor_moments, FeatureScale::reference,
             [&] { return descriptor_moments(columns, rows); });
  if (parts_.bits)
    distance("FMD", reference_->environment_moments, FeatureScale::none,
             [&] { return environment_moments(columns, rows, app_.workers()); });
  if (chemnet_ != nullptr) {
    distance("FCD", reference_->chemnet_moments, FeatureScale::none,
             [&] { return chemnet_moments(columns, rows, app_.workers()); });
    const auto fcd = made.back().value;
    made.push_back(
        measured("fcd_score", fcd ? std::optional(std::exp(-0.2 * *fcd)) : std::nullopt, n));
  }
  if (parts_.graphs) {
    NamedNumber apart{.key = "NSPDK", .unit = "NSPDK", .n = n};
    if (any)
      apart.value = squared_distance(reference_->neighbourhoods,
                                     neighbourhoods(columns, rows, app_.workers()));
    made.push_back(std::move(apart));
  }
  return made;
}

NamedNumbers MoleculeJudge::wasserstein(const MoleculeColumns& columns, const RowList& rows) const {
  NamedNumbers made;
  if (!parts_.properties || !reference_) return made;
  for (std::size_t p = 0; p < property_names.size(); ++p) {
    const bool both = property_names[p] != sa_name || !reference_->sa_hash.empty();
    made.push_back(measured(
        property_names[p],
        both ? wasserstein_1(columns.property(p, rows), reference_->properties[p]) : std::nullopt,
        std::ssize(rows)));
  }
  return made;
}

MoleculeJudge::Numbers MoleculeJudge::numbers(const MoleculeColumns& columns,
                                              const RowList& rows) const {
  return {alike(columns, rows), against(columns, rows), wasserstein(columns, rows)};
}

void MoleculeJudge::add_errors(const MoleculeColumns& columns, Numbers& made) const {
  const std::array<NamedNumbers Numbers::*, 3> parts = {&Numbers::alike, &Numbers::against,
                                                        &Numbers::wasserstein};
  std::map<const NamedNumber*, std::vector<double>> drawn;
  for (std::int64_t r = 0; r < options_.bootstrap; ++r) {
    const Numbers again = numbers(
        columns, resample_of(columns.n(),
                             app_.rng().stream(Stream::resample, static_cast<std::uint32_t>(r))));
    for (const auto part : parts)
      for (std::size_t i = 0; i < (made.*part).size(); ++i)
        if (const auto value = (again.*part)[i].value) drawn[&(made.*part)[i]].push_back(*value);
  }
  for (const auto part : parts)
    for (NamedNumber& measure : made.*part) take_error(measure, drawn[&measure]);
}

MoleculeColumns MoleculeJudge::columns_of(const MoleculeSet& set) const {
  MoleculeColumns columns(set);
  if (chemnet_ != nullptr && reference_) columns.chemnet = chemnet_->features(spellings_of(set));
  return columns;
}

MoleculeMeasures MoleculeJudge::of(const MoleculeColumns& columns) const {
  const MoleculeSet& set = *columns.set;
  MoleculeMeasures m{.name = set.name, .n = set.n};
  add_soundness(set, m);
  for (const RefusedMolecule& one : set.refused) {
    ++m.refused[one.trouble];
    if (m.first_refused.size() < most_first_refused) m.first_refused.push_back(one);
  }
  const RowList all = columns.all();
  m.sizes = size_counts(columns);
  m.rings = ring_counts(columns);
  m.valences = valence_counts(columns);
  m.unknown_share = unknown_share_of(columns);
  Numbers made = numbers(columns, all);
  if (options_.bootstrap > 0 && !all.empty()) add_errors(columns, made);
  for (std::size_t p = 0; parts_.properties && p < property_names.size() && !all.empty(); ++p) {
    if (property_names[p] == sa_name && !m.unknown_share) continue;
    m.properties.push_back(property_measures(property_names[p], columns.property(p, all)));
    if (reference_) m.properties.back().wasserstein = made.wasserstein[p];
  }
  m.alike = std::move(made.alike);
  m.against = std::move(made.against);
  if (parts_.bits) {
    const RowList some = in_pairs(all);
    m.in_pairs = std::ssize(some);
    NamedNumber kept{.key = "circles", .unit = "molecules", .n = m.in_pairs};
    if (!some.empty())
      kept.value = static_cast<double>(circles(columns.morgan.chosen(some), circle_distance));
    m.alike.push_back(std::move(kept));
  }
  return m;
}

}  // namespace logpx
