// How a model reads x: options turn the data into what its likelihood accepts, and decide what kind
// of number its log p(x) is then.   [data/README 2]
//
//   DataReading reading;   reading.describe(fields);
//   reading.check({.word = "bernoulli"}, data);
//   const RowReader reader(reading.rules({.word = "bernoulli"}, data), likelihood,
//                          "--likelihood bernoulli");
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/model/axis_reading.hpp"
#include "libcore/model/likelihood.hpp"
#include "libcore/model/model.hpp"
#include "libcore/model/task_data.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class Fields;

struct DataReading {
  std::string binarise = "none";
  std::uint64_t binarise_seed = 1;  // for the static draw
  Dequantise dequantise = Dequantise::none;
  // Whether columns of real numbers are standardised; open until a trainer has seen them
  // (column_reading.hpp).
  std::optional<bool> standardise = {};

  void describe(Fields& fields);
  // Usage errors for data that the likelihood cannot take when read in this way.
  struct Chosen {
    std::string word;            // of --likelihood
    bool gray = false;           // bernoulli takes what lies between 0 and 1
    std::string gray_hint = {};  // how a user asks for that; empty: not possible
  };
  void check(const Chosen& likelihood, const DatasetInfo& data) const;
  [[nodiscard]] RowRules rules(const Chosen& likelihood, const DatasetInfo& data) const;
  [[nodiscard]] bool binarises() const {
    return parse_binarisation(binarise).rule != Binarise::none;
  }
  // Levels of what the likelihood sees: 2 once binarised.
  [[nodiscard]] LevelsOfX levels(const DatasetInfo& data) const {
    return levels_of_columns(data, binarises() ? 2 : data.levels);
  }
};

// What such a model says about itself; the family adds its methods and whatever else is its own.
// It reads neither classes nor notes, and rows that end early count as whole.
[[nodiscard]] ModelInfo reading_info(std::string family, const DatasetInfo& data,
                                     const RowRules& rules, const Likelihood& likelihood);

// Rows as networks take them: floats [count, dims], or their scores if there are axes.
class RowReader {
 public:
  // `who` reads the values, for messages: "--likelihood bernoulli".
  RowReader(RowRules rules, const Likelihood& likelihood, std::string who,
            const AxisReading* axes = nullptr)
      : rules_(std::move(rules)), likelihood_(likelihood), who_(std::move(who)), axes_(axes) {}
  [[nodiscard]] const RowRules& rules() const { return rules_; }
  // How many numbers a row has as it is read.
  [[nodiscard]] std::int64_t dims(const DatasetInfo& data) const {
    return axes_ == nullptr ? data.dims() : axes_->axes();
  }
  // What turns log p into a density of the columns as stored; scores on axes have their own.
  [[nodiscard]] double log_jacobian() const {
    return rules_.columns.empty() || axes_ != nullptr ? 0 : rules_.columns.log_jacobian();
  }
  // One row of the data.
  void take_row(const DatasetInfo& data, const Rows& rows, RowAt place, const RowNoise& noise,
                std::span<float> x) const;
  void take(const Examples& examples, const RowNoise& noise, std::span<float> x) const;
  // A data error that names the first value that the likelihood does not allow.
  void require_support(const Examples& examples, std::span<const float> x) const;
  // Takes rows and checks them, with the noise that every evaluation uses.
  void take_supported(const Examples& examples, std::span<float> x) const;
  // The same as a coder takes them: whole numbers as stored, or bits if binarised.
  [[nodiscard]] std::vector<std::uint8_t> symbols(const Examples& examples) const;
  // ModelLatents::observed, in order and units of what the model makes.
  [[nodiscard]] std::vector<float> observed(const Examples& examples,
                                            const DatasetInfo& samples) const;

 private:
  RowRules rules_;
  const Likelihood& likelihood_;
  std::string who_;
  const AxisReading* axes_;
};

// The rows of training, each checked once.
class TrainingRows {
 public:
  TrainingRows(const RowReader& reader, const TaskRows& rows);
  // One of the rows of a step in its epoch, to x [dims].
  void take(std::int64_t row, const RowNoise& noise, std::span<float> x) const;
  [[nodiscard]] std::span<const float> mean() const { return mean_; }  // [dims]
  [[nodiscard]] const TaskRows& rows() const { return rows_; }

 private:
  const RowReader& reader_;
  TaskRows rows_;
  std::vector<float> mean_;
};

}  // namespace logpx
