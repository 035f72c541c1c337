// Joint probabilities of a few values of a row given others, by asking for log p of every
// assignment to them; of real numbers densities at a few values.   [eval/README 9]
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace logpx {

// Assignments to places of a row in the order of an odometer: the first place is the slowest.
class Assignments {
 public:
  // None of the places is of a real number.
  Assignments(const ModelQueries& queries, std::vector<std::int64_t> places);
  // Real numbers have the values of their curve, given the values of row `i` outside of these
  // places: none where those cannot be.
  Assignments(const ModelQueries& queries, std::vector<std::int64_t> places, const Evidence& rows,
              std::int64_t i);

  // How many there are, or one more than `most` where there are more.
  [[nodiscard]] std::int64_t count(std::int64_t most) const;
  // Of a real number, which of its values.
  [[nodiscard]] std::vector<std::int32_t> values(std::int64_t number) const;
  [[nodiscard]] bool has_reals() const;
  // The value number k of place p of these.
  [[nodiscard]] bool is_real(std::size_t p) const { return !reals_.empty() && !reals_[p].empty(); }
  [[nodiscard]] double real(std::size_t p, std::int32_t k) const {
    return reals_[p][static_cast<std::size_t>(k)];
  }
  [[nodiscard]] const std::vector<std::int64_t>& places() const { return places_; }

  // log p of row `i` with each assignment in its places: some hundred at a time, told with the
  // number of the first.
  using Visit = std::function<void(std::int64_t first, std::span<const double> nats)>;
  void score(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
             const Visit& visit) const;

 private:
  std::vector<std::int64_t> places_, levels_;
  std::vector<std::vector<double>> reals_ = {};  // of each place; nothing of categories
};

// p(values of the places | all other values of row i that are there), by assignment; empty where
// the others cannot be. With real numbers among them these are densities.
[[nodiscard]] std::vector<double> joint_table(const ModelQueries& queries, const Evidence& rows,
                                              std::int64_t i, const Assignments& assignments);

// Places of a row that are missing.
[[nodiscard]] std::vector<std::int64_t> missing_places(const Evidence& rows, std::int64_t i);

}  // namespace logpx
