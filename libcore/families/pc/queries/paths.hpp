// One way through a circuit for each column: of every sum one input, of every product all. It ends
// at the leaves and fills the values that are missing there. Drawn, behind a pass over sums, it is
// a draw of everything that is not observed; the largest, behind a pass over the largest, it is the
// most probable explanation.   [spec/pc.md sections 9.5 and 9.6]
#pragma once

#include "libcore/det/draws.hpp"
#include "libcore/families/pc/passes/way_down.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace logpx::pc {

// Chooses among alternatives with these weights, none of which is negative and one of which is
// not 0.
class Chooser {
 public:
  virtual ~Chooser() = default;
  [[nodiscard]] virtual std::size_t choose(std::int64_t column,
                                           std::span<const double> weights) = 0;
  // How many deviations from its mean a normal variable is.
  [[nodiscard]] virtual double deviations(std::int64_t column) = 0;
};

// The first of the largest.
class LargestChoice final : public Chooser {
 public:
  [[nodiscard]] std::size_t choose(std::int64_t column, std::span<const double> weights) override;
  [[nodiscard]] double deviations(std::int64_t) override { return 0; }
};

// In proportion to the weights, by each column's own draws.
class DrawnChoice final : public Chooser {
 public:
  explicit DrawnChoice(std::vector<DrawCursor> draws) : draws_(std::move(draws)) {}
  [[nodiscard]] std::size_t choose(std::int64_t column, std::span<const double> weights) override;
  [[nodiscard]] double deviations(std::int64_t column) override;

 private:
  std::vector<DrawCursor> draws_;  // by column
  std::vector<double> sums_;
};

// Columns whose evidence is impossible keep their missing values. A hidden style is chosen first.
template <typename T>
class Paths final : public WayDown<T> {
 public:
  // `filled` begins as the rows that the pass goes over, and `chooser` is asked by their number.
  Paths(Chooser& chooser, Columns& filled) : chooser_(chooser), filled_(filled) {}

  void begin(const Work<T>& work) override;
  void visit(const Work<T>& work, int b, const StepView& at) override;
  void end_step(const Work<T>& work, const StepView& at) override;

  // Of a chain: the node of `carried` at each step, [steps, columns]; -1 behind the end of a row.
  [[nodiscard]] const std::vector<std::int64_t>& states() const { return states_; }

 private:
  void choose_styles(const Work<T>& work);
  void follow_sum(const Work<T>& work, int b, std::int64_t column);
  void follow_mixing(const Work<T>& work, int b, std::int64_t column);
  void follow_product(const Work<T>& work, int b, std::int64_t column);
  void fill_leaf(const Work<T>& work, int b, const StepView& at, std::int64_t column);
  void reach_input(const Work<T>& work, int b, std::int64_t column, std::int64_t input);
  [[nodiscard]] std::int64_t& node(int b, std::int64_t column);

  Chooser& chooser_;
  Columns& filled_;
  std::int64_t columns_ = 0, of_row_ = 1;         // columns of each row, of which one is on the way
  std::vector<std::vector<std::int64_t>> nodes_;  // by block and column; -1: not on the way
  std::vector<double> weights_;
  std::vector<std::int64_t> states_;
};

}  // namespace logpx::pc
