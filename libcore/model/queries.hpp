// Models that sum exactly over anything that is not observed: what asking for conditionals, filling
// missing values and finding odd ones need. A capability of Model. Likelihoods of rows with missing
// values are those of scoring().   [spec/pc.md section 9]
//
//   const std::vector<double> p = model.queries()->tables(examples);   // [count, dims, levels]
//   const FilledRows filled = model.queries()->fill(examples, FillBy::draws, Rng(1), 0);
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// How missing values are filled: by a draw given those that are there, or by those of the one most
// probable explanation of the row, in which hidden states are not summed out.
enum class FillBy { draws, explanation };

struct FilledRows {
  // [count, dims]; -1 behind the end of a row, and where the values that are there cannot be.
  std::vector<std::int32_t> x = {};
  // Drawn: log p of the values that were there. Most probable: of the explanation with them.
  std::vector<double> nats = {};
  // Of sequences, the hidden state at every step [count, steps], -1 behind the end; else empty.
  std::vector<std::int64_t> states = {};
};

class ModelQueries {
 public:
  virtual ~ModelQueries() = default;
  // x as the model sees it, perhaps binarised: [count, dims]; -1 where a value is missing and
  // behind the end of a row.
  [[nodiscard]] virtual std::vector<std::int32_t> observed(const Examples& examples) const = 0;
  // p(x_v = k | all other values of the row that are there), for every value of every row
  // [count, dims, levels], `dims` of these rows. Zeros behind the end of a row, and where the other
  // values cannot be. Several threads call it at once.
  [[nodiscard]] virtual std::vector<double> tables(const Examples& examples) const = 0;
  // Draw number `draw` of a row depends on the row, its number, rng and `draw` alone.
  [[nodiscard]] virtual FilledRows fill(const Examples& examples, FillBy how, Rng rng,
                                        std::uint32_t draw) const = 0;
};

}  // namespace logpx
