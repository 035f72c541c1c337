// First parameters of a circuit, and what its pseudocounts follow.   [spec/pc.md sections 4.1, 6.2]
#pragma once

#include "libcore/families/pc/leaves/maximise_leaves.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/maximisation/maximise.hpp"

#include <string>
#include <vector>

namespace logpx::pc {

// How often each value of each variable is observed in these rows: [variables][categories]; of a
// real variable {rows, sum, sum of squares}. Of a chain over all steps.
using Frequencies = std::vector<std::vector<double>>;
[[nodiscard]] Frequencies frequencies_of(const SymbolRows& rows, const Circuit& circuit,
                                         const Examples& examples);

// How rows of parameters begin. normal: the softmax of normal draws. dirichlet: a draw of
// Dirichlet(a, .., a). from_data: as normal, but leaves are their variable's frequencies times
// e^(a quarter of such a draw).
struct FirstRows {
  enum class Kind { normal, dirichlet, from_data };
  Kind kind = Kind::normal;
  double concentration = 1;
};
[[nodiscard]] FirstRows parse_first_rows(const std::string& text);  // of --init

// The number of the symbol that --separator-states names: a letter of the data's alphabet, or a
// number. A usage error when the data lack it.
[[nodiscard]] std::int64_t separator_of(const std::string& text, const DatasetInfo& data);

// The parameters that a run begins with.
class FirstParameters {
 public:
  struct Parts {
    FirstRows rows;
    Rng rng;
    Frequencies frequencies;
    // Those of a structure file, by block; blocks without any are drawn.
    std::vector<std::vector<double>> weights = {};
    std::string file = {};
    // At first the states whose last index is the largest alone emit this symbol.
    std::optional<std::int64_t> separator = {};
    // All of them, of a model that training goes on from; else empty.
    std::vector<float> whole = {};
  };
  explicit FirstParameters(Parts parts) : parts_(std::move(parts)) {}

  // Of a run, numbered from 0. A data error when those of a file are no distributions.
  void set(PcModel& model, std::int64_t run) const;
  [[nodiscard]] Rng rng_of(std::int64_t run) const;  // its draws
  // What all of them were read from; empty where some are drawn.
  [[nodiscard]] std::string read_from(const Circuit& circuit) const;
  [[nodiscard]] const Frequencies& frequencies() const { return parts_.frequencies; }

 private:
  void draw(PcModel& model, const Rng& rng) const;
  void draw_rows_of(PcModel& model, int block, std::size_t tensor, const Rng& rng) const;
  void draw_nodes(PcModel& model, int block, const LeafData& data, const Rng& rng) const;
  void take_weights(PcModel& model) const;
  void set_separator(PcModel& model) const;

  Parts parts_;
};

// Rows of leaves are shared as the values of their variable are, and a thousandth evenly; the
// others evenly.
// What is known of the variables of leaves that are no tables, by block.
[[nodiscard]] LeafTargets leaf_targets(const PassPlan& plan, const Frequencies& frequencies,
                                       Spread spread);
[[nodiscard]] RowPriors marginal_priors(const PcModel& model, const Frequencies& frequencies);

}  // namespace logpx::pc
