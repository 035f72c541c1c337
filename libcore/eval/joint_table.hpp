// Joint probabilities of a few values of a row given others, from log p of every assignment to
// them; for real numbers, densities at a few values.   [eval/README 9]
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// How dense a real number lies given all other values of its row: a few points of a curve.
// [eval/README 9]
struct DensityCurve {
  // From three deviations below the mean to three above, in steps of half a deviation, as float32
  // holds them.
  std::vector<double> values = {};
  std::vector<double> density = {};  // in the units of the data
};

// For this place of row i, whether it holds a value or not; empty if the others are impossible.
[[nodiscard]] DensityCurve density_curve(const ModelQueries& queries, const Evidence& rows,
                                         std::int64_t i, std::int64_t place);

// Assignments to places of a row, in the order of an odometer: the first place changes slowest.
class Assignments {
 public:
  // For places without real numbers.
  Assignments(const ModelQueries& queries, std::vector<std::int64_t> places);
  // Real numbers take the values of their curve, given the values of row `i` outside of these
  // places; no values if those are impossible.
  Assignments(const ModelQueries& queries, std::vector<std::int64_t> places, const Evidence& rows,
              std::int64_t i);

  // How many there are; most + 1 if there are more than `most`.
  [[nodiscard]] std::int64_t count(std::int64_t most) const;
  // For a real number, the index of its value.
  [[nodiscard]] std::vector<std::int32_t> values(std::int64_t number) const;
  [[nodiscard]] bool has_reals() const;
  // Value number k of place p.
  [[nodiscard]] bool is_real(std::size_t p) const { return !reals_.empty() && !reals_[p].empty(); }
  [[nodiscard]] double real(std::size_t p, std::int32_t k) const {
    return reals_[p][static_cast<std::size_t>(k)];
  }
  [[nodiscard]] const std::vector<std::int64_t>& places() const { return places_; }

  // log p of row `i` with each assignment in its places: some hundred at a time, with the number of
  // the first.
  using Visit = std::function<void(std::int64_t first, std::span<const double> nats)>;
  void score(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
             const Visit& visit) const;

 private:
  std::vector<std::int64_t> places_, levels_;
  std::vector<std::vector<double>> reals_ = {};  // for each place; empty for categories
};

// p(values of the places | all other values of row i that are present), by assignment; empty if the
// others are impossible. With real numbers among them these are densities.
[[nodiscard]] std::vector<double> joint_table(const ModelQueries& queries, const Evidence& rows,
                                              std::int64_t i, const Assignments& assignments);

// Places of a row that are missing.
[[nodiscard]] std::vector<std::int64_t> missing_places(const Evidence& rows, std::int64_t i);

}  // namespace logpx
