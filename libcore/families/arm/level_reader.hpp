// How x is read: as whole numbers, binarised, or grey values as a few levels.
#pragma once

#include "libcore/families/arm/config.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace logpx::arm {

class LevelReader {
 public:
  LevelReader(const Config& config, const DatasetInfo& data);

  [[nodiscard]] std::int64_t levels() const { return levels_; }  // as they are read
  [[nodiscard]] const RowRules& rules() const { return reader_.rules(); }
  // What such a model says of itself; its methods are to be added.
  [[nodiscard]] ModelInfo model_info(const DatasetInfo& data) const;
  // Rows with the noise of every evaluation, [count, dims], and the same as they are stored, for a
  // coder. A data error names the first value that is none of the levels.
  [[nodiscard]] std::vector<std::int32_t> values(const Examples& examples) const;
  [[nodiscard]] std::vector<std::uint8_t> symbols(const Examples& examples) const;

 private:
  friend class LevelRows;
  [[nodiscard]] std::int32_t level_of(double value) const {
    return static_cast<std::int32_t>(coarse_ == 0 ? value : value * share_);
  }
  std::int64_t levels_, coarse_;
  double share_;  // of a stored value in a coarse level
  std::unique_ptr<const Likelihood> support_;
  RowReader reader_;
};

// Those of training, each checked once.
class LevelRows {
 public:
  LevelRows(const LevelReader& reader, const Examples& examples)
      : reader_(reader), rows_(reader.reader_, examples) {}
  void take(std::int64_t row, const RowNoise& noise, std::span<std::int32_t> x) const;
  [[nodiscard]] std::int64_t bytes() const { return rows_.bytes(); }

 private:
  const LevelReader& reader_;
  TrainingRows rows_;
};

}  // namespace logpx::arm
