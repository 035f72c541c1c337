// How x is read: as whole numbers, binarised, or grey values as a few levels; molecules as types of
// atoms and orders of bonds.   [arm/README 9]
#pragma once

#include "libcore/families/arm/config.hpp"
#include "libcore/families/arm/row_form.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace logpx::arm {

class LevelReader {
 public:
  LevelReader(const Config& config, const DatasetInfo& data);

  [[nodiscard]] const RowForm& form() const { return form_; }
  [[nodiscard]] std::int64_t levels() const { return form_.levels(); }  // as they are read
  [[nodiscard]] const RowRules& rules() const { return reader_.rules(); }
  // The model's description, without its methods.
  [[nodiscard]] ModelInfo model_info(const DatasetInfo& data) const;
  // Rows with the noise of evaluations, [count, dims]; and the same in stored order, for a coder. A
  // data error names the first value that is none of the levels.
  [[nodiscard]] std::vector<std::int32_t> values(const Examples& examples) const;
  [[nodiscard]] std::vector<std::uint8_t> symbols(const Examples& examples) const;
  // Stores x [dims] as row `to` of `rows`, which are described by `samples`.
  void store(const DatasetInfo& samples, std::span<const std::int32_t> x, std::int64_t to,
             Rows& rows) const;

 private:
  friend class LevelRows;
  [[nodiscard]] std::int32_t level_of(double value) const {
    return static_cast<std::int32_t>(coarse_ == 0 ? value : value * share_);
  }
  // Row `row` of the examples, a molecule: a data error where the model cannot read it.
  void take_molecule(const Examples& examples, std::int64_t row, std::span<std::int32_t> x) const;
  RowForm form_;
  std::int64_t coarse_;
  double share_;  // coarse levels per stored level
  std::unique_ptr<const Likelihood> support_;
  RowReader reader_;
};

// How many atoms a molecule has.
[[nodiscard]] std::int64_t atoms_of_row(const Examples& molecules, std::int64_t row);

// Training rows, checked once. Molecules must all be held.
class LevelRows {
 public:
  LevelRows(const LevelReader& reader, const TaskRows& rows);
  void take(std::int64_t row, const RowNoise& noise, std::span<std::int32_t> x) const;

 private:
  const LevelReader& reader_;
  std::optional<Examples> molecules_;
  std::optional<TrainingRows> rows_;  // of anything else
};

}  // namespace logpx::arm
