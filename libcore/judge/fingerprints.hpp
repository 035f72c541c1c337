// How alike molecules are, by fingerprints: rows of bits, of which two share bits. Tanimoto's
// similarity of two rows is the number of bits that both have, divided by the number that either
// has; two empty rows are alike. [eval/README 10.4]
//
//   Fingerprints made(1024);
//   made.append(words_of_a_molecule);               // 16 words of 64 bits
//   const double diversity = similarities(made, workers).internal_diversity();
//
// All pairs are looked at, block by block; the same numbers for any number of threads.
#pragma once

#include "libcore/judge/moments.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class Workers;

class Fingerprints {
 public:
  explicit Fingerprints(std::int64_t bits);

  // The words of one row, the first bit lowest. Bits past the width are 0.
  void append(std::span<const std::uint64_t> words);
  // The rows of a list, in its order: of chosen_rows() (subset_scores.hpp) where all are too many.
  [[nodiscard]] Fingerprints chosen(const RowList& rows) const;

  [[nodiscard]] std::int64_t bits() const { return bits_; }
  [[nodiscard]] std::int64_t words() const { return words_; }  // of a row
  [[nodiscard]] std::int64_t n() const { return std::ssize(counts_); }
  [[nodiscard]] const std::uint64_t* row(std::int64_t i) const;
  [[nodiscard]] std::uint32_t count(std::int64_t i) const { return counts_[at(i)]; }  // bits set

 private:
  std::int64_t bits_, words_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> counts_;
};

[[nodiscard]] double tanimoto(const Fingerprints& a, std::int64_t i, const Fingerprints& b,
                              std::int64_t j);

// Means of the similarities s of all pairs of a set of n >= 1 rows.
struct SetSimilarities {
  std::int64_t n = 0;
  double mean = 0;         // of s, over ordered pairs, each row with itself too
  double mean_square = 0;  // of s^2, over the same
  double mean_root = 0;    // over rows, of the root of the row's mean s^2

  [[nodiscard]] double of_pairs() const;  // of s over i < j; 0 for a single row
  [[nodiscard]] double internal_diversity() const { return 1 - mean; }
  // MOSES takes the root of each row's mean before the mean over rows.
  [[nodiscard]] double internal_diversity_2() const { return 1 - mean_root; }
  [[nodiscard]] double internal_diversity_2_of_set() const;  // one root of all: sqrt(mean_square)
};
[[nodiscard]] SetSimilarities similarities(const Fingerprints& set, Workers& workers);

// For each row its similarity to the one of `reference` that is most alike; their mean is SNN.
// An empty reference gives 0.
[[nodiscard]] std::vector<double> nearest_similarities(const Fingerprints& set,
                                                       const Fingerprints& reference,
                                                       Workers& workers);
// For each row its similarity to the other of its set that is most alike; 0 for a single row.
[[nodiscard]] std::vector<double> nearest_similarities(const Fingerprints& set, Workers& workers);

// How many rows a greedy pass keeps: a row is kept if its distance 1 - s to all that are kept is
// more than this.
[[nodiscard]] std::int64_t circles(const Fingerprints& set, double distance);

}  // namespace logpx
