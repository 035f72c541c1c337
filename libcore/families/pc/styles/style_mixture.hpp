// Learns the styles of rows: a mixture of multinomials over the values of a row, wherever they
// occur, given the coarse bin that each lies in. So styles tell which greys a picture repeats, and
// not how much of it is black.   [pc/README 4.3]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/pc/passes/message.hpp"
#include "libcore/families/pc/symbol_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// The style of a row, by the values that occur anywhere in it: the most probable one if values were
// independent,   argmax over c of prior_c prod_k p_c(k)^(times k occurs)   [pc/README 4.3].
// It uses only + and det_log, in double, so it is the same on all machines.
//
//   const StyleChoice choice(plan, theta);
//   choice.choose(columns);                          // columns.styles, from their values
//   const float* table = leaf_values(plan, b, choice.of(counts), theta);    // [size, categories]
class StyleChoice {
 public:
  // Needs a circuit whose rows have styles.
  StyleChoice(const PassPlan& plan, std::span<const float> theta);

  // Takes how often each value occurs; ties go to the first style.
  [[nodiscard]] std::int32_t of(std::span<const std::int64_t> counts) const;
  void choose(Columns& columns) const;

 private:
  std::size_t styles_;
  std::vector<double> log_prior_, log_p_;  // [styles]; [values, styles]
};

// Parameters of a leaf, [size, categories], for rows of this style.
template <typename T>
[[nodiscard]] const T* leaf_values(const PassPlan& plan, int leaf, std::int64_t style,
                                   std::span<const T> theta) {
  const BlockRange all = plan.range(leaf, 0);
  const std::int64_t each = (all.end - all.begin) / plan.circuit().styles;
  return theta.data() + all.begin + (plan.block(leaf).styled ? style * each : 0);
}

// Where the crowded range at the top begins, whose values are over five times as frequent as the
// median of those above 0; the number of values if there is none.
[[nodiscard]] std::int64_t crowded_from(std::span<const double> frequencies);

struct StyleTable {
  std::vector<double> prior = {};   // [styles]
  std::vector<double> values = {};  // [styles, values]
};
struct StyleRows {
  const SymbolRows& reader;
  const Examples& examples;
  std::span<const double> frequencies;  // of values, in all variables together
};
// Rows and seed alone decide the result.
[[nodiscard]] StyleTable learn_styles(const StyleRows& rows, std::int64_t styles,
                                      const Substream& draws, Workers& workers);

}  // namespace logpx::pc
