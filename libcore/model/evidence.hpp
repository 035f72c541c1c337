// Rows of which a model that sums over anything is asked.   [eval/README 9]
#pragma once

#include "libcore/model/value_region.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

struct FilledRows;

// Rows as the model sees them, perhaps binarised.
struct Evidence {
  // A value that is present but unknown to the model: its row has probability 0. Questions about
  // other values of the row treat it as missing.
  static constexpr std::int32_t new_value = -2;

  std::int64_t width = 0;  // values of a row
  // [count, width], or new_value; -1: missing, and behind the end of a row
  std::vector<std::int32_t> x = {};
  // For models that read real numbers: the same size, in the units of the data; x is 0 where one is
  // present. Else empty.
  std::vector<float> reals = {};
  std::vector<std::int64_t> lengths = {};  // [count]
  std::int64_t first = 0;  // number of the first row in its dataset, which addresses its draws
  // Where values lie, in every row, in the units of the data; null: anywhere. A value that is there
  // and lies elsewhere has probability 0.
  std::shared_ptr<const ValueRegions> regions = {};

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(lengths.size()); }
  [[nodiscard]] std::span<std::int32_t> row(std::int64_t i);
  [[nodiscard]] std::span<const std::int32_t> row(std::int64_t i) const;
  [[nodiscard]] bool has_new_value(std::int64_t i) const;
  // Makes all else missing in every row; known: 1 for each place of a row whose value stays.
  void keep_only(std::span<const std::uint8_t> known);
  // Sets a value at the place of a category or of a real number; -1 makes either missing.
  void set(std::int64_t i, std::int64_t place, std::int32_t category);
  void set_real(std::int64_t i, std::int64_t place, double value);
  // Takes over rows whose gaps have been filled.
  void become(FilledRows filled);
  // Copies of row i, to be changed.
  [[nodiscard]] Evidence repeat(std::int64_t i, std::int64_t times) const;
};
// A row in which everything is missing.
[[nodiscard]] Evidence unknown_row(std::int64_t length);

// Rows whose gaps were filled.
struct FilledRows {
  // [count, width]; -1 behind the end of a row, and in rows whose values are impossible.
  std::vector<std::int32_t> x = {};
  std::vector<float> reals = {};  // as those of Evidence
  // For draws, log p of the values that were present; else of the explanation together with them.
  std::vector<double> nats = {};
  // For sequences, the hidden state at every step [count, steps], -1 behind the end; else empty.
  std::vector<std::int64_t> states = {};
};

}  // namespace logpx
