// Rows of data as columns of a pass: whole numbers, -1 where a value is missing or behind the end.
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/families/pc/passes/message.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <span>

namespace logpx::pc {

class SymbolRows {
 public:
  // What becomes of values that the circuit does not know: a data error that names the first of
  // them, or Evidence::new_value.
  enum class NewValues { refused, marked };
  SymbolRows(RowRules rules, const Circuit& circuit, NewValues others = NewValues::refused)
      : rules_(std::move(rules)), circuit_(circuit), others_(others) {}

  [[nodiscard]] const RowRules& rules() const { return rules_; }
  // The rows of these numbers, counted from the first one held, to as many steps as the longest of
  // them has.
  void take(const Examples& examples, std::span<const std::int64_t> numbers, const RowNoise& noise,
            Columns& columns) const;
  // Makes log p of columns that of the rows, in the units of the data: real values are read in
  // their column's deviations. Where no value is there it is 0, and not what rounding left of it.
  void to_rows(const Columns& columns, std::span<double> log_p) const;
  // A real value of the data, at this place of a row, as the circuit reads it, and back.
  [[nodiscard]] float as_read(float value, std::int64_t place) const;
  [[nodiscard]] double in_units(double value, std::int64_t place) const;
  // As evidence is read: in the units of the data, colours as RGB, what is new marked.
  [[nodiscard]] SymbolRows of_evidence() const;
  // All of them, with the noise of every evaluation.
  [[nodiscard]] Columns take_all(const Examples& examples) const;
  // Steps of a row: 1 where the circuit is no chain.
  [[nodiscard]] std::int64_t steps_of(const Examples& examples, std::int64_t row) const;

 private:
  struct Cell {
    std::int64_t row, place;
    float value;
  };
  // A value that is there, as columns hold it.
  [[nodiscard]] std::int32_t symbol_of(const Cell& cell, const DatasetInfo& data) const;

  RowRules rules_;
  const Circuit& circuit_;
  NewValues others_;
};

}  // namespace logpx::pc
