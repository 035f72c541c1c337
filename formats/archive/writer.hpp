// Writes an archive front to back into a sink.
//
//   ArchiveWriter out(sink);
//   out.header({.parameters = parameters});
//   out.begin(member);  out.block(block); ...  out.end({size, sha256});      // per member
//   out.finish();                                                            // INDEX and END
#pragma once

#include "formats/archive/records.hpp"

#include <utility>
#include <vector>

namespace logpx::archive {

class ArchiveWriter {
 public:
  explicit ArchiveWriter(ByteSink sink) : sink_(std::move(sink)) {}

  void header(const ArchiveHeader& header);
  void model(ByteView file);  // before the first member
  void begin(const Member& member);
  void block(const Block& block);
  void end(const MemberEnd& end);
  void finish();

  [[nodiscard]] std::uint64_t bytes() const { return offset_; }  // written so far

 private:
  struct Entry {
    std::uint64_t offset, size;
  };
  void put(ByteView bytes);
  void record(RecordType type, ByteView payload, ByteView more = {});

  ByteSink sink_;
  std::uint64_t offset_ = 0;
  std::vector<Entry> index_;
};

}  // namespace logpx::archive
