// The distribution of a row's next symbol while its style is unknown: filters of all styles go in
// step, each weighed by the probability that it gave the row so far.   [pc/README 10.4]
//
//   p(x_i|x_<i) = sum over c of share_c p_c(x_i|x_<i),   share_c ~ prior_c prod_(j<i) p_c(x_j|x_<j)
#pragma once

#include "libcore/codec/next_symbol.hpp"
#include "libcore/codec/sequence.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::pc {

class StyleSymbols final : public codec::NextSymbol {
 public:
  // The first symbol of each item of `state` is its style; `item` others follow.
  StyleSymbols(std::unique_ptr<codec::SequenceState> state, std::size_t styles, std::size_t item);
  [[nodiscard]] std::span<const double> weights() override;
  void advance(std::uint32_t symbol) override;

 private:
  void begin();
  [[nodiscard]] std::span<const double> of_style(std::size_t style) const {
    const std::size_t levels = expected_.size() / shares_.size();
    return expected_.subspan(style * levels, levels);
  }

  std::unique_ptr<codec::SequenceState> state_;
  std::size_t item_, place_ = 0;
  std::span<const double> expected_ = {};  // [styles, levels]
  std::vector<double> shares_, sums_, mixed_ = {};
  std::vector<std::uint32_t> symbols_;
};

}  // namespace logpx::pc
