// Rows of data as columns of a pass: whole numbers, -1 where a value is missing or behind the end.
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/families/pc/passes/message.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <span>

namespace logpx::pc {

// Missing real numbers are NaN, missing whole ones -1.
[[nodiscard]] bool is_missing_value(float value, const DatasetInfo& data);

class SymbolRows {
 public:
  // Values that the circuit does not know: the first one is a data error, or all become
  // Evidence::new_value.
  enum class NewValues { refused, marked };
  SymbolRows(RowRules rules, const Circuit& circuit, NewValues others = NewValues::refused)
      : rules_(std::move(rules)), circuit_(circuit), others_(others) {}

  [[nodiscard]] const RowRules& rules() const { return rules_; }
  // Reads the rows with these numbers, counted from the first one held, into columns as long as the
  // longest of them.
  void take(const Examples& examples, std::span<const std::int64_t> numbers, const RowNoise& noise,
            Columns& columns) const;
  // Turns log p of standardised columns into log p in the units of the data. Columns without values
  // get exactly 0.
  void to_rows(const Columns& columns, std::span<double> log_p) const;
  // Standardises a real value at this place of a row, and the reverse.
  [[nodiscard]] float as_read(float value, std::int64_t place) const;
  [[nodiscard]] double standardised(double value, std::int64_t place) const;
  [[nodiscard]] double in_units(double value, std::int64_t place) const;
  // The reader of evidence: in units of the data, colours as RGB, new values marked.
  [[nodiscard]] SymbolRows of_evidence() const;
  // Reads all rows with the fixed noise of evaluations.
  [[nodiscard]] Columns take_all(const Examples& examples) const;
  // Steps of a row; 1 if the circuit is not a chain.
  [[nodiscard]] std::int64_t steps_of(const Examples& examples, std::int64_t row) const;

 private:
  struct Cell {
    std::int64_t row, place;
    float value;
  };
  // An observed value, as columns hold it.
  [[nodiscard]] std::int32_t symbol_of(const Cell& cell, const DatasetInfo& data) const;

  RowRules rules_;
  const Circuit& circuit_;
  NewValues others_;
};

}  // namespace logpx::pc
