#include "formats/archive/wire.hpp"
#include "formats/deflate/redoer.hpp"
#include "formats/deflate/undoer.hpp"
#include "tests/support/golden.hpp"
#include "tools/archives/decision_coder.hpp"

#include <doctest/doctest.h>

#include <string>

namespace logpx::deflate_streams_test {

using Bytes = std::vector<std::byte>;

namespace {

Bytes bytes_of_digits(const std::string& digits) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

// Undoes a stored stream, compares what the reference says of it, and redoes it.
deflate::StreamFigures check_case(const Json& golden) {
  const Bytes stream = bytes_of_digits(golden.at("stream").string());
  Bytes content, same;
  DecisionWriter writer;
  deflate::Undoer undoer(writer, [&](deflate::ByteView bytes) {
    content.insert(content.end(), bytes.begin(), bytes.end());
  });
  CHECK(undoer.add(stream) == stream.size());
  CHECK(undoer.state() == deflate::StreamState::ended);
  CHECK(content.size() == golden.at("bytes").unsigned_integer());
  CHECK(archive::crc32_of(content) == golden.at("crc32").unsigned_integer());
  DecisionReader reader(writer.finish());
  deflate::Redoer redoer(reader, [&](deflate::ByteView bytes) {
    same.insert(same.end(), bytes.begin(), bytes.end());
  });
  redoer.add(content);
  redoer.finish();
  CHECK(same == stream);
  return undoer.figures();
}

}  // namespace

TEST_CASE("golden/deflate/foretold") {
  const Json* cases = golden::field("deflate", "foretold");
  if (cases == nullptr) return;
  for (const Json& golden : cases->items()) {
    CAPTURE(golden.at("made_by").string());
    const deflate::StreamFigures figures = check_case(golden);
    CHECK(figures.other_tokens == 0);
    CHECK(figures.other_blocks == 0);
  }
}

TEST_CASE("golden/deflate/others") {
  const Json* cases = golden::field("deflate", "others");
  if (cases == nullptr) return;
  for (const Json& golden : cases->items()) {
    CAPTURE(golden.at("made_by").string());
    (void)check_case(golden);
  }
}

}  // namespace logpx::deflate_streams_test
