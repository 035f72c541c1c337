// The opposite of an Undoer: content and decisions become the very stream.
//
//   deflate::Redoer redoer(decisions, [&](ByteView stream) { keep(stream); });
//   redoer.add(content);                           // piece by piece, of any size
//   redoer.finish();
#pragma once

#include "formats/deflate/decisions.hpp"
#include "formats/deflate/undoer.hpp"

#include <memory>
#include <optional>

namespace logpx::deflate {

class Redoer {
 public:
  Redoer(Decisions& decisions, ByteSink stream);
  ~Redoer();

  // Gives out all of the stream that follows from the content so far. A data error if the decisions
  // do not fit, ask for more than 1,024 steps a byte, or make much more of it than there is.
  void add(ByteView content);
  void finish();
  [[nodiscard]] const std::optional<Parameters>& parameters() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace logpx::deflate
