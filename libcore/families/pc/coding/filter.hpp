// The distribution of a circuit's next variable, given those before it in the order of coding, for
// several rows of data in step. All numbers are float64 by + - * / alone, every sum in ascending
// order: the same on every machine and for any number of rows.   [pc/README 10.2]
//
//   CircuitFilter filter(passes, plan, numbers);
//   filter.begin(64);         // where rows have styles, the first symbol is that of the style
//   const std::span<const double> weights = filter.weights(64);   // of the plan's first variable
//   filter.advance(symbols);
#pragma once

#include "libcore/codec/sequence.hpp"
#include "libcore/families/pc/coding/filter_plan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// Numbers of a circuit. Leaves that are not tables have tables of their probabilities here.
struct FilterNumbers {
  std::vector<double> theta;
  std::vector<std::vector<double>> tables = {};  // by block; empty if the parameters are the table
};
[[nodiscard]] FilterNumbers filter_numbers(const PassPlan& passes, std::vector<double> theta);

class CircuitFilter final : public codec::SequenceState {
 public:
  static constexpr std::uint32_t unseen = 0xffffffff;  // in place of a missing symbol

  // The arguments outlive it.
  CircuitFilter(const PassPlan& passes, const FilterPlan& plan, const FilterNumbers& numbers);

  void begin(std::size_t items) override;
  [[nodiscard]] std::span<const double> weights(std::size_t items) override;
  void advance(std::span<const std::uint32_t> symbols) override;

 private:
  [[nodiscard]] bool has_styles() const { return passes_.circuit().styles > 1; }
  [[nodiscard]] std::span<const double> style_weights(std::size_t items);
  void run(const FilterAction& action);
  void multiply(const FilterAction& action);
  void tell(const FilterAction& action);
  void observe(const FilterAction& action);
  void meet(const FilterAction& action);
  void fold(const FilterAction& action);
  void join(const FilterAction& action);
  // Scales the columns of y [rows, columns]. A column of zeros (what was seen was impossible)
  // becomes uninformative.
  void scale(double* y, std::int64_t rows);
  // The table of a leaf, [nodes, categories], for the style of a column.
  [[nodiscard]] const double* table(int leaf, std::size_t column) const;
  void expect(const FilterAction& code, std::size_t items);
  // Parts of a block that is coded or multiplied, found once.
  struct Parts {
    std::vector<int> leaves = {};
    std::int64_t categories = 0;
    std::vector<const double*> tensors = {};
  };
  void find_parts(const std::vector<FilterAction>& actions);
  [[nodiscard]] const Parts& parts(int block) const {
    return parts_[static_cast<std::size_t>(block)];
  }
  [[nodiscard]] double* at_row(std::int64_t row);

  const PassPlan& passes_;
  const FilterPlan& plan_;
  const FilterNumbers& numbers_;
  std::vector<Parts> parts_;  // by block
  std::int64_t levels_;       // of the variable with most of them
  std::size_t columns_ = 0, next_ = 0;
  std::vector<double> arena_ = {}, room_ = {}, weights_ = {}, largest_ = {};
  std::vector<std::uint32_t> symbols_ = {};  // of the last advance()
  std::vector<std::uint32_t> styles_ = {};   // by column, once they are known
  // While a symbol is observed: by column its value under the first node; the columns without a
  // symbol, and their numbers before they are overwritten.
  std::vector<const double*> nodes_ = {};
  std::vector<std::size_t> unknown_ = {};
  std::vector<double> kept_ = {};
};

}  // namespace logpx::pc
