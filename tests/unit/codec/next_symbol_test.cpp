// A model's symbols as odds of bits, and the adaptive coder with such an adviser.
#include "libcore/codec/next_symbol.hpp"

#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace logpx::next_symbol_test {

using namespace logpx::codec;
using adaptive::Adviser;

namespace {

using Values = std::vector<std::uint8_t>;

// A chain of symbols: after s comes most likely s + 1, then s + 2.
class Cycle final : public NextSymbol {
 public:
  explicit Cycle(std::size_t levels) : weights_(levels) {}
  [[nodiscard]] std::span<const double> weights() override {
    for (std::size_t i = 0; i < weights_.size(); ++i)
      weights_[(last_ + 1 + i) % weights_.size()] = i == 0 ? 0.7 : i == 1 ? 0.2 : 0.1 / 25;
    return weights_;
  }
  void advance(std::uint32_t symbol) override { last_ = symbol == unknown ? 0 : symbol; }

 private:
  std::vector<double> weights_;
  std::size_t last_ = 0;
};

const std::string letters = "qwertyuiop asdfghjklzxcvbnm";  // not in the order of the bytes

SymbolAdviser adviser_of(SymbolAdviser::Bytes bytes) {
  const std::size_t levels = bytes.packed_row > 0      ? 2
                             : !bytes.alphabet.empty() ? bytes.alphabet.size()
                                                       : 256;
  return SymbolAdviser(std::make_unique<Cycle>(levels), std::move(bytes));
}

// The parts of a byte by the odds of its bits.
double chance_of_byte(Adviser& adviser, unsigned byte) {
  double chance = 1;
  for (int shift = 7; shift >= 0; --shift) {
    const auto [ones, all] = adviser.next();
    const bool bit = (byte >> shift & 1) != 0;
    if (all > 0) chance *= static_cast<double>(bit ? ones : all - ones) / all;
    adviser.learn(bit);
  }
  return chance;
}

// Letters that the chain draws.
std::string drawn_letters(std::size_t count) {
  Cursor random(Rng(5).stream(Stream::test, 512));
  std::string text;
  std::size_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t u = random.below(100);
    last = (last + (u < 70 ? 1 : u < 90 ? 2 : 3 + random.below(25))) % letters.size();
    text += letters[last];
  }
  return text;
}
Values values_of(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("mixed: the odds of the bits of a byte make the part that its symbol has of the table") {
  Cycle model(letters.size());
  SummedTable table;
  table.assign_leaky(model.weights(), 24);
  for (std::uint32_t s = 0; s < letters.size(); ++s) {
    SymbolAdviser adviser = adviser_of({.alphabet = letters});
    const double part = slot_of(table, s).frequency / 0x1p24;
    CHECK(chance_of_byte(adviser, static_cast<std::uint8_t>(letters[s])) ==
          doctest::Approx(part).epsilon(1e-12));
  }
}

TEST_CASE("mixed: each symbol is expected after the one before it") {
  SymbolAdviser adviser = adviser_of({.alphabet = letters});
  for (std::size_t s = 1; s < letters.size(); ++s)
    CHECK(chance_of_byte(adviser, static_cast<std::uint8_t>(letters[s])) ==
          doctest::Approx(0.7).epsilon(1e-4));
}

TEST_CASE("mixed: a byte outside the alphabet has no part, and nothing is expected of its bits") {
  SymbolAdviser adviser = adviser_of({.alphabet = letters});
  CHECK(chance_of_byte(adviser, 0) == 0);
  CHECK(chance_of_byte(adviser, 'w') > 0.6);  // it goes on afterwards
  // Where a byte has left the alphabet, there are no odds for its further bits.
  for (int i = 0; i < 8; ++i) {
    const auto [ones, all] = adviser.next();
    CHECK(ones <= all);
    if (i > 0) CHECK(all == 0);
    adviser.learn(1);
  }
}

TEST_CASE("mixed: packed rows have a symbol a bit, and their last byte is filled up") {
  SymbolAdviser adviser = adviser_of({.packed_row = 11});
  unsigned last = 0;
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 16; ++i) {
      const auto [ones, all] = adviser.next();
      if (i >= 11) {
        CHECK(all == 0);
        adviser.learn(0);
        continue;
      }
      CHECK(all <= 1u << 24);
      CHECK((2 * ones > all) == (last == 0));  // the other value is the likely one
      last = static_cast<unsigned>(row + i) % 2;
      adviser.learn(static_cast<int>(last));
    }
}

TEST_CASE("mixed: what a model knows makes the code shorter, by nearly all that it knows") {
  const Values data = values_of(drawn_letters(20'000));
  SymbolAdviser before = adviser_of({.alphabet = letters}),
                after = adviser_of({.alphabet = letters});
  SymbolAdviser alone = adviser_of({.alphabet = letters});
  double bits = 0;
  for (const std::uint8_t byte : data) bits -= std::log2(chance_of_byte(alone, byte));
  const auto coded = adaptive::encode_advised(data, {}, adaptive::Level::normal, before);
  const std::size_t unadvised = adaptive::encode(data, {}, adaptive::Level::normal).size();
  CHECK(adaptive::decode_advised(coded, data.size(), {}, adaptive::Level::normal, after) == data);
  CHECK(static_cast<double>(coded.size()) * 8 < 1.05 * bits);
  CHECK(coded.size() < unadvised);
}

TEST_CASE("mixed: a model that is wrong costs little") {
  Values data = values_of(drawn_letters(20'000));
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i % 23 * 11);
  SymbolAdviser adviser = adviser_of({}), again = adviser_of({});
  const auto coded = adaptive::encode_advised(data, {}, adaptive::Level::best, adviser);
  CHECK(coded.size() < adaptive::encode(data, {}, adaptive::Level::best).size() + 60);
  CHECK(adaptive::decode_advised(coded, data.size(), {}, adaptive::Level::best, again) == data);
}

TEST_CASE("mixed: rasters of bits, and any bytes, come back from what is coded with an adviser") {
  Cursor random(Rng(6).stream(Stream::test, 513));
  Values data(2'000);
  for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random.below(256));
  const adaptive::Form forms[] = {
      {adaptive::Kind::bits, 2}, {adaptive::Kind::grey, 20}, {adaptive::Kind::records, 10}};
  for (const adaptive::Form& form : forms)
    for (const std::size_t packed : {0, 11, 16}) {
      SymbolAdviser adviser = adviser_of({.packed_row = packed}),
                    again = adviser_of({.packed_row = packed});
      const auto coded = adaptive::encode_advised(data, form, adaptive::Level::normal, adviser);
      CHECK(adaptive::decode_advised(coded, data.size(), form, adaptive::Level::normal, again) ==
            data);
    }
}

}  // namespace logpx::next_symbol_test
