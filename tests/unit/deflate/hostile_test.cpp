#include "formats/deflate/redoer.hpp"
#include "formats/deflate/undoer.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tools/archives/decision_coder.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <string_view>
#include <vector>

namespace logpx::hostile_test {

using namespace logpx::deflate;
using Bytes = std::vector<std::byte>;

namespace {

Bytes zlib_stream(const Bytes& content, int level) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  Bytes in = content, out(content.size() + 1000);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Bytes letters(std::size_t size) {
  Cursor random(Rng(37).stream(Stream::test, 3));
  Bytes bytes(size);
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>('a' + random.below(1 + random.below(9)));
  return bytes;
}

// Bits as RFC 1951 writes them: "1 01" is the last block, with fixed trees.
Bytes bits(std::string_view text) {
  Bytes bytes;
  std::size_t count = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    if (count % 8 == 0) bytes.push_back(std::byte{0});
    bytes.back() |= static_cast<std::byte>((c == '1' ? 1 : 0) << (count++ % 8));
  }
  return bytes;
}

StreamState state_of(ByteView bytes) {
  DecisionWriter writer;
  Undoer undoer(writer, [](ByteView) {});
  (void)undoer.add(bytes);
  return undoer.state();
}

// Decisions that follow a rule and none that was written.
class AnyDecisions final : public Decisions {
 public:
  explicit AnyDecisions(std::function<int(std::size_t)> rule) : rule_(std::move(rule)) {}
  [[nodiscard]] int code(int, std::size_t context) override { return rule_(context); }

 private:
  std::function<int(std::size_t)> rule_;
};

// Decisions kept in memory, to be read while they are written.
class KeptDecisions final : public Decisions {
 public:
  [[nodiscard]] int code(int bit, std::size_t) override {
    kept.push_back(bit);
    return bit;
  }
  std::deque<int> kept;
};

}  // namespace

TEST_CASE("deflate: a stream that is cut anywhere stays open") {
  for (const int level : {0, 6}) {
    const Bytes stream = zlib_stream(letters(600), level);
    for (std::size_t size = 0; size < stream.size(); ++size)
      CHECK(state_of(ByteView(stream).first(size)) == StreamState::open);
    CHECK(state_of(stream) == StreamState::ended);
  }
}

TEST_CASE("deflate: what RFC 1951 forbids is refused") {
  CHECK(state_of(bits("1 11 00000")) == StreamState::refused);  // a kind that is not there
  CHECK(state_of(bits("1 00 00000 1000000000000000 1000000000000000")) ==
        StreamState::refused);  // a size unlike its copy
  CHECK(state_of(bits("1 10 0000001 00000 000")) == StreamState::refused);  // before the beginning
  CHECK(state_of(bits("1 10 11000110 00000000")) == StreamState::refused);  // length code 286
  // 287 literals; a run code of three symbols of one bit; a run of nothing.
  CHECK(state_of(bits("1 01 01111 00000 0000 100 100 100 000 00000000")) == StreamState::refused);
  CHECK(state_of(bits("1 01 00000 00000 0000 100 100 100 000 00000000")) == StreamState::refused);
  CHECK(state_of(bits("1 01 00000 00000 0000 100 100 000 000 0 00000000")) == StreamState::refused);
}

TEST_CASE("deflate: a stream with any byte changed is refused or comes back") {
  const Bytes content = letters(3000), stream = zlib_stream(content, 6);
  Cursor random(Rng(37).stream(Stream::test, 4));
  int ended = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Bytes bytes = stream, undone, same;
    bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] ^=
        static_cast<std::byte>(1 + random.below(255));
    DecisionWriter writer;
    Undoer undoer(writer,
                  [&](ByteView more) { undone.insert(undone.end(), more.begin(), more.end()); });
    const std::size_t taken = undoer.add(bytes);
    if (undoer.state() != StreamState::ended) continue;
    ++ended;
    DecisionReader reader(writer.finish());
    Redoer redoer(reader,
                  [&](ByteView more) { same.insert(same.end(), more.begin(), more.end()); });
    redoer.add(undone);
    redoer.finish();
    bytes.resize(taken);
    CHECK(same == bytes);
  }
  CHECK(ended > 10);
}

TEST_CASE("deflate: a stream that unfolds to over 64 times its length is refused") {
  CHECK(state_of(zlib_stream(Bytes(3000000), 9)) == StreamState::refused);
  CHECK(state_of(zlib_stream(Bytes(60000), 9)) == StreamState::ended);  // short ones are free
}

TEST_CASE("deflate: decisions of any kind end, with a data error or a stream that is not long") {
  const Bytes content = letters(20000);
  Cursor random(Rng(37).stream(Stream::test, 5));
  std::vector<std::function<int(std::size_t)>> rules{
      [](std::size_t) { return 0; }, [](std::size_t) { return 1; },
      [](std::size_t context) { return context >= contexts::blocks ? 1 : 0; },
      [](std::size_t context) { return context == contexts::blocks + 4 ? 1 : 0; }};
  for (const std::uint32_t rarity : {2u, 3u, 10u, 50u, 1000u})
    for (int i = 0; i < 5; ++i)
      rules.emplace_back([&random, rarity](std::size_t context) {
        return context >= contexts::blocks && random.below(rarity) == 0 ? 1 : 0;
      });
  for (const auto& rule : rules) {
    AnyDecisions decisions(rule);
    std::size_t size = 0;
    try {
      Redoer redoer(decisions, [&](ByteView more) { size += more.size(); });
      redoer.add(content);
      redoer.finish();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
    }
    CHECK(size <= 16 * content.size() + 65536);
  }
}

TEST_CASE("deflate: content comes with the decisions that it takes to redo so much") {
  const Bytes content = letters(300000);
  for (const int level : {0, 1, 6}) {
    const Bytes stream = zlib_stream(content, level);
    KeptDecisions written;
    AnyDecisions read([&](std::size_t) {
      REQUIRE_FALSE(written.kept.empty());
      const int bit = written.kept.front();
      written.kept.pop_front();
      return bit;
    });
    Bytes same;
    Redoer redoer(read, [&](ByteView more) { same.insert(same.end(), more.begin(), more.end()); });
    Undoer undoer(written, [&](ByteView more) { redoer.add(more); });
    for (std::size_t at = 0; at < stream.size(); at += 1000)
      (void)undoer.add(
          ByteView(stream).subspan(at).first(std::min<std::size_t>(1000, stream.size() - at)));
    redoer.finish();
    CHECK(same == stream);
  }
}

TEST_CASE("deflate: one fixed block of any length is streamed") {
  Bytes stream;
  unsigned word = 0b011, count = 3;  // the last block, with fixed trees
  const auto put = [&](unsigned code, unsigned size) {
    for (word |= code << count, count += size; count >= 8; count -= 8, word >>= 8)
      stream.push_back(static_cast<std::byte>(word & 255));
  };
  constexpr unsigned literal_0 = 0b00001100;  // 00110000, first bit lowest
  constexpr std::size_t size = (std::size_t{1} << 20) + 5000;
  for (std::size_t i = 0; i < size; ++i) put(literal_0, 8);
  put(0, 7);
  put(0, 8);
  DecisionWriter writer;
  Bytes content, same;
  Undoer undoer(writer,
                [&](ByteView more) { content.insert(content.end(), more.begin(), more.end()); });
  CHECK(undoer.add(stream) >= stream.size() - 1);
  REQUIRE(undoer.state() == StreamState::ended);
  CHECK(content == Bytes(size));
  DecisionReader reader(writer.finish());
  Redoer redoer(reader, [&](ByteView more) { same.insert(same.end(), more.begin(), more.end()); });
  redoer.add(content);
  redoer.finish();
  stream.resize(same.size());
  CHECK(same == stream);
}

}  // namespace logpx::hostile_test
