#include "libcore/codec/rans.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

namespace logpx::rans_test {

using namespace logpx::codec;

namespace {

// One random coding step: a symbol of a random slot, or one of m.
struct Step {
  Slot slot;
  int precision = 0, lane = 0;
  std::uint32_t m = 0, symbol = 0;  // m > 0: uniform

  void push(Message& message) const {
    if (m > 0) message.push_uniform(symbol, m, lane);
    else message.push(slot, precision, lane);
  }
  // What was popped: pushing it restores the message.
  [[nodiscard]] Step pop(Message& message) const {
    Step popped = *this;
    if (m > 0) {
      popped.symbol = message.pop_uniform(m, lane);
      return popped;
    }
    const std::uint32_t peek = message.peek(precision, lane);
    const std::uint32_t total = 1u << precision, end = slot.start + slot.frequency;
    if (peek < slot.start) popped.slot = {0, slot.start};
    else if (peek >= end) popped.slot = {end, total - end};
    message.pop(popped.slot, precision, lane);
    return popped;
  }
};

Step random_step(Cursor& random, int lanes) {
  Step step;
  step.lane = static_cast<int>(random.below(static_cast<std::uint32_t>(lanes)));
  if (random.below(3) == 0) {
    step.m = 1 + random.below((1u << (1 + random.below(31))) - 1);
    step.symbol = random.below(step.m);
    return step;
  }
  step.precision = 1 + static_cast<int>(random.below(28));
  const std::uint32_t total = 1u << step.precision;
  step.slot.start = random.below(3) == 0 ? 0 : random.below(total);
  step.slot.frequency = 1 + random.below(total - step.slot.start);
  if (random.below(3) == 0) step.slot.frequency = 1;
  return step;
}

std::vector<Step> random_steps(std::uint32_t sub, int lanes, int count) {
  Cursor random(Rng(7).stream(Stream::test, sub));
  std::vector<Step> steps;
  for (int i = 0; i < count; ++i) steps.push_back(random_step(random, lanes));
  return steps;
}

std::string message_of(const Error& error) { return error.message(); }

}  // namespace

TEST_CASE("rans: pop undoes push for every symbol, precision, lane and m") {
  for (const int lanes : {1, 2, 4, 8}) {
    const auto steps = random_steps(static_cast<std::uint32_t>(lanes), lanes, 20'000);
    Message message(lanes);
    for (const Step& step : steps) step.push(message);
    Message read = Message::parse(message.serialise(), lanes);
    for (std::size_t i = steps.size(); i-- > 0;) {
      const Step popped = steps[i].pop(read);
      REQUIRE(popped.slot.start == steps[i].slot.start);
      REQUIRE(popped.symbol == steps[i].symbol);
    }
    read.check_end(message.borrowed());
  }
}

TEST_CASE("rans: push undoes pop, and what was borrowed is found again at the end") {
  for (const int lanes : {1, 8}) {
    const auto steps = random_steps(100 + static_cast<std::uint32_t>(lanes), lanes, 5'000);
    Message message(lanes);
    std::vector<Step> popped;
    for (const Step& step : steps) popped.push_back(step.pop(message));
    CHECK(message.borrowed() > 0);
    Message read = Message::parse(message.serialise(), lanes);
    for (std::size_t i = popped.size(); i-- > 0;) popped[i].push(read);
    read.check_end(message.borrowed());
  }
}

TEST_CASE("rans: random pushes and pops undone in reverse give the first message back") {
  const auto steps = random_steps(200, 4, 20'000);
  Cursor random(Rng(7).stream(Stream::test, 201));
  Message message(4);
  std::vector<std::pair<bool, Step>> done;
  for (const Step& step : steps) {
    const bool pushes = random.below(2) == 0;
    done.emplace_back(pushes, pushes ? step : step.pop(message));
    if (pushes) step.push(message);
  }
  Message read = Message::parse(message.serialise(), 4);
  for (std::size_t i = done.size(); i-- > 0;) {
    if (!done[i].first) done[i].second.push(read);
    else REQUIRE(done[i].second.pop(read).symbol == done[i].second.symbol);
  }
  read.check_end(message.borrowed());
}

TEST_CASE("rans: a message has the length of its information") {
  for (const int precision : {12, 24}) {
    Message message(1);
    double information = 0;
    Cursor random(Rng(7).stream(Stream::test, 300));
    for (int i = 0; i < 100'000; ++i) {
      const std::uint32_t total = 1u << precision, f = 1 + random.below(total - 1);
      message.push({random.below(total - f + 1), f}, precision);
      information += precision - std::log2(f);
    }
    CHECK(message.bits() == doctest::Approx(information).epsilon(1e-6));
    CHECK(static_cast<double>(message.serialised_bytes()) * 8 < information + 160);
  }
  // Near m = 2^31 a folded state has few bits, and their information wanders by parts of a bit.
  for (const auto& [m, tolerance] : {std::pair{1'000'003u, 1e-6}, std::pair{0x7fffffffu, 2e-5}}) {
    Message message(1);
    Cursor random(Rng(7).stream(Stream::test, 301));
    for (int i = 0; i < 10'000; ++i) message.push_uniform(random.below(m), m);
    CHECK(message.bits() == doctest::Approx(10'000 * std::log2(m)).epsilon(tolerance));
  }
}

TEST_CASE("rans: a symbol of probability one costs nothing") {
  Message message(2);
  message.push({0, 1u << 28}, 28, 1);
  message.push_uniform(0, 1);
  CHECK(message == Message(2));
}

TEST_CASE("rans: a decoder refuses an exhausted message and impossible symbols as corrupt data") {
  Message read = Message::parse(Message(1).serialise(), 1);
  const auto said = [](auto&& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      return message_of(error);
    }
    return "nothing";
  };
  CHECK(said([&] { read.pop({0, 1}, 16); }) == "corrupt data: message exhausted");
  const std::string impossible = "corrupt data: a symbol that the model gives no probability";
  read = Message::parse(Message(1).serialise(), 1);
  CHECK(said([&] { read.push({5, 0}, 16); }) == impossible);
  CHECK(said([&] { read.push({5, 65532}, 16); }) == impossible);
  CHECK(said([&] { read.push({65536, 1}, 16); }) == impossible);
  CHECK(said([&] { read.pop({5, 1}, 16); }) == impossible);
  CHECK(said([&] { read.push_uniform(7, 7); }) == impossible);
  CHECK(read == Message::parse(Message(1).serialise(), 1));
}

TEST_CASE("rans: an encoder that gives a symbol no probability is an internal error") {
  Message message(1);
  CHECK_THROWS_AS(message.push({5, 0}, 16), Error);
  CHECK_THROWS_AS(message.push({1, 0xffffffffu}, 16), Error);
}

TEST_CASE("rans: a message is refused when lanes, states or the count of words are impossible") {
  Message message(2);
  for (std::uint32_t i = 0; i < 50; ++i) message.push({i, 1}, 16, static_cast<int>(i % 2));
  const std::vector<std::byte> good = message.serialise();
  CHECK(Message::parse(good, 2).serialise() == good);
  CHECK(good.size() == message.serialised_bytes());
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK_THROWS_AS((void)Message::parse(std::span(good).first(length), 2), Error);
  CHECK_THROWS_AS((void)Message::parse(good, 1), Error);
  CHECK_THROWS_AS((void)Message::parse(good, 3), Error);
  auto high = good, low = good, longer = good;
  high[7] |= std::byte{0x80};
  for (std::size_t i = 4; i < 8; ++i) low[i] = std::byte{0};
  low[3] = std::byte{0x7f};
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS((void)Message::parse(high, 2), Error);
  CHECK_THROWS_AS((void)Message::parse(low, 2), Error);
  CHECK_THROWS_AS((void)Message::parse(longer, 2), Error);
}

TEST_CASE("rans: the end check notices any other state, word or count") {
  Message message(2);
  (void)message.pop_bits(28);
  (void)message.pop_bits(28);
  REQUIRE(message.borrowed() > 0);
  Message whole = Message::parse(message.serialise(), 2);
  CHECK_THROWS_AS(whole.check_end(message.borrowed()), Error);  // not pushed back
  Message fresh = Message::parse(Message(2).serialise(), 2);
  fresh.check_end(0);
  CHECK_THROWS_AS(fresh.check_end(1), Error);
}

TEST_CASE("rans: steps on hostile states end in a value or in corrupt data") {
  Cursor random(Rng(7).stream(Stream::test, 400));
  for (int round = 0; round < 300; ++round) {
    std::vector<std::byte> bytes(2 * 8 + 4 + 4 * 5);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    for (const std::size_t state : {7u, 15u})
      bytes[state] = static_cast<std::byte>(random.below(128));
    bytes[16] = std::byte{5};
    bytes[17] = bytes[18] = bytes[19] = std::byte{0};
    try {
      Message message = Message::parse(bytes, 2);
      for (const Step& step : random_steps(401, 2, 200)) (void)step.pop(message);
      CHECK(false);  // 36 bytes do not hold 200 symbols
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
    }
  }
}

TEST_CASE("rans: what is stirred can be unstirred, whatever the state and the precision") {
  Cursor random(Rng(3).stream(Stream::test, 9));
  Message message(2);
  for (int i = 0; i < 4000; ++i) {
    const int bits = 1 + i % most_precision, lane = i % 2;
    message.push_bits(random.word() >> 8, 24, lane);
    const Message before = message;
    message.stir(bits, lane);
    CHECK(message.state(lane) >= Message::lowest);
    CHECK((message.state(lane) >> bits) == (before.state(lane) >> bits));
    Message back = message;
    back.unstir(bits, lane);
    CHECK(back == before);
    back.unstir(bits, lane);
    back.stir(bits, lane);
    CHECK(back == before);
  }
}

// Draws between pushes, as bits back makes them: a draw frees what its symbol costs.
TEST_CASE("rans: stirring before draws costs nothing") {
  constexpr int precision = 26, draws = 200000;
  constexpr std::uint32_t part = 1u << 21;  // 5 bits
  Cursor random(Rng(3).stream(Stream::test, 10));
  Message message;
  const double before = message.bits();
  for (int i = 0; i < draws; ++i) {
    message.push_bits(random.word() >> 6, precision);
    message.stir(precision);
    const std::uint32_t start = message.peek(precision) / part * part;
    message.pop({start, part}, precision);
  }
  CHECK(message.bits() - before == doctest::Approx((precision - 5.0) * draws).epsilon(1e-5));
}

}  // namespace logpx::rans_test
