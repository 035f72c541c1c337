#include "libcore/codec/static_table.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/random_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::static_table_test {

using namespace logpx::codec;

namespace {

// Symbols as likely as the table says.
std::vector<std::uint8_t> draws(const Table& table, std::size_t count) {
  Cursor random(Rng(7).stream(Stream::test, 900));
  std::vector<std::uint8_t> symbols(count);
  for (std::uint8_t& s : symbols)
    s = static_cast<std::uint8_t>(table.find(random.word() >> (32 - table.precision())));
  return symbols;
}

std::vector<double> weights(std::size_t count, double spread) {
  std::vector<double> w = random_values<double>(901, count);
  for (double& v : w) v = std::exp(spread * v);
  return w;
}

}  // namespace

TEST_CASE("static table: the message is that of one symbol after another, both ways") {
  for (const auto& [symbols, spread, precision] :
       {std::tuple{256u, 2.0, 12}, std::tuple{256u, 5.0, 16}, std::tuple{2u, 3.0, 16},
        std::tuple{1u, 0.0, 4}, std::tuple{27u, 1.0, 8}}) {
    const Table table = Table::leaky(weights(symbols, spread), precision);
    const StaticTable fast(table);
    for (const int lanes : {1, 2, 4, 8})
      for (const std::size_t count : {0u, 1u, 7u, 1000u, 40'003u}) {
        const auto data = draws(table, count);
        Message slow_message(lanes), fast_message(lanes);
        push_vector(slow_message, std::span<const std::uint8_t>(data),
                    [&](std::size_t) -> const Table& { return table; });
        fast.push(fast_message, data);
        REQUIRE(fast_message == slow_message);
        Message read = Message::parse(fast_message.serialise(), lanes);
        std::vector<std::uint8_t> popped(count);
        fast.pop(read, popped);
        REQUIRE(popped == data);
        read.check_end(0);
      }
  }
}

TEST_CASE("static table: every frequency divides as the processor does") {
  // Frequencies 1, 2, 3 ... up to 255 and the rest.
  std::vector<double> w;
  for (int f = 1; f < 256; ++f) w.push_back(f);
  w.push_back(65536 - 255.0 * 128);
  const Table table = Table::posterior(w, 16);
  const StaticTable fast(table);
  Cursor random(Rng(7).stream(Stream::test, 902));
  std::vector<std::uint8_t> data(50'000);
  for (std::uint8_t& v : data) v = static_cast<std::uint8_t>(random.below(256));
  Message slow_message(1), fast_message(1);
  push_vector(slow_message, std::span<const std::uint8_t>(data),
              [&](std::size_t) -> const Table& { return table; });
  fast.push(fast_message, data);
  CHECK(fast_message == slow_message);
}

TEST_CASE("static table: symbols without probability and short messages are refused") {
  const StaticTable table(Table::posterior(std::vector<double>{1, 0, 3}, 12));
  Message message(4);
  CHECK_THROWS_AS(table.push(message, std::vector<std::uint8_t>{0, 1}), Error);
  CHECK_THROWS_AS(table.push(message, std::vector<std::uint8_t>{0, 3}), Error);
  CHECK(message == Message(4));
  table.push(message, std::vector<std::uint8_t>{0, 2, 2, 0, 2});
  Message read = Message::parse(message.serialise(), 4);
  std::vector<std::uint8_t> more(400);
  CHECK_THROWS_AS(table.pop(read, more), Error);
}

}  // namespace logpx::static_table_test
