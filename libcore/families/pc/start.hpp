// First parameters of a circuit, and what its pseudocounts follow.   [pc/README 6.2, 7]
#pragma once

#include "libcore/families/pc/leaves/maximise_leaves.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/maximisation/maximise.hpp"

#include <string>
#include <vector>

namespace logpx::pc {

// Some of these rows, spread over all.
[[nodiscard]] Columns some_rows(const SymbolRows& rows, const Examples& examples);

// How often each value of each variable is observed in these rows: [variables][categories], or
// {rows, sum, sum of squares} for a real variable. A chain counts all steps together.
using Frequencies = std::vector<std::vector<double>>;
[[nodiscard]] Frequencies frequencies_of(const SymbolRows& rows, const Circuit& circuit,
                                         const Examples& examples);

// Whether --init names models whose product is the start: "product:A.h5,B.h5".
[[nodiscard]] bool starts_from_product(const std::string& init);
// Their names; a usage error for fewer than two.
[[nodiscard]] std::vector<std::string> product_names(const std::string& init);

// How broad a node is that is no cluster, in the data's deviations.
inline constexpr double broad_start = 3;

// How rows of parameters begin. normal: the softmax of normal draws. dirichlet: a draw of
// Dirichlet(a, .., a). from_data: as normal, but leaves are their variable's frequencies times
// e^(a quarter of such a draw).
struct FirstRows {
  enum class Kind { normal, dirichlet, from_data };
  Kind kind = Kind::normal;
  double concentration = 1;
};
[[nodiscard]] FirstRows parse_first_rows(const std::string& text);  // reads --init

// The symbol that --separator-states names by letter or number; a usage error when the data lack
// it.
[[nodiscard]] std::int64_t separator_of(const std::string& text, const DatasetInfo& data);

// The parameters that a run begins with.
class FirstParameters {
 public:
  struct Parts {
    FirstRows rows;
    Rng rng;
    Frequencies frequencies;
    Columns points = {};  // some rows, around which gaussians of several variables begin
    // Parameters of a structure file, by block; blocks without any are drawn.
    std::vector<std::vector<double>> weights = {};
    std::string file = {};
    // The weights of its sums are multiplied by e^(perturb n), n normal.
    double perturb = 0;
    // At first only states whose last index is the largest emit this symbol.
    std::optional<std::int64_t> separator = {};
    // All parameters of the model that training continues from; else empty.
    std::vector<float> whole = {};
  };
  explicit FirstParameters(Parts parts) : parts_(std::move(parts)) {}

  // Sets those of a run, numbered from 0. A data error when rows of the file do not sum to 1.
  void set(PcModel& model, std::int64_t run) const;
  [[nodiscard]] Rng rng_of(std::int64_t run) const;  // draws of that run
  // Whether some are drawn or perturbed: not all come from a file as they are.
  [[nodiscard]] bool draws_some(const Circuit& circuit) const;
  [[nodiscard]] const Frequencies& frequencies() const { return parts_.frequencies; }

 private:
  [[nodiscard]] bool has_drawn(const Circuit& circuit) const;
  void draw(PcModel& model, const Rng& rng) const;
  void draw_rows_of(PcModel& model, int block, std::size_t tensor, const Rng& rng) const;
  void draw_nodes(PcModel& model, int block, const LeafData& data, const Rng& rng) const;
  void draw_joint(PcModel& model, int block, const JointData& data, const Rng& rng) const;
  void take_weights(PcModel& model) const;
  void perturb(PcModel& model, const Rng& rng) const;
  void set_separator(PcModel& model) const;

  Parts parts_;
};

// By block: what is known of the variables of leaves that are not tables.
[[nodiscard]] LeafTargets leaf_targets(const PassPlan& plan, const Frequencies& frequencies,
                                       Spread spread);
[[nodiscard]] JointTargets joint_targets(const PassPlan& plan, const Frequencies& frequencies);
// Pseudocounts of tables follow the frequencies of their variable, and a thousandth is even.
[[nodiscard]] RowPriors marginal_priors(const PcModel& model, const Frequencies& frequencies);

}  // namespace logpx::pc
