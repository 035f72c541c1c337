#include "tests/support/scheme_check.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace logpx {

using codec::Costs;
using codec::Message;

std::vector<std::uint8_t> random_symbols(std::size_t count, std::uint32_t alphabet) {
  Cursor random(Rng(7).stream(Stream::test, 700));
  std::vector<std::uint8_t> symbols(count);
  for (std::uint8_t& symbol : symbols) symbol = static_cast<std::uint8_t>(random.below(alphabet));
  return symbols;
}

void check_inverse(const codec::Scheme& scheme, std::span<const std::uint8_t> items) {
  for (const int lanes : {1, 2, 4, 8})
    for (const int filled : {0, 400}) {
      CAPTURE(lanes);
      CAPTURE(filled);
      Message message(lanes);
      Cursor random(Rng(7).stream(Stream::test, 701));
      for (int i = 0; i < filled; ++i) message.push_bits(random.word() >> 4, 28, i % lanes);
      const Message before = message;
      Costs costs;
      scheme.encode(message, items, 5, costs);
      CHECK(costs.total() == doctest::Approx(message.bits() - before.bits()).epsilon(1e-9));
      Message read = Message::parse(message.serialise(), lanes);
      std::vector<std::uint8_t> decoded(items.size());
      scheme.decode(read, decoded, 5);
      CHECK(decoded == std::vector<std::uint8_t>(items.begin(), items.end()));
      if (filled == 0) {
        read.check_end(message.borrowed());
      } else {
        CHECK(message.borrowed() == 0);
        CHECK(read.words() == before.words());
        for (int lane = 0; lane < lanes; ++lane) CHECK(read.state(lane) == before.state(lane));
      }
    }
}

void check_length(const codec::Scheme& scheme, std::span<const std::uint8_t> items,
                  double tolerance) {
  constexpr double ln2 = 0.6931471805599453;
  const std::size_t size = scheme.item_size(), count = items.size() / size;
  std::vector<double> nats(count);
  scheme.score(items, Rng(3), 0, nats);
  Cursor random(Rng(7).stream(Stream::test, 702));
  double bound = 0, excess = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Message message(1);
    for (int word = 0; word < 50; ++word) message.push_bits(random.word() >> 4, 28);
    const double before = message.bits();
    Costs costs;
    scheme.encode(message, items.subspan(i * size, size), 0, costs);
    const double more = message.bits() - before + nats[i] / ln2;
    bound -= nats[i] / ln2;
    excess += more;
    squares += more * more;
  }
  const auto n = static_cast<double>(count);
  const double mean = excess / n, error = std::sqrt((squares / n - mean * mean) / n);
  CAPTURE(bound / n);
  CAPTURE(mean);
  CAPTURE(error);
  CHECK(std::fabs(mean) < tolerance * bound / n + 5 * error);
}

}  // namespace logpx
