// Models that sum exactly over anything that is not observed: what asking for conditionals, filling
// missing values and finding odd ones need. A capability of Model; libcore/eval computes from it
// what takes several questions.   [eval/README 9]
//
//   const Evidence rows = model.queries()->observed(examples);
//   const ValueTables tables = model.queries()->tables(rows);
//   const FilledRows filled = model.queries()->fill(rows, FillBy::draws, Rng(1), 0);
//
// Sums are in double. Several threads ask at once.
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

struct FilledRows;

// Rows as the model sees them, perhaps binarised.
struct Evidence {
  // A value that is there, and that the model does not know: its row has probability 0. Other
  // values of the row are asked about as if it were missing.
  static constexpr std::int32_t new_value = -2;

  std::int64_t width = 0;  // values of a row
  // [count, width], or new_value; -1: missing, and behind the end of a row
  std::vector<std::int32_t> x = {};
  // Of models that read real numbers the same size, in the units of the data: x is 0 where one is
  // there. Else empty.
  std::vector<float> reals = {};
  std::vector<std::int64_t> lengths = {};  // [count]
  std::int64_t first = 0;  // number of the first row in its dataset, which addresses its draws

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(lengths.size()); }
  [[nodiscard]] std::span<std::int32_t> row(std::int64_t i);
  [[nodiscard]] std::span<const std::int32_t> row(std::int64_t i) const;
  [[nodiscard]] bool has_new_value(std::int64_t i) const;
  // All else of every row is missing; known: 1 for each place of a row whose value stays.
  void keep_only(std::span<const std::uint8_t> known);
  // A value that is there, or a missing one: of a real number's place, or of a category's.
  void set(std::int64_t i, std::int64_t place, std::int32_t category);
  void set_real(std::int64_t i, std::int64_t place, double value);
  // These rows with all their gaps filled.
  void become(FilledRows filled);
  // So many times row i, to be changed.
  [[nodiscard]] Evidence repeat(std::int64_t i, std::int64_t times) const;
};
// Nothing is known of such a row.
[[nodiscard]] Evidence unknown_row(std::int64_t length);

// Of a real number: given all other values of the row that are there.
struct RealMoments {
  double mean = 0, square = 0;  // E x, E x^2
  double nats = 0;              // the log-density of the value that is there
};

struct ValueTables {
  std::vector<double> p = {};  // [count, width, levels]
  // [count, width], or empty: of models without real numbers. Of places of categories, and where
  // what is there cannot be, it says nothing.
  std::vector<RealMoments> reals = {};
  std::vector<double> nats = {};  // log p of the values that are there; -inf where they cannot be
};

// How missing values are filled: by a draw given those that are there, or by those of the one most
// probable explanation of the row, in which hidden states are not summed out.
enum class FillBy { draws, explanation };

struct FilledRows {
  // [count, width]; -1 behind the end of a row, and where the values that are there cannot be.
  std::vector<std::int32_t> x = {};
  std::vector<float> reals = {};  // as those of Evidence
  // Drawn: log p of the values that were there. Most probable: of the explanation with them.
  std::vector<double> nats = {};
  // Of sequences, the hidden state at every step [count, steps], -1 behind the end; else empty.
  std::vector<std::int64_t> states = {};
};

// What can be said of a model without rows: "nodes" is 128, "structure" is "chain".
struct ModelFact {
  std::string name, text;
  double number = 0;  // where text is empty
};

enum class ModelText { json, dot };  // a structure that its trainer reads, a drawing by Graphviz

class ModelQueries {
 public:
  virtual ~ModelQueries() = default;
  [[nodiscard]] virtual Evidence observed(const Examples& examples) const = 0;
  // log p of the values that are there, -inf where they cannot be; with real numbers among them it
  // is a density, in the units of the data.
  [[nodiscard]] virtual std::vector<double> log_p(const Evidence& rows) const = 0;
  // p(x_v = k | all other values of the row that are there), for every value of every row. Zeros
  // behind the end of a row, and where what is there cannot be.
  [[nodiscard]] virtual ValueTables tables(const Evidence& rows) const = 0;
  // [count, width, levels]: the same given the values before it alone, in the order of a sequence
  // or of next_order(). Zeros where those cannot be.
  [[nodiscard]] virtual std::vector<double> next(const Evidence& rows) const = 0;
  [[nodiscard]] virtual std::vector<std::int64_t> next_order(std::int64_t width) const = 0;
  // Draw number `draw` of a row depends on the row, its number, rng and `draw` alone.
  [[nodiscard]] virtual FilledRows fill(const Evidence& rows, FillBy how, Rng rng,
                                        std::uint32_t draw) const = 0;
  // The same model with every weight of its sums and leaves taken to the power 1 / temperature:
  // above 1 its draws are wilder, below 1 they stay near what is most probable.
  [[nodiscard]] virtual std::unique_ptr<ModelQueries> tempered(double temperature) const = 0;
  // Of sequences, p(hidden state = z | the values that are there) at every step [count, steps,
  // hidden_states()]: zeros where there is none.
  [[nodiscard]] virtual std::vector<double> states(const Evidence& rows) const = 0;
  [[nodiscard]] virtual std::int64_t hidden_states() const = 0;  // 0: of no sequence

  // Why nothing can be said of single values of a row: tables() and next() are not to be asked.
  // Empty: it can.
  [[nodiscard]] virtual std::string silent_about() const { return {}; }
  [[nodiscard]] virtual std::int64_t levels() const = 0;  // of all values, at most
  [[nodiscard]] virtual std::int64_t levels_at(std::int64_t place) const = 0;  // 0: real numbers
  [[nodiscard]] bool is_real(std::int64_t place) const { return levels_at(place) == 0; }
  // Multiply-adds of log p of a row of so many values.
  [[nodiscard]] virtual double cost(std::int64_t width) const = 0;
  [[nodiscard]] virtual double next_cost(std::int64_t width) const = 0;  // and of next()
  // Everything that was checked when it was read, in words.
  [[nodiscard]] virtual std::vector<ModelFact> facts() const = 0;
  [[nodiscard]] virtual std::string text(ModelText form) const = 0;
};

}  // namespace logpx
