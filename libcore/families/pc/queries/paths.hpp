// Follows one way through a circuit for each column: one input of every sum, all children of every
// product. It ends at the leaves and fills missing values there. After a pass over sums, random
// choices draw everything that is not observed; after a pass over largest products, the largest
// choices give the most probable explanation.   [pc/README 9.5, 9.6]
#pragma once

#include "libcore/det/draws.hpp"
#include "libcore/families/pc/leaves/joint_gaussian.hpp"
#include "libcore/families/pc/passes/slopes.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace logpx::pc {

// Chooses among alternatives by weights that are not negative and not all 0.
class Chooser {
 public:
  virtual ~Chooser() = default;
  [[nodiscard]] virtual std::size_t choose(std::int64_t column,
                                           std::span<const double> weights) = 0;
  // How many deviations from its mean a normal variable lies.
  [[nodiscard]] virtual double deviations(std::int64_t column) = 0;
};

// Chooses the first of the largest weights.
class LargestChoice final : public Chooser {
 public:
  [[nodiscard]] std::size_t choose(std::int64_t column, std::span<const double> weights) override;
  [[nodiscard]] double deviations(std::int64_t) override { return 0; }
};

// Chooses in proportion to the weights, by each column's own draws.
class DrawnChoice final : public Chooser {
 public:
  explicit DrawnChoice(std::vector<DrawCursor> draws) : draws_(std::move(draws)) {}
  [[nodiscard]] std::size_t choose(std::int64_t column, std::span<const double> weights) override;
  [[nodiscard]] double deviations(std::int64_t column) override;

 private:
  std::vector<DrawCursor> draws_;  // by column
  std::vector<double> sums_;
};

// Columns with impossible evidence keep their missing values. A hidden style is chosen first.
template <typename T>
class Paths final : public WayDown<T> {
 public:
  // `filled` starts as the rows of the pass; `chooser` is called with their numbers.
  Paths(Chooser& chooser, Columns& filled) : chooser_(chooser), filled_(filled) {}

  void begin(const Work<T>& work) override;
  void visit(const Work<T>& work, int b, const StepView& at) override;
  void end_step(const Work<T>& work, const StepView& at) override;

  // Missing values are chosen among these only, which a column can reach; null: among all.
  void choose_among(const std::vector<std::int32_t>* values) { among_ = values; }
  // The node of a block that the way of a column goes through.
  [[nodiscard]] std::int64_t reached(int b, std::int64_t column) const {
    return nodes_[static_cast<std::size_t>(b)][static_cast<std::size_t>(column)];
  }
  // The node of `carried` at each step of a chain, [steps, columns]; -1 after the end of a row.
  [[nodiscard]] const std::vector<std::int64_t>& states() const { return states_; }

 private:
  void choose_styles(const Work<T>& work);
  void follow_sum(const Work<T>& work, int b, std::int64_t column);
  void follow_mixing(const Work<T>& work, int b, std::int64_t column);
  void follow_product(const Work<T>& work, int b, std::int64_t column);
  void fill_leaf(const Work<T>& work, int b, const StepView& at, std::int64_t column);
  void fill_joint(const Work<T>& work, int b, const StepView& at, std::int64_t column);
  // A missing number of a node with these parameters.
  [[nodiscard]] double number_for(const Work<T>& work, int b, const ValueRegion* region,
                                  std::int64_t row);
  [[nodiscard]] double first_hidden(const Work<T>& work, const SeenGaussian& node,
                                    const SeenPlaces& places, std::span<const double> z,
                                    std::int64_t row);
  // A share of a region, for a draw there.
  [[nodiscard]] double share_for(std::int64_t row);
  void reach_input(const Work<T>& work, int b, std::int64_t column, std::int64_t input);
  [[nodiscard]] std::int64_t& node(int b, std::int64_t column);

  Chooser& chooser_;
  Columns& filled_;
  const std::vector<std::int32_t>* among_ = nullptr;
  std::int64_t columns_ = 0, of_row_ = 1;         // columns of each row; the way takes one
  std::vector<std::vector<std::int64_t>> nodes_;  // by block and column; -1: not on the way
  std::vector<double> weights_;
  std::vector<std::int64_t> states_;
};

}  // namespace logpx::pc
