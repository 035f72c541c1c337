#include "libcore/codec/next_symbol.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/fp_environment.hpp"

#include <utility>

namespace logpx::codec {
SymbolAdviser::SymbolAdviser(std::unique_ptr<NextSymbol> model, Bytes bytes)
    : model_(std::move(model)), packed_row_(bytes.packed_row) {
  symbols_.fill(NextSymbol::unknown);
  const std::size_t levels = bytes.alphabet.empty() ? 256 : bytes.alphabet.size();
  for (std::uint32_t s = 0; s < levels; ++s)
    symbols_[bytes.alphabet.empty() ? s : static_cast<std::uint8_t>(bytes.alphabet[s])] = s;
}

// The coder's table of the model's symbols, and its running parts by byte.
void SymbolAdviser::look() {
  const det::FpEnvironment plain;
  looked_ = true;
  table_.assign_leaky(model_->weights(), precision);
  std::uint32_t sum = 0;
  const std::size_t bytes = packed_row_ == 0 ? 256 : 2;
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    sum += slot_of(table_, symbols_[byte]).frequency;
    before_[byte + 1] = sum;
  }
}

adaptive::Adviser::Odds SymbolAdviser::next() {
  if (packed_row_ != 0 && in_row_ >= packed_row_) return {};
  if (!looked_) look();
  if (packed_row_ != 0) return {.ones = before_[2] - before_[1], .all = before_[2]};
  const std::uint32_t middle = (low_ + high_) / 2;
  return {.ones = before_[high_] - before_[middle], .all = before_[high_] - before_[low_]};
}

void SymbolAdviser::came(std::uint32_t symbol) {
  const det::FpEnvironment plain;
  model_->advance(symbol);
  looked_ = false;
}

void SymbolAdviser::learn(int bit) {
  if (packed_row_ != 0) return learn_packed(bit);
  (bit ? low_ : high_) = (low_ + high_) / 2;
  if (high_ - low_ > 1) return;
  came(symbols_[low_]);
  low_ = 0;
  high_ = 256;
}

// Bits behind the end of a row fill up its last byte.
void SymbolAdviser::learn_packed(int bit) {
  if (in_row_ < packed_row_) came(static_cast<std::uint32_t>(bit));
  if (++in_row_ == (packed_row_ + 7) / 8 * 8) in_row_ = 0;
}

}  // namespace logpx::codec
