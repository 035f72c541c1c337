#include "tools/sessions/molecule_series.hpp"

#include "formats/report.hpp"
#include "tools/frame/app.hpp"
#include "tools/sessions/molecule_words.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::size_t bin_count = 30;

struct NamedValues {
  std::string name;
  std::vector<double> values;
};

std::vector<double> shares_of(const std::vector<double>& values, double low, double width) {
  std::vector<double> shares(bin_count, 0.0);
  for (const double value : values) {
    const auto bin = static_cast<std::size_t>(std::max(0.0, (value - low) / width));
    shares[std::min(bin, bin_count - 1)] += 1 / static_cast<double>(values.size());
  }
  return shares;
}

void add_histograms(App& app, const char* property, const std::vector<NamedValues>& sets) {
  std::vector<double> all;
  for (const NamedValues& one : sets) all.insert(all.end(), one.values.begin(), one.values.end());
  if (all.empty()) return;
  const auto [low, high] = std::ranges::minmax(all);
  if (low == high) return;
  const double width = (high - low) / bin_count;
  for (const NamedValues& one : sets) {
    if (one.values.empty()) continue;
    Series series{.name = std::string(property) + ' ' + one.name,
                  .x_label = unit_of_property(property),
                  .y_label = "share of molecules",
                  .x = {},
                  .y = shares_of(one.values, low, width)};
    for (std::size_t i = 0; i < bin_count; ++i)
      series.x.push_back(low + width * (static_cast<double>(i) + 0.5));
    app.add_series(to_json(series).set("style", "histogram"));
  }
}

}  // namespace

void add_property_series(App& app, std::span<const MoleculeSet> sets,
                         const MoleculeReference* reference, bool has_sa) {
  for (std::size_t p = 0; p < property_names.size(); ++p) {
    const bool is_sa = std::string_view(property_names[p]) == "SA";
    if (is_sa && !has_sa) continue;
    std::vector<NamedValues> named;
    for (const MoleculeSet& set : sets) {
      NamedValues& one = named.emplace_back(NamedValues{set.name, {}});
      for (const ValidMolecule& molecule : set.valid)
        if (!molecule.facts.descriptors.empty())
          one.values.push_back(property_of(molecule.facts, p));
    }
    if (reference != nullptr && !(is_sa && reference->sa_hash.empty()))
      named.push_back({reference->name, reference->properties[p]});
    add_histograms(app, property_names[p], named);
  }
}

}  // namespace logpx
