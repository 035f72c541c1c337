// How many values each dimension of x has: a column of words has as many as it has words, however
// many other columns of its table have.
//
//   const LevelsOfX levels = levels_of_columns(data, data.levels);
//   const bool known = x < levels.at(dim);
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace logpx {

class LevelsOfX {
 public:
  // All dimensions alike; 0: real numbers. Implicit, so that a number can be passed.
  LevelsOfX(std::int64_t all = 0) : most_(all) {}
  LevelsOfX(std::int64_t most, std::vector<std::int64_t> of_dims)
      : most_(most), of_dims_(std::move(of_dims)) {}

  [[nodiscard]] std::int64_t most() const { return most_; }
  [[nodiscard]] bool alike() const { return of_dims_.empty(); }
  [[nodiscard]] std::int64_t dims() const { return std::ssize(of_dims_); }  // 0 where alike
  [[nodiscard]] std::int64_t at(std::size_t dim) const { return alike() ? most_ : of_dims_[dim]; }

 private:
  std::int64_t most_;
  std::vector<std::int64_t> of_dims_;  // [dims], or empty
};

// For data that are read as so many levels.
[[nodiscard]] LevelsOfX levels_of_columns(const DatasetInfo& data, std::int64_t levels);

}  // namespace logpx
