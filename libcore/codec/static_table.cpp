#include "libcore/codec/static_table.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace logpx::codec {
namespace {

__extension__ typedef unsigned __int128 Wide;

std::uint64_t high_word(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
}

}  // namespace

StaticTable::StaticTable(const Table& table) : table_(table), encoded_(256) {
  const int precision = table.precision();
  LOGPX_ASSERT(table.n() <= 256 && precision >= 1 && precision <= 16);
  const std::uint32_t total = 1u << precision;
  decoded_.resize(total);
  symbol_.resize(total);
  for (std::uint32_t symbol = 0; symbol < table.n(); ++symbol) {
    const Slot slot = slot_of(table, symbol);
    const std::uint32_t f = slot.frequency;
    Encoded& e = encoded_[symbol];
    e = {.limit = std::uint64_t{f} << (63 - precision),
         .reciprocal = ~std::uint64_t{0},
         .bias = slot.start,
         .rest = total - f,
         .shift = 0,
         .frequency = f};
    if (f == 1) e.bias = slot.start + total - 1;  // the product gives x - 1
    if (f > 1) {
      // ceil(2^(63 + s) / f) with 2^(s-1) < f <= 2^s: exact for x < 2^63.
      const int s = static_cast<int>(std::bit_width(f - 1));
      e.reciprocal = static_cast<std::uint64_t>(((static_cast<Wide>(1) << (63 + s)) + f - 1) / f);
      e.shift = static_cast<std::uint32_t>(s - 1);
    }
    for (std::uint32_t part = 0; part < f; ++part) {
      decoded_[slot.start + part] = {static_cast<std::uint16_t>(f - 1),
                                     static_cast<std::uint16_t>(part)};
      symbol_[slot.start + part] = static_cast<std::uint8_t>(symbol);
    }
  }
}

// Words go to room made beforehand, one per symbol at most; no branch depends on the data.
template <int lanes>
void StaticTable::push_lanes(Message& message, std::span<const std::uint8_t> symbols) const {
  constexpr std::size_t chunk = 1 << 14;
  std::array<std::uint64_t, lanes> x;
  std::copy_n(message.states_.begin(), lanes, x.begin());
  const Encoded* const encoded = encoded_.data();
  std::size_t i = symbols.size();
  const auto step = [&](std::uint32_t*& to, std::size_t lane, std::uint8_t symbol) {
    const Encoded& e = encoded[symbol];
    std::uint64_t state = x[lane];
    *to = static_cast<std::uint32_t>(state);
    const bool spills = state >= e.limit;
    to += spills ? 1 : 0;
    state = spills ? state >> 32 : state;
    x[lane] = state + e.bias + (high_word(state, e.reciprocal) >> e.shift) * e.rest;
  };
  while (i > 0) {
    const std::size_t rest = i % chunk == 0 ? std::min(i, chunk) : i % chunk, begin = i - rest;
    const std::size_t used = message.words_.size();
    message.words_.resize(used + rest + 1);
    std::uint32_t* to = message.words_.data() + used;
    for (; i % lanes != 0 && i > begin; --i) step(to, (i - 1) % lanes, symbols[i - 1]);
    for (; i >= begin + lanes; i -= lanes)
#pragma GCC unroll 8
      for (std::size_t back = 1; back <= lanes; ++back) step(to, lanes - back, symbols[i - back]);
    message.words_.resize(static_cast<std::size_t>(to - message.words_.data()));
  }
  std::copy(x.begin(), x.end(), message.states_.begin());
}

// Goes on while there is a word for every symbol; gives how many symbols it has popped.
template <int lanes>
std::size_t StaticTable::pop_lanes(Message& message, std::span<std::uint8_t> symbols) const {
  std::array<std::uint64_t, lanes> x;
  std::copy_n(message.states_.begin(), lanes, x.begin());
  const int precision = table_.precision();
  const std::uint64_t mask = (std::uint64_t{1} << precision) - 1;
  const Decoded* const decoded = decoded_.data();
  const std::uint8_t* const symbol = symbol_.data();
  const std::uint32_t* const bottom = message.words_.data();
  const std::uint32_t* top = bottom + message.words_.size();
  std::size_t i = 0;
  for (; i + lanes <= symbols.size() && top - bottom >= lanes; i += lanes)
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::uint64_t state = x[lane];
      const std::uint64_t part = state & mask;
      const Decoded d = decoded[part];
      symbols[i + lane] = symbol[part];
      state = (std::uint64_t{d.frequency_less_one} + 1) * (state >> precision) + d.offset;
      const bool refills = state < Message::lowest;
      const std::uint64_t refilled = (state << 32) | top[-1];
      x[lane] = refills ? refilled : state;
      top -= refills ? 1 : 0;
    }
  message.words_.resize(static_cast<std::size_t>(top - bottom));
  std::copy(x.begin(), x.end(), message.states_.begin());
  return i;
}

void StaticTable::push(Message& message, std::span<const std::uint8_t> symbols) const {
  for (const std::uint8_t symbol : symbols)
    if (encoded_[symbol].frequency == 0)
      fail(ErrorKind::data, "",
           "symbol " + std::to_string(symbol) + " has no probability in a table of " +
               std::to_string(table_.n()));
  switch (message.lanes()) {
    case 1: return push_lanes<1>(message, symbols);
    case 2: return push_lanes<2>(message, symbols);
    case 4: return push_lanes<4>(message, symbols);
    default: return push_lanes<8>(message, symbols);
  }
}

void StaticTable::pop(Message& message, std::span<std::uint8_t> symbols) const {
  std::size_t done = 0;
  switch (message.lanes()) {
    case 1: done = pop_lanes<1>(message, symbols); break;
    case 2: done = pop_lanes<2>(message, symbols); break;
    case 4: done = pop_lanes<4>(message, symbols); break;
    default: done = pop_lanes<8>(message, symbols);
  }
  // A multiple of the lanes is done, so the rest starts at lane 0 like a vector of its own.
  pop_vector(message, symbols.subspan(done),
             [this](std::size_t) -> const Table& { return table_; });
}

}  // namespace logpx::codec
