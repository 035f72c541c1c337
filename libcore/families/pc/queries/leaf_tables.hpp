// p(x_v = k | all other observed values), for every variable of every column in one pass: the slope
// that reaches a leaf says how well each of its nodes agrees with all the rest. For real variables
// it gives moments, and the density at the observed value. A missing value whose region is known
// lies there.
// [pc/README 9.2, 9.9]
#pragma once

#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/families/pc/queries/joint_views.hpp"
#include "libcore/math/normal_tails.hpp"
#include "libcore/model/queries.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace logpx::pc {

// The most categories that any variable has.
[[nodiscard]] std::int64_t most_categories(const Circuit& circuit);

template <typename T>
class LeafTables : public Slopes<T> {
 public:
  // Sizes the tables [columns, steps, variables, most categories], and fills them. Columns with
  // impossible evidence, and steps after the end of a row, stay zeros.
  LeafTables(const Circuit& circuit, const Columns& columns, std::vector<double>& tables,
             Tails tails = Tails::left_out);

  // Divides each table by its sum.
  void normalise();
  // Moments at place i of [columns, steps, variables], in standardised numbers; none where the
  // evidence is impossible.
  [[nodiscard]] RealMoments moments(std::int64_t i) const;

 protected:
  void at_leaf(const Work<T>& work, int b, const StepView& at) override;

 private:
  // Sums over nodes: of slope, slope mean and slope square, and for the observed value of slope y,
  // where leaves have the value 2^exponent y.
  struct NodeSums {
    double nodes = 0, mean = 0, square = 0, there = 0;
    std::int64_t exponent = 0;
    // The tails of all nodes, as logarithms without an exponent.
    double below = -std::numeric_limits<double>::infinity(), above = below;

    void add_tails(std::span<const TailPart> parts, double log_unit);
  };
  void add_nodes(const Work<T>& work, int b, const StepView& at);
  void add_joint(const Work<T>& work, int b, const StepView& at);
  void add_node_tails(const Work<T>& work, int b, std::int64_t column, double x, NodeSums& sums);
  // Adds what nodes with these shares of the row say of one variable.
  static void add_views(std::span<const double> shares, std::span<const JointView> views,
                        NodeSums& sums);
  struct SeenNumber {
    double x;
    bool whole;
  };
  static void add_view_tails(std::span<const double> shares, std::span<const JointView> views,
                             SeenNumber seen, NodeSums& sums);
  [[nodiscard]] static double tail_of(const NodeSums& sums);
  // What the nodes of a real variable expect, and deviations; in its region, if that is known.
  [[nodiscard]] static std::vector<SeenGaussian::Normal> expected(const Work<T>& work, int b,
                                                                  const ValueRegion* region);
  [[nodiscard]] const ValueRegion* region_of(int variable, const StepView& at) const {
    return at.columns.region(at.step * variables_ + variable);
  }
  // Makes room for numbers that are 2^exponent too large, and returns their factor.
  [[nodiscard]] static double make_room(std::int64_t exponent, NodeSums& sums);
  [[nodiscard]] NodeSums& sums_at(const Work<T>& work, std::int64_t column, const StepView& at,
                                  int variable);

  std::vector<double>& tables_;
  std::int64_t variables_, categories_;
  Tails asked_;
  std::vector<NodeSums> sums_;  // by place, where there are real numbers
};

}  // namespace logpx::pc
