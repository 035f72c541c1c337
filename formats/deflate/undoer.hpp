// A raw DEFLATE stream [RFC 1951] becomes its content and the decisions from which, with the
// content, a Redoer makes the very bytes again. Of zlib's streams nothing is left to decide but its
// parameters.
//
//   deflate::Undoer undoer(decisions, [&](ByteView content) { keep(content); });
//   const std::size_t taken = undoer.add(bytes);   // piece by piece, of any size
//   const bool whole = undoer.state() == deflate::StreamState::ended;
//
// Memory: 0.4 MiB, 64 KiB of content, the tokens of a block (4 MiB at most), and what the search
// for the parameters looks at (8 MiB at most).
#pragma once

#include "formats/deflate/decisions.hpp"
#include "formats/deflate/parameters.hpp"
#include "formats/deflate/stream_state.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace logpx::deflate {

using ByteView = std::span<const std::byte>;
using ByteSink = std::function<void(ByteView)>;

struct StreamFigures {
  std::uint64_t stream_bytes = 0, content_bytes = 0;
  std::uint64_t tokens = 0, other_tokens = 0;  // all, and those that were not as foretold
  std::uint64_t blocks = 0, other_blocks = 0;
};

class Undoer {
 public:
  Undoer(Decisions& decisions, ByteSink content);
  ~Undoer();

  // Takes bytes up to the end of the stream and says how many; the stream ends with a whole byte.
  // Throws nothing about the bytes: look at the state. A stream that is cut stays open. Content is
  // given out when all decisions are written that a Redoer with so much of it reads.
  [[nodiscard]] std::size_t add(ByteView bytes);
  [[nodiscard]] StreamState state() const;
  [[nodiscard]] const StreamFigures& figures() const;
  // Known before any content is given out.
  [[nodiscard]] const std::optional<Parameters>& parameters() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace logpx::deflate
