// Lossless coding by a circuit: each symbol exactly, by its probability given those before it.
// [spec/pc.md section 10]
#pragma once

#include "libcore/codec/sequence.hpp"
#include "libcore/families/pc/coding/filter.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::pc {

class PcModel;

// Its items as the symbols of a circuit, in the order of coding.
class CircuitCoding final : public codec::SequenceCoding {
 public:
  struct Parts {
    const PassPlan& passes;  // outlives it
    std::vector<double> theta;
    // Which of the circuit's variables each symbol of an item is, counted through all steps.
    std::vector<std::size_t> variables;
  };
  explicit CircuitCoding(Parts parts);

  [[nodiscard]] std::size_t item_size() const override { return places_.size(); }
  void to_symbols(std::span<const std::uint8_t> item,
                  std::span<std::uint32_t> symbols) const override;
  [[nodiscard]] bool to_item(std::span<const std::uint32_t> symbols,
                             std::span<std::uint8_t> item) const override;
  [[nodiscard]] bool carries() const override { return passes_.circuit().chained(); }
  [[nodiscard]] std::unique_ptr<codec::SequenceState> start() const override;

 private:
  const PassPlan& passes_;
  FilterNumbers numbers_;
  FilterPlan plan_;
  std::vector<std::size_t> places_;  // in an item, by the order of coding
};

// It refers to the model. Plans say why a model cannot code.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const PcModel& model);

}  // namespace logpx::pc
