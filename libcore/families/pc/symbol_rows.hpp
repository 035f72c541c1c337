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
  SymbolRows(RowRules rules, const Circuit& circuit)
      : rules_(std::move(rules)), circuit_(circuit) {}

  [[nodiscard]] const RowRules& rules() const { return rules_; }
  // The rows of these numbers, counted from the first one held, to as many steps as the longest of
  // them has. A data error names the first value that is not one of the circuit's.
  void take(const Examples& examples, std::span<const std::int64_t> numbers, const RowNoise& noise,
            Columns& columns) const;
  // What log p of a row is more than log p of the columns: for each real value that is there, as
  // models read it in its column's deviations.
  [[nodiscard]] double log_jacobian(const Columns& columns, std::int64_t column) const;
  // A real value of the data, at this place of a row, as the circuit reads it, and back.
  [[nodiscard]] float as_read(float value, std::int64_t place) const;
  [[nodiscard]] double in_units(double value, std::int64_t place) const;
  // The same reader, but of values in the units of the data, colours as RGB.
  [[nodiscard]] SymbolRows in_units() const;
  // All of them, with the noise of every evaluation.
  [[nodiscard]] Columns take_all(const Examples& examples) const;
  // Steps of a row: 1 where the circuit is no chain.
  [[nodiscard]] std::int64_t steps_of(const Examples& examples, std::int64_t row) const;

 private:
  RowRules rules_;
  const Circuit& circuit_;
};

}  // namespace logpx::pc
