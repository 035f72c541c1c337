// The opposite of an Undoer: content and decisions become the very stream.
//
//   deflate::Redoer redoer(decisions, [&](auto stream) { file.write(...); });
//   redoer.add(content);                           // piece by piece, of any size
//   redoer.finish();
#pragma once

#include "formats/deflate/decisions.hpp"
#include "formats/deflate/undoer.hpp"

#include <memory>

namespace logpx::deflate {

class Redoer {
 public:
  // The parameters come first: a data error if they are none.
  Redoer(Decisions& decisions, ByteSink stream);
  ~Redoer();

  // A data error if the decisions do not fit the content, or ask for more than 1,024 steps a byte.
  void add(ByteView content);
  void finish();
  [[nodiscard]] const Parameters& parameters() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace logpx::deflate
