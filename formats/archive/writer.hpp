// Writes an archive front to back into a sink.
//
//   ArchiveWriter out(sink);
//   out.header({.parameters = parameters});
//   out.run(table);   // per run: its table, then all its blocks
//   for (const Block& block : blocks) out.block(block);
//   out.finish({members, sha256});
#pragma once

#include "formats/archive/run.hpp"

namespace logpx::archive {

// Whether a block might be one that the model has a say in: of a run, in an archive with a model.
enum class MayMix { no, yes };
// The bytes of a block and of what describes it.
[[nodiscard]] std::size_t bytes_of_block(const Block& block, MayMix may_mix);

class ArchiveWriter {
 public:
  explicit ArchiveWriter(ByteSink sink) : sink_(std::move(sink)) {}

  void header(const ArchiveHeader& header);
  // All of a small archive; no block if there is no content. Of its parameters it has the prime.
  void small(const ArchiveHeader& header, const Run::Entry& member,
             const std::optional<Block>& block);
  // Both before the first run, if the header promises them, in this order.
  void prime(const Block& coded);
  void model(ByteView file);
  void run(const Block& table);
  void block(const Block& block);
  void finish(const ArchiveEnd& end);

  [[nodiscard]] std::uint64_t bytes() const { return offset_; }  // written so far

 private:
  void put(ByteView bytes);
  void record(RecordType type, ByteView payload, ByteView more = {});
  void sized_block(RecordType type, const Block& block);

  ByteSink sink_;
  std::uint64_t offset_ = 0;
  bool has_model_ = false;
};

}  // namespace logpx::archive
