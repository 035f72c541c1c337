// How much a molecule is like a drug (QED), and how hard it would be to make (SA), from what a
// chemistry library counts in it.   [eval/README 10.4]
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

struct QedInputs {
  double weight = 0, logp = 0;
  std::int64_t acceptors = 0, donors = 0;  // of hydrogen bonds
  double polar_area = 0;                   // TPSA
  std::int64_t rotatable_bonds = 0, aromatic_rings = 0;
  std::int64_t alerts = 0;  // patterns that are unwanted in drugs
};

// In (0, 1): the weighted geometric mean of eight desirabilities [Bickerton 2012], with the weights
// that chemists' opinions gave on average.
[[nodiscard]] double qed(const QedInputs& inputs);

// A neighbourhood of an atom, up to two bonds away, by the number that Morgan's algorithm gives it.
struct Environment {
  std::uint32_t id = 0;
  std::int32_t count = 0;  // in one molecule
  friend bool operator==(const Environment&, const Environment&) = default;
};
using Environments = std::vector<Environment>;  // ids ascend

// How common each environment is among molecules that somebody has made: log10 of its count, over
// the number of environments that make up 80 % of all.
class FragmentScores {
 public:
  FragmentScores() = default;
  explicit FragmentScores(std::vector<std::pair<std::uint32_t, double>> scores);
  [[nodiscard]] bool empty() const { return scores_.empty(); }
  [[nodiscard]] std::int64_t size() const { return std::ssize(scores_); }
  // Null where an environment is unknown.
  [[nodiscard]] const double* find(std::uint32_t id) const;
  [[nodiscard]] const std::vector<std::pair<std::uint32_t, double>>& all() const { return scores_; }

 private:
  std::vector<std::pair<std::uint32_t, double>> scores_;  // ids ascend, each once
};

struct SyntheticInputs {
  std::int64_t atoms = 0, centres = 0;  // that are chiral, or could be
  std::int64_t spiro_atoms = 0, bridgeheads = 0;
  bool has_macrocycle = false;  // a ring of more than eight atoms
};

struct SyntheticScore {
  double value = 0;          // 1 (easy) to 10
  std::int64_t unknown = 0;  // environments that the table lacks, each with its count
  std::int64_t counted = 0;
};
// [Ertl and Schuffenhauer 2009], as RDKit computes it. A molecule of no environments scores 0.
[[nodiscard]] SyntheticScore synthetic_score(const SyntheticInputs& inputs,
                                             const Environments& environments,
                                             const FragmentScores& table);

// A table of the environments of other molecules: how often each was met in all of them.
[[nodiscard]] FragmentScores fragment_scores_of(
    std::vector<std::pair<std::uint32_t, std::int64_t>> counts);

}  // namespace logpx
