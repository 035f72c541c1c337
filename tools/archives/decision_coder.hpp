// The decisions about DEFLATE streams as bytes: several streams in turn, whose chances go on
// learning.
//
//   DecisionWriter writer;
//   deflate::Undoer undoer(writer, sink);
//   (void)undoer.add(stream);
//   DecisionReader reader(writer.finish());
//   deflate::Redoer redoer(reader, sink);
#pragma once

#include "formats/deflate/decisions.hpp"
#include "libcore/codec/decision_coder.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace logpx {

class DecisionWriter final : public deflate::Decisions {
 public:
  [[nodiscard]] int code(int bit, std::size_t context) override {
    encoder_.code(bit, context);
    return bit;
  }
  [[nodiscard]] std::size_t bytes() const { return encoder_.bytes(); }
  [[nodiscard]] std::vector<std::byte> finish() { return encoder_.finish(); }

 private:
  codec::DecisionEncoder encoder_{deflate::decision_contexts};
};

class DecisionReader final : public deflate::Decisions {
 public:
  explicit DecisionReader(std::vector<std::byte> bytes)
      : bytes_(std::move(bytes)), decoder_(deflate::decision_contexts, bytes_) {}
  DecisionReader(const DecisionReader&) = delete;
  DecisionReader& operator=(const DecisionReader&) = delete;

  [[nodiscard]] int code(int, std::size_t context) override { return decoder_.code(context); }

 private:
  std::vector<std::byte> bytes_;
  codec::DecisionDecoder decoder_;
};

}  // namespace logpx
