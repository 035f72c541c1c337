// Fuzz target of DEFLATE streams. Any bytes that are one come back when they are undone; content
// and any decisions make some stream, or are an error of data.
#include "formats/deflate/redoer.hpp"
#include "formats/deflate/undoer.hpp"
#include "libcore/base/error.hpp"
#include "tools/archives/decision_coder.hpp"

#include <algorithm>

using namespace logpx;

namespace {

using Bytes = std::vector<std::byte>;

void require(bool holds) {
  if (!holds) __builtin_trap();
}

deflate::ByteSink into(Bytes& bytes) {
  return [&bytes](deflate::ByteView more) { bytes.insert(bytes.end(), more.begin(), more.end()); };
}

Bytes redo(const Bytes& decisions, deflate::ByteView content, std::size_t piece) {
  Bytes stream;
  DecisionReader reader(decisions);
  deflate::Redoer redoer(reader, into(stream));
  for (std::size_t at = 0; at < content.size(); at += piece)
    redoer.add(content.subspan(at).first(std::min(piece, content.size() - at)));
  redoer.finish();
  return stream;
}

void undo_any(deflate::ByteView bytes, std::size_t piece) {
  Bytes content;
  DecisionWriter writer;
  deflate::Undoer undoer(writer, into(content));
  std::size_t taken = 0;
  for (std::size_t at = 0; at < bytes.size() && undoer.state() == deflate::StreamState::open;
       at += piece)
    taken += undoer.add(bytes.subspan(at).first(std::min(piece, bytes.size() - at)));
  if (undoer.state() != deflate::StreamState::ended) return;
  const Bytes same = redo(writer.finish(), content, piece);
  require(std::ranges::equal(same, bytes.first(taken)));
}

void redo_any(deflate::ByteView bytes, std::size_t decisions, std::size_t piece) {
  const std::size_t size = std::min(decisions, bytes.size());
  try {
    (void)redo(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)),
               bytes.subspan(size), piece);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::data);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 2;
  if (size < head) return 0;
  const deflate::ByteView bytes = std::as_bytes(std::span(data + head, size - head));
  const std::size_t piece = data[1] < 128 ? 1u + data[1] : 100000;
  if (data[0] % 2 == 0) undo_any(bytes, piece);
  else redo_any(bytes, data[0], piece);
  return 0;
}
