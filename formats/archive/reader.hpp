// Reads archives front to back, one record at a time, and trusts nothing: every length is checked
// before memory is taken, every checksum before a field is read, and so is the order of records.
//
//   ArchiveReader in(supply);
//   while (const std::optional<Item> item = in.next())
//     if (const auto* block = std::get_if<Block>(&*item)) take(*block);
//
// Anything wrong is a data error whose subject is the place ("block 3", "header"); the caller puts
// the file in front. Concatenated archives follow each other, each with its header and of any
// version since 1.0.
#pragma once

#include "formats/archive/records.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace logpx::archive {

// The bytes of an archive, taken in pieces, each of which must be complete.

// A data error at `place`.
[[noreturn]] void damaged(const std::string& place, const std::string& reason,
                          const std::string& hint = {});

class RecordSource {
 public:
  explicit RecordSource(ByteSupply supply) : supply_(std::move(supply)) {}

  // As much as there is; less than asked only at the end.
  [[nodiscard]] std::size_t fill(std::span<std::byte> out);
  // All of it, or a data error naming `what`. Memory grows with the bytes that are really there.
  [[nodiscard]] ByteVector take(std::uint64_t size, const std::string& what);
  // The same without keeping it; gives the checksum of what was passed, begun with `before`.
  [[nodiscard]] std::uint32_t pass(std::uint64_t size, const std::string& what,
                                   std::uint32_t before = 0);
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // bytes read so far

 private:
  ByteSupply supply_;
  std::uint64_t offset_ = 0;
};

// Member and MemberEnd belong to version 1.0, where each block says what it holds; since 2.0 the
// table of a run says so.
using Item = std::variant<ArchiveHeader, EmbeddedPrime, EmbeddedModel, CodedRun, Block, ArchiveEnd,
                          Member, MemberEnd>;

// The records of one archive, by the rules of one version.
class VersionReader {
 public:
  virtual ~VersionReader() = default;
  // `begun`: magic and version, which have been read already.
  [[nodiscard]] virtual ArchiveHeader header(ByteView begun) = 0;
  // Nothing after the last record.
  [[nodiscard]] virtual std::optional<Item> next() = 0;
  // The place of the last item, for messages: "block 3".
  [[nodiscard]] virtual std::string place() const = 0;
  // Whether what is being read, or was read last, is a block of a run.
  [[nodiscard]] virtual bool is_at_block() const { return false; }
};
// An embedded model may have at most `model_limit` bytes.
[[nodiscard]] std::unique_ptr<VersionReader> reader_of_1_0(RecordSource& source,
                                                           std::uint64_t model_limit);
[[nodiscard]] std::unique_ptr<VersionReader> reader_of_2(RecordSource& source, std::uint16_t minor,
                                                         std::uint64_t model_limit);

// The parameters' text as a value; it must be canonical to the byte and not too deeply nested.
[[nodiscard]] Json parse_parameters(ByteView text);

class ArchiveReader {
 public:
  explicit ArchiveReader(ByteSupply supply, std::uint64_t model_limit = ~std::uint64_t{0})
      : source_(std::move(supply)), model_limit_(model_limit) {}

  // Nothing after the end of the last archive; a file without any archive is a data error.
  [[nodiscard]] std::optional<Item> next();

  [[nodiscard]] std::uint64_t offset() const { return source_.offset(); }  // bytes read so far
  [[nodiscard]] std::string place() const { return version_ ? version_->place() : "header"; }
  [[nodiscard]] bool is_at_block() const { return version_ && version_->is_at_block(); }

 private:
  [[nodiscard]] std::optional<Item> header();

  RecordSource source_;
  std::uint64_t model_limit_;
  std::unique_ptr<VersionReader> version_;  // of the archive that is being read
  bool any_ = false;
};

}  // namespace logpx::archive
