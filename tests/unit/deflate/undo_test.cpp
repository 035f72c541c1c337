#include "formats/deflate/redoer.hpp"
#include "formats/deflate/undoer.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tools/archives/decision_coder.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <vector>

namespace logpx::undo_test {

using namespace logpx::deflate;
using Bytes = std::vector<std::byte>;

namespace {

struct ZlibSettings {
  int level = 6, strategy = Z_DEFAULT_STRATEGY, memory = 8, window = 15;
  std::size_t flush_each = 0;
  int flush = Z_SYNC_FLUSH;
};

// A raw stream of the system's zlib, whichever that is.
Bytes stream_of(const Bytes& content, const ZlibSettings& settings) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, settings.level, Z_DEFLATED, -settings.window, settings.memory,
                       settings.strategy) == Z_OK);
  Bytes out(2 * content.size() + 100000);
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const std::size_t each = settings.flush_each == 0 ? content.size() : settings.flush_each;
  for (std::size_t at = 0; at < content.size(); at += each) {
    Bytes piece(content.begin() + static_cast<std::ptrdiff_t>(at),
                content.begin() + static_cast<std::ptrdiff_t>(std::min(at + each, content.size())));
    stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_in = static_cast<uInt>(piece.size());
    REQUIRE(::deflate(&stream, settings.flush_each == 0 ? Z_NO_FLUSH : settings.flush) == Z_OK);
  }
  stream.avail_in = 0;
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Words that repeat, and from time to time noise.
Bytes some_text(std::size_t size) {
  Cursor random(Rng(37).stream(Stream::test, 1));
  Bytes text;
  while (text.size() < size) {
    const std::uint32_t word = random.below(1 + random.below(400));
    for (std::uint32_t i = 0; i < 2 + word % 7; ++i)
      text.push_back(static_cast<std::byte>('a' + (word * (i + 3) + word / 7) % 26));
    text.push_back(std::byte{' '});
    if (word == 1)
      for (int i = 0; i < 30; ++i) text.push_back(static_cast<std::byte>(random.below(256)));
  }
  text.resize(size);
  return text;
}

Bytes noise(std::size_t size) {
  Cursor random(Rng(37).stream(Stream::test, 2));
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
  return bytes;
}

struct Undone {
  StreamState state = StreamState::open;
  std::size_t taken = 0;
  Bytes content, decisions;
  StreamFigures figures;
};

Undone undo(const Bytes& bytes, std::size_t piece) {
  Undone undone;
  DecisionWriter writer;
  Undoer undoer(writer, [&](ByteView content) {
    undone.content.insert(undone.content.end(), content.begin(), content.end());
  });
  for (std::size_t at = 0; at < bytes.size() && undoer.state() == StreamState::open; at += piece)
    undone.taken +=
        undoer.add(ByteView(bytes).subspan(at).first(std::min(piece, bytes.size() - at)));
  undone.state = undoer.state();
  undone.figures = undoer.figures();
  undone.decisions = writer.finish();
  return undone;
}

Bytes redo(const Undone& undone, std::size_t piece) {
  Bytes stream;
  DecisionReader reader(undone.decisions);
  Redoer redoer(reader,
                [&](ByteView bytes) { stream.insert(stream.end(), bytes.begin(), bytes.end()); });
  const ByteView content(undone.content);
  for (std::size_t at = 0; at < content.size(); at += piece)
    redoer.add(content.subspan(at).first(std::min(piece, content.size() - at)));
  redoer.finish();
  return stream;
}

// The stream comes back, and what follows it is left alone.
Undone check_round_trip(const Bytes& content, const Bytes& stream) {
  Bytes bytes = stream;
  bytes.insert(bytes.end(), 3, std::byte{0x55});
  const Undone undone = undo(bytes, bytes.size());
  CHECK(undone.state == StreamState::ended);
  CHECK(undone.taken == stream.size());
  CHECK(undone.content == content);
  CHECK(redo(undone, 1000000) == stream);
  return undone;
}

}  // namespace

TEST_CASE("deflate: what zlib makes at any level, strategy, memory and window comes back") {
  const Bytes text = some_text(90000);
  std::vector<ZlibSettings> all;
  for (int level = 0; level <= 9; ++level)
    for (const int memory : {1, 8, 9}) all.push_back({.level = level, .memory = memory});
  for (const int strategy : {Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED})
    for (const int level : {1, 6, 9}) all.push_back({.level = level, .strategy = strategy});
  for (const int window : {9, 12, 14}) all.push_back({.window = window});
  for (const ZlibSettings& settings : all) {
    CAPTURE(settings.level);
    CAPTURE(settings.strategy);
    CAPTURE(settings.memory);
    CAPTURE(settings.window);
    (void)check_round_trip(text, stream_of(text, settings));
  }
}

TEST_CASE("deflate: noise is stored, and repeats, nothing and a byte come back") {
  for (const Bytes& content : {noise(100000), Bytes(70000, std::byte{7}), Bytes{}, Bytes(1)})
    for (const int level : {0, 1, 6, 9})
      (void)check_round_trip(content, stream_of(content, {.level = level}));
}

TEST_CASE("deflate: flushes of any kind come back") {
  const Bytes text = some_text(60000);
  for (const int flush : {Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_PARTIAL_FLUSH, Z_BLOCK})
    for (const int level : {1, 6, 9})
      (void)check_round_trip(text,
                             stream_of(text, {.level = level, .flush_each = 3000, .flush = flush}));
}

TEST_CASE("deflate: pieces of any size give the same decisions and the same stream") {
  const Bytes text = some_text(50000), stream = stream_of(text, {});
  const Undone whole = undo(stream, stream.size());
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const Undone pieces = undo(stream, piece);
    CHECK(pieces.content == text);
    CHECK(pieces.decisions == whole.decisions);
    CHECK(redo(whole, piece) == stream);
  }
}

}  // namespace logpx::undo_test
