#include "tools/sessions/molecule_benchmark.hpp"

#include "libcore/judge/descriptor_samples.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

Json number(std::optional<double> value) { return value ? Json(*value) : Json(); }

std::optional<double> wasserstein_of(const MoleculeMeasures& m, const std::string& property) {
  const auto found = std::ranges::find(m.properties, property, &PropertyMeasures::name);
  return found == m.properties.end() ? std::nullopt : found->wasserstein.value;
}

// The share among the first k valid ones, or among all where there are fewer.
std::optional<double> unique_share(std::optional<std::int64_t> unique, std::int64_t valid,
                                   std::int64_t k) {
  if (!unique) return std::nullopt;
  return static_cast<double>(*unique) / static_cast<double>(std::min(k, valid));
}

Json moses_row(const MoleculeMeasures& m) {
  const auto sound = [&](const char* key) { return number(value_of(m.soundness, key)); };
  const auto against = [&](const char* key) { return number(value_of(m.against, key)); };
  const auto alike = [&](const char* key) { return number(value_of(m.alike, key)); };
  return Json::object()
      .set("set", m.name)
      .set("valid", sound("validity"))
      .set("unique@1000", number(unique_share(m.unique_of_1000, m.valid, 1000)))
      .set("unique@10000", number(unique_share(m.unique_of_10000, m.valid, 10'000)))
      .set("FCD/Test", against("FCD"))
      .set("SNN/Test", against("SNN"))
      .set("Frag/Test", against("Frag"))
      .set("Scaf/Test", against("Scaf"))
      .set("IntDiv", alike("IntDiv"))
      .set("IntDiv2", alike("IntDiv2_moses"))
      .set("Filters", Json())
      .set("logP", number(wasserstein_of(m, "logP")))
      .set("SA", number(wasserstein_of(m, "SA")))
      .set("QED", number(wasserstein_of(m, "QED")))
      .set("weight", number(wasserstein_of(m, "MW")))
      .set("Novelty", sound("novelty"));
}

Json guacamol_row(const MoleculeMeasures& m) {
  const auto fcd = value_of(m.against, "FCD");
  return Json::object()
      .set("set", m.name)
      .set("Validity", number(value_of(m.soundness, "validity")))
      .set("Uniqueness", number(unique_share(m.unique_of_10000, m.valid, 10'000)))
      .set("Novelty", number(value_of(m.soundness, "novelty")))
      .set("KL divergence", number(m.divergence_score))
      .set("Frechet ChemNet Distance", fcd ? Json(std::exp(-0.2 * *fcd)) : Json());
}

// A descriptor of GuacaMol by our name; counts are compared in histograms.
struct DivergenceColumn {
  const char* name;
  bool counts;
};
constexpr std::array divergence_columns = {
    DivergenceColumn{"logp", false},           DivergenceColumn{"weight", false},
    DivergenceColumn{"polar_area", false},     DivergenceColumn{"acceptors", true},
    DivergenceColumn{"donors", true},          DivergenceColumn{"rotatable", true},
    DivergenceColumn{"aliphatic_rings", true}, DivergenceColumn{"aromatic_rings", true}};

std::vector<double> column(const std::vector<double>& rows, const char* name) {
  const auto& names = descriptor_names();
  const auto width = names.size();
  const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  std::vector<double> values;
  for (std::size_t i = place; i < rows.size(); i += width) values.push_back(rows[i]);
  return values;
}

}  // namespace

Json benchmark_row(Benchmark benchmark, const MoleculeMeasures& measures) {
  return benchmark == Benchmark::moses ? moses_row(measures) : guacamol_row(measures);
}

std::vector<std::string> benchmark_notes(Benchmark benchmark) {
  const std::vector<std::string> both = {
      "molecules count as the same if they differ in stereo or isotopes alone",
      "of a molecule in several pieces the properties are those of the largest"};
  std::vector<std::string> notes = both;
  if (benchmark == Benchmark::moses) {
    notes.emplace_back("Filters is left out: MOSES' medicinal chemistry filters are its own");
    notes.emplace_back("there is one test set: the columns of TestSF come from a second run");
  } else {
    notes.emplace_back(
        "KL divergence is of nine of GuacaMol's ten descriptors, without BertzCT, "
        "by fingerprints of 1,024 bits in place of 4,096");
    notes.emplace_back(
        "its baseline is --test, all of it; GuacaMol draws 10,000 of its training "
        "set");
    notes.emplace_back(
        "shares are of the molecules that are there; GuacaMol draws until it has "
        "10,000");
  }
  return notes;
}

std::optional<double> divergence_score(const MoleculeColumns& columns,
                                       const MoleculeReference& reference, Workers& workers) {
  if (columns.n() < 2 || reference.valid < 2) return std::nullopt;
  double sum = 0;
  const auto add = [&](std::optional<double> divergence) {
    if (divergence) sum += std::exp(-*divergence);
  };
  for (const auto& [name, counts] : divergence_columns) {
    const std::vector<double> theirs = column(reference.descriptors, name),
                              ours = column(columns.descriptors, name);
    add(counts ? discrete_divergence(theirs, ours) : continuous_divergence(theirs, ours));
  }
  add(continuous_divergence(nearest_similarities(reference.morgan, workers),
                            nearest_similarities(columns.morgan, workers)));
  return sum / static_cast<double>(divergence_columns.size() + 1);
}

}  // namespace logpx
