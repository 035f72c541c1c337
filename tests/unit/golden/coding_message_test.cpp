// The coder's states and words, bit for bit as in tests/golden/coding.json.
#include "libcore/codec/fallback.hpp"
#include "libcore/codec/rans.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_message.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::coding_message_test {

using namespace logpx::codec;

TEST_CASE("golden/coding/rans") {
  const Json* cases = golden::field("coding", "rans");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const auto lanes = static_cast<int>(item.at("lanes").integer());
    const auto precision = static_cast<int>(item.at("r").integer());
    const auto bounds = golden::words_of(item.at("F"));
    const auto symbols = golden::words_of(item.at("symbols"));
    Message message(lanes);
    for (std::size_t i = symbols.size(); i-- > 0;) {
      const Slot slot{bounds[symbols[i]], bounds[symbols[i] + 1] - bounds[symbols[i]]};
      message.push(slot, precision, static_cast<int>(i % static_cast<std::size_t>(lanes)));
    }
    for (int lane = 0; lane < lanes; ++lane)
      CHECK(std::to_string(message.state(lane)) ==
            item.at("states").at(static_cast<std::size_t>(lane)).string());
    CHECK(message.words() == golden::words_of(item.at("words")));
    CHECK(golden::hex_of(message.serialise()) == item.at("serialized_hex").string());
  }
}

TEST_CASE("golden/coding/uniform") {
  const Json* cases = golden::field("coding", "uniform");
  if (!cases) return;
  for (const Json& item : cases->items()) {
    const auto m = static_cast<std::uint32_t>(item.at("M").integer());
    const auto symbols = golden::words_of(item.at("symbols"));
    Message message(1);
    for (std::size_t i = symbols.size(); i-- > 0;) message.push_uniform(symbols[i], m);
    golden::check_message(message, item, "state");
    Message read = Message::parse(message.serialise(), 1);
    for (const std::uint32_t symbol : symbols) CHECK(read.pop_uniform(m) == symbol);
    read.check_end(message.borrowed());
  }
}

TEST_CASE("golden/coding/seed_words") {
  const Json* words = golden::field("coding", "seed_words");
  if (!words) return;
  const auto expected = golden::words_of(*words);
  for (std::uint32_t i = 0; i < expected.size(); ++i) CHECK(seed_word(i) == expected[i]);
}

TEST_CASE("golden/coding/fallback_bytes") {
  const Json* item = golden::field("coding", "fallback_bytes");
  if (!item) return;
  const std::string& text = item->at("text").string();
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  Message message(1);
  push_fallback(message, bytes, {});
  golden::check_message(message, *item, "state");
  CHECK(golden::hex_of(message.serialise()) == item->at("serialized_hex").string());
  Message read = Message::parse(message.serialise(), 1);
  CHECK(pop_fallback(read, bytes.size(), {}) == bytes);
  read.check_end(0);
}

}  // namespace logpx::coding_message_test
