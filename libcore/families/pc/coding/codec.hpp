// Lossless coding by a circuit: each symbol by its exact probability given those before it.
// [pc/README 10; codec/README]
#pragma once

#include "libcore/codec/next_symbol.hpp"
#include "libcore/codec/sequence.hpp"
#include "libcore/data/ycocg.hpp"
#include "libcore/families/pc/coding/filter.hpp"
#include "libcore/families/pc/styles/style_mixture.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace logpx::pc {

// The distribution of a row's next symbol while its style is unknown: filters of all styles go in
// step, each weighed by the probability that it gave the row so far.   [pc/README 10.4]
//
//   p(x_i|x_<i) = sum over c of share_c p_c(x_i|x_<i),   share_c ~ prior_c prod_(j<i) p_c(x_j|x_<j)
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

class PcModel;

// Turns items into symbols of a circuit in the order of coding; where rows have styles, an item's
// style comes first.
class CircuitCoding final : public codec::SequenceCoding {
 public:
  struct Parts {
    const PassPlan& passes;  // outlives the coding
    std::vector<double> theta;
    // By symbol of an item: its variable of the circuit, counted through all steps.
    std::vector<std::size_t> variables;
    // How the circuit reads pictures, whose symbols are then its variables in order; unset: by
    // their bytes.
    std::optional<PictureSymbols> colours = {};
  };
  explicit CircuitCoding(Parts parts);

  [[nodiscard]] std::size_t item_size() const override { return places_.size(); }
  void to_symbols(std::span<const std::uint8_t> item,
                  std::span<std::uint32_t> symbols) const override;
  [[nodiscard]] bool to_item(std::span<const std::uint32_t> symbols,
                             std::span<std::uint8_t> item) const override;
  [[nodiscard]] std::size_t symbols_in(std::size_t bytes) const override { return bytes + first(); }
  [[nodiscard]] bool carries() const override { return passes_.circuit().chained() && !styles_; }
  [[nodiscard]] std::unique_ptr<codec::SequenceState> start() const override;
  [[nodiscard]] std::unique_ptr<codec::NextSymbol> next_symbol() const override;

 private:
  [[nodiscard]] std::size_t first() const { return styles_ ? 1 : 0; }
  // A state that reads the bytes of an item as they lie; null if there is none.
  [[nodiscard]] std::unique_ptr<codec::SequenceState> state_in_order() const;
  const PassPlan& passes_;
  std::optional<StyleChoice> styles_;
  std::optional<PictureSymbols> colours_;
  FilterNumbers numbers_;
  FilterPlan plan_;
  std::vector<std::size_t> places_;  // in an item or its colours, in the order of coding
  std::vector<int> variables_;       // of the symbols of an item
  // The plan in the order of an item's bytes; made on first use.
  mutable std::once_flag reading_begins_ = {};
  mutable std::optional<FilterPlan> reading_ = {};
};

// Refers to the model. Its plan() throws an error that says why a model cannot code.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const PcModel& model);

}  // namespace logpx::pc
