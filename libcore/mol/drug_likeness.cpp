#include "libcore/mol/drug_likeness.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace logpx {
namespace {

// An asymmetric double sigmoid of one property, and what it weighs.
struct Desirability {
  double a, b, c, d, e, f, most, weight;

  [[nodiscard]] double at(double x) const {
    const double up = 1 + std::exp(-(x - c + d / 2) / e), down = 1 + std::exp(-(x - c - d / 2) / f);
    return (a + b / up * (1 - 1 / down)) / most;
  }
};

// In the order of QedInputs.
constexpr std::array<Desirability, 8> desirabilities = {{
    {2.817065973, 392.5754953, 290.7489764, 2.419764353, 49.22325677, 65.37051707, 104.9805561,
     0.66},
    {3.172690585, 137.8624751, 2.534937431, 4.581497897, 0.822739154, 0.576295591, 131.3186604,
     0.46},
    {2.948620388, 160.4605972, 3.615294657, 4.435986202, 0.290141953, 1.300669958, 148.7763046,
     0.05},
    {1.618662227, 1010.051101, 0.985094388, 1e-9, 0.713820843, 0.920922555, 258.1632616, 0.61},
    {1.876861559, 125.2232657, 62.90773554, 87.83366614, 12.01999824, 28.51324732, 104.5686167,
     0.06},
    {0.01, 272.4121427, 2.558379970, 1.565547684, 1.271567166, 2.758063707, 105.4420403, 0.65},
    {3.217788970, 957.7374108, 2.274627939, 1e-9, 1.317690384, 0.375760881, 312.3372610, 0.48},
    {0.01, 1199.094025, -0.09002883, 1e-9, 0.185904477, 0.875193782, 417.7253140, 0.95},
}};

constexpr double unknown_score = -4, rings_weight = 0.3010299956639812;  // log10 2

double log10_after(std::int64_t count) { return std::log10(static_cast<double>(count) + 1); }

// What makes a molecule intricate: its size, centres, shared atoms of rings, large rings.
double intricacy(const SyntheticInputs& inputs) {
  const auto atoms = static_cast<double>(inputs.atoms);
  return std::pow(atoms, 1.005) - atoms + log10_after(inputs.centres) +
         log10_after(inputs.spiro_atoms) + log10_after(inputs.bridgeheads) +
         (inputs.has_macrocycle ? rings_weight : 0);
}

// From the raw sum, in [-4, 2.5] or so, to 1 to 10 with a smooth upper end.
double on_scale(double sum) {
  double score = 11 - (sum + 5) / 6.5 * 9;
  if (score > 8) score = 8 + std::log(score - 8);
  return std::clamp(score, 1.0, 10.0);
}

}  // namespace

double qed(const QedInputs& in) {
  const std::array<double, 8> values = {in.weight,
                                        in.logp,
                                        static_cast<double>(in.acceptors),
                                        static_cast<double>(in.donors),
                                        in.polar_area,
                                        static_cast<double>(in.rotatable_bonds),
                                        static_cast<double>(in.aromatic_rings),
                                        static_cast<double>(in.alerts)};
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Desirability& one = desirabilities[i];
    sum += one.weight * std::log(one.at(values[i]));
    weights += one.weight;
  }
  return std::exp(sum / weights);
}

FragmentScores::FragmentScores(std::vector<std::pair<std::uint32_t, double>> scores)
    : scores_(std::move(scores)) {
  const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::ranges::stable_sort(scores_, by_id);
  // Where an id is listed twice, the last one counts, as in a dictionary.
  auto kept = scores_.begin();
  for (auto next = scores_.begin(); next != scores_.end(); ++next)
    if (std::next(next) == scores_.end() || std::next(next)->first != next->first) *kept++ = *next;
  scores_.erase(kept, scores_.end());
}

const double* FragmentScores::find(std::uint32_t id) const {
  const auto place =
      std::ranges::lower_bound(scores_, id, {}, [](const auto& one) { return one.first; });
  return place == scores_.end() || place->first != id ? nullptr : &place->second;
}

SyntheticScore synthetic_score(const SyntheticInputs& inputs, const Environments& environments,
                               const FragmentScores& table) {
  SyntheticScore score;
  double sum = 0;
  for (const auto& [id, count] : environments) {
    const double* const known = table.find(id);
    sum += (known != nullptr ? *known : unknown_score) * count;
    score.counted += count;
    if (known == nullptr) score.unknown += count;
  }
  if (score.counted == 0) return score;
  const double common = sum / static_cast<double>(score.counted);
  const auto atoms = static_cast<double>(inputs.atoms),
             kinds = static_cast<double>(environments.size());
  const double symmetry = atoms > kinds ? std::log(atoms / kinds) * 0.5 : 0;
  score.value = on_scale(common - intricacy(inputs) + symmetry);
  return score;
}

FragmentScores fragment_scores_of(std::vector<std::pair<std::uint32_t, std::int64_t>> counts) {
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  double all = 0, seen = 0;
  for (const auto& [id, count] : counts) all += static_cast<double>(count);
  double usual = 0;  // how many ids make up 80 %
  for (const auto& [id, count] : counts) {
    if (seen >= 0.8 * all) break;
    seen += static_cast<double>(count);
    ++usual;
  }
  std::vector<std::pair<std::uint32_t, double>> scores;
  for (const auto& [id, count] : counts)
    scores.emplace_back(id, std::log10(static_cast<double>(count) / usual));
  return FragmentScores(std::move(scores));
}

}  // namespace logpx
