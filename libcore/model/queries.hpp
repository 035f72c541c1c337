// Models that sum exactly over anything that is not observed: what conditionals, filling missing
// values and finding odd ones need. An ability; libcore/eval computes from it what takes several
// questions.   [eval/README 9]
//
//   const Evidence rows = can.queries->observed(examples);
//   const ValueTables tables = can.queries->tables(rows);
//   const FilledRows filled = can.queries->fill(rows, FillBy::draws, Rng(1), 0);
//
// Sums are in double. Several threads ask at once.
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/model/evidence.hpp"
#include "libcore/model/model.hpp"
#include "libcore/model/state_pruning.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

class Automaton;
class MatchingRows;
struct NormalMixture;

// A real number given all other values of the row that are present.
struct RealMoments {
  double mean = 0, square = 0;  // E x, E x^2
  double nats = 0;              // the log-density of the value that is present
  // The logarithm of twice the probability of what is at least as far out on its side, at most 0.
  double tail = 0;
};
enum class Tails { left_out, asked };  // left_out: they are 0, and take no time

struct ValueTables {
  std::vector<double> p = {};  // [count, width, levels]
  // [count, width]; empty for models without real numbers. Meaningless at places of categories, and
  // in rows whose values are impossible.
  std::vector<RealMoments> reals = {};
  std::vector<double> nats = {};  // log p of the values that are present; -inf if impossible
};

// How missing values are filled: by a draw given the values that are present, or from the single
// most probable explanation of the row, in which hidden states are not summed out.
enum class FillBy { draws, explanation };

// A fact about a model that needs no rows: "nodes" is 128, "structure" is "chain".
struct ModelFact {
  std::string name, text;
  double number = 0;  // where text is empty
};

enum class ModelText { json, dot };  // a structure that its trainer reads, a drawing by Graphviz

class ModelQueries {
 public:
  virtual ~ModelQueries() = default;
  [[nodiscard]] virtual Evidence observed(const Examples& examples) const = 0;
  // log p of the values that are present, -inf if they are impossible; with real numbers among them
  // it is a density, in the units of the data.
  [[nodiscard]] virtual std::vector<double> log_p(const Evidence& rows) const = 0;
  // A lower bound of it, from few hidden states.
  [[nodiscard]] virtual std::vector<double> log_p_pruned(const Evidence& rows,
                                                         const StatePruning& pruning) const = 0;
  // p(x_v = k | all other values of the row that are present), for every value of every row. Zeros
  // behind the end of a row, and in rows whose values are impossible.
  [[nodiscard]] virtual ValueTables tables(const Evidence& rows, Tails tails) const = 0;
  [[nodiscard]] ValueTables tables(const Evidence& rows) const {
    return tables(rows, Tails::left_out);
  }
  // The whole distribution of a real number given all other values of its row that are present, in
  // the units of the data, for every row; without parts where those are impossible. A whole number
  // k stands for what lies between k - 1/2 and k + 1/2.
  [[nodiscard]] virtual std::vector<NormalMixture> mixtures(const Evidence& rows,
                                                            std::int64_t place) const = 0;
  // [count, width, levels]: tables() given only the values before it, in the order of a sequence or
  // of next_order(). Zeros if those are impossible.
  [[nodiscard]] virtual std::vector<double> next(const Evidence& rows) const = 0;
  [[nodiscard]] virtual std::vector<std::int64_t> next_order(std::int64_t width) const = 0;
  // Draw number `draw` of a row depends on the row, its number, rng and `draw` alone.
  [[nodiscard]] virtual FilledRows fill(const Evidence& rows, FillBy how, Rng rng,
                                        std::uint32_t draw) const = 0;
  // The same model with every weight of its sums and leaves taken to the power 1 / temperature:
  // above 1 its draws are wilder, below 1 they stay near what is most probable.
  [[nodiscard]] virtual std::unique_ptr<ModelQueries> tempered(double temperature) const = 0;
  // The same model computed in single precision, as it is stored.
  [[nodiscard]] virtual std::unique_ptr<ModelQueries> in_floats() const = 0;
  // What it says of rows that the automaton accepts; a usage error for models of other symbols.
  [[nodiscard]] virtual std::unique_ptr<MatchingRows> matching(
      const Automaton& automaton) const = 0;
  // For sequences, p(hidden state = z | the values that are present) at every step [count, steps,
  // hidden_states()]; zeros behind the end.
  [[nodiscard]] virtual std::vector<double> states(const Evidence& rows) const = 0;
  [[nodiscard]] virtual std::int64_t hidden_states() const = 0;  // 0: not a sequence

  // The entropy of rows of this many values together with their hidden choices, in nats; with real
  // numbers among them that of a density, in the units of the data.
  [[nodiscard]] virtual double joint_entropy(std::int64_t width) const = 0;
  // ln of the sum over such rows of p(x) q(x); a usage error says how the other differs in form.
  [[nodiscard]] virtual double log_inner(const ModelQueries& other, std::int64_t width) const = 0;
  [[nodiscard]] virtual std::int64_t free_parameters() const = 0;

  // Why the model cannot answer about single values of a row, so that tables() and next() must not
  // be called; empty if it can.
  [[nodiscard]] virtual std::string silent_about() const { return {}; }
  // Why the model answers log_p() of rows and nothing else; empty if it answers more.
  [[nodiscard]] virtual std::string only_scores() const { return {}; }
  // Why it cannot sum over the regions of values that are not there; empty if it can.
  [[nodiscard]] virtual std::string refuse_regions(const Evidence& rows) const {
    return rows.regions ? "this model takes single values as evidence" : "";
  }
  [[nodiscard]] virtual std::int64_t levels() const = 0;  // the most of any value
  [[nodiscard]] virtual std::int64_t levels_at(std::int64_t place) const = 0;  // 0: real numbers
  [[nodiscard]] bool is_real(std::int64_t place) const { return levels_at(place) == 0; }
  // Multiply-adds that log p of a row of so many values takes.
  [[nodiscard]] virtual double cost(std::int64_t width) const = 0;
  [[nodiscard]] virtual double next_cost(std::int64_t width) const = 0;  // the same for next()
  // Everything that was checked when the model was read, in words.
  [[nodiscard]] virtual std::vector<ModelFact> facts() const = 0;
  [[nodiscard]] virtual std::string text(ModelText form) const = 0;

  // Whether log p of a value there is a density; real numbers that are whole have probabilities.
  [[nodiscard]] virtual bool has_density(std::int64_t place) const { return is_real(place); }
  // Categories of this place that stand for a value; one more is for all values that are new to the
  // model, where levels_at() says so.
  [[nodiscard]] virtual std::int64_t known_at(std::int64_t place) const { return levels_at(place); }
  // What a category of known_at() is in the data: itself, or the number that the table has for it.
  [[nodiscard]] virtual double value_at(std::int64_t place, std::int64_t category) const {
    return static_cast<void>(place), static_cast<double>(category);
  }
};

}  // namespace logpx
