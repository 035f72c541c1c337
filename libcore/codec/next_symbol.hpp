// What a model expects of each symbol of a block given those before it; and the same as odds of
// bits, which the adaptive coder weighs together with its own.   [codec/README 5.3]
//
//   SymbolAdviser adviser(scheme.next_symbol(), {.alphabet = "abcdefghijklmnopqrstuvwxyz "});
//   const std::vector<std::byte> coded = adaptive::encode_advised(bytes, form, level, adviser);
#pragma once

#include "libcore/codec/adaptive/advice.hpp"
#include "libcore/codec/tables.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace logpx::codec {

// Numbers are float64 by + - * / alone. It starts at the beginning of a block and allocates nothing
// from then on. It need not know where the block ends.
class NextSymbol {
 public:
  static constexpr std::uint32_t unknown = 0xffffffff;  // not a symbol of the model

  virtual ~NextSymbol() = default;
  // Weights by symbol, at least 0, up to a factor. Valid until advance.
  [[nodiscard]] virtual std::span<const double> weights() = 0;
  virtual void advance(std::uint32_t symbol) = 0;  // that came, after weights()
};

class SymbolAdviser final : public adaptive::Adviser {
 public:
  struct Bytes {
    std::string alphabet = {};   // the byte of each symbol; empty: its number
    std::size_t packed_row = 0;  // not 0: bits, eight to a byte; each row of so many starts a byte
  };
  SymbolAdviser(std::unique_ptr<NextSymbol> model, Bytes bytes);

  [[nodiscard]] Odds next() override;
  void learn(int bit) override;

 private:
  static constexpr int precision = 24;

  void look();
  void came(std::uint32_t symbol);
  void learn_packed(int bit);

  std::unique_ptr<NextSymbol> model_;
  std::size_t packed_row_, in_row_ = 0;
  std::array<std::uint32_t, 256> symbols_;   // by byte
  std::array<std::uint32_t, 257> before_{};  // parts of the table that belong to smaller bytes
  SummedTable table_;
  std::uint32_t low_ = 0, high_ = 256;  // bytes that begin like this one
  bool looked_ = false;
};

}  // namespace logpx::codec
