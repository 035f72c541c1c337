// What a circuit expects of its next variable, given those before it in the order of coding, for
// several rows of data in step. All numbers are float64 by + - * / alone, every sum in ascending
// order: the same on every machine, and for any rows beside.   [spec/coding.md section 4.4]
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

// What a circuit computes with. Leaves that are no tables of their values have some here.
struct FilterNumbers {
  std::vector<double> theta;
  std::vector<std::vector<double>> tables = {};  // by block; empty where the parameters are one
};
[[nodiscard]] FilterNumbers filter_numbers(const PassPlan& passes, std::vector<double> theta);

class CircuitFilter final : public codec::SequenceState {
 public:
  static constexpr std::uint32_t unseen = 0xffffffff;  // in the place of a symbol: it is missing

  // All of them outlive it.
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
  // Scales the columns of y [rows, columns], whose largest numbers are known. Where all are 0, what
  // was seen was impossible: the column says nothing then.
  void scale(double* y, std::int64_t rows);
  // Of a leaf, [nodes, categories], in rows of the style of a column.
  [[nodiscard]] const double* table(int leaf, std::size_t column) const;
  void expect(const FilterAction& code, std::size_t items);
  // What a block that is coded or multiplied is made of, found once.
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
  std::int64_t levels_;       // of the variable that has most
  std::size_t columns_ = 0, next_ = 0;
  std::vector<double> arena_ = {}, room_ = {}, weights_ = {}, largest_ = {};
  std::vector<std::uint32_t> symbols_ = {};  // that came last
  std::vector<std::uint32_t> styles_ = {};   // of the columns, once they are known
  // While a symbol is observed: its value under the first node of each column, the columns that
  // have none, and what these had, where it is overwritten.
  std::vector<const double*> nodes_ = {};
  std::vector<std::size_t> unknown_ = {};
  std::vector<double> kept_ = {};
};

}  // namespace logpx::pc
