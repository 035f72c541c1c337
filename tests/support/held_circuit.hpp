// A circuit with parameters in double, as tests look at it: set or drawn, evaluated by the passes
// and, block by block as they are defined, without them.
#pragma once

#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/maximisation/maximise.hpp"
#include "libcore/families/pc/passes/pass.hpp"
#include "libcore/families/pc/text/circuit_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx::testing {

using SymbolRows = std::vector<std::vector<std::int32_t>>;  // -1: missing

// Rows with this many variables per step, as columns; shorter rows end early.
[[nodiscard]] pc::Columns columns_of(const SymbolRows& rows, std::int64_t variables);

struct HeldCircuit {
  explicit HeldCircuit(pc::Circuit circuit);
  // With all of its numbers.
  explicit HeldCircuit(const pc::CircuitText& whole);
  [[nodiscard]] pc::CircuitText text() const;

  // Rows of weights drawn from a seed, each normalised.
  void draw(std::uint64_t seed);
  void set(const std::string& tensor, const std::vector<double>& values);
  [[nodiscard]] std::vector<double> get(const std::string& tensor) const {
    return get(tensor, theta);
  }
  [[nodiscard]] std::vector<double> get(const std::string& tensor,
                                        const std::vector<double>& block) const;

  [[nodiscard]] std::vector<double> log_p(const SymbolRows& rows,
                                          const pc::PassSettings& settings = {}) const;
  // Expected counts of all rows, in the layout of theta.
  [[nodiscard]] std::vector<double> counts(const SymbolRows& rows,
                                           const pc::PassSettings& settings = {}) const;
  [[nodiscard]] std::vector<double> log_p_in_float(const SymbolRows& rows) const;
  // From the definition of every block, for one row, summed over its styles.
  [[nodiscard]] double plain_log_p(const std::vector<std::int32_t>& row) const;

  ParamSet params;
  pc::PassPlan plan;
  std::vector<double> theta;

 private:
  [[nodiscard]] BlockRange range_of(const std::string& tensor) const;
  struct PlainRow {
    const std::vector<std::int32_t>& x;
    std::int64_t style = 0;
  };
  [[nodiscard]] std::vector<double> plain_values(int block, const PlainRow& row,
                                                 std::size_t step) const;
  [[nodiscard]] std::vector<double> plain_leaf(const pc::Block& block, int number,
                                               const PlainRow& row, std::int32_t x) const;
  [[nodiscard]] std::vector<double> plain_sum(int block, const std::vector<double>& inputs) const;
};

// Every row with these numbers of values.
[[nodiscard]] SymbolRows all_rows(const std::vector<std::int32_t>& categories);

}  // namespace logpx::testing
