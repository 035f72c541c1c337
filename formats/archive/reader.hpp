// Reads archives front to back, one record at a time, and trusts nothing: every length is checked
// before memory is taken, every checksum before a field is read, and so is the order of records.
//
//   ArchiveReader in(supply);
//   while (const std::optional<Item> item = in.next())
//     if (const auto* block = std::get_if<Block>(&*item)) take(*block);
//
// Anything wrong is a data error whose subject is the place ("block 3", "header"); the caller puts
// the file in front. Concatenated archives follow each other, each with its header and of any
// version that is read.
#pragma once

#include "formats/archive/records.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>

namespace logpx::archive {

// A data error at `place`.
[[noreturn]] void damaged(const std::string& place, const std::string& reason,
                          const std::string& hint = {});

// Refuses a version that is no longer read.
[[noreturn]] void refuse_older(std::uint16_t major, std::uint16_t minor);

// The bytes of an archive, taken in pieces, each of which must be complete.
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

using Item = std::variant<ArchiveHeader, EmbeddedPrime, EmbeddedModel, CodedRun, Block, ArchiveEnd>;

// The records of one archive (record_reader.cpp).
class RecordReader {
 public:
  // An embedded model may have at most `model_limit` bytes.
  RecordReader(RecordSource& source, std::uint16_t minor, std::uint64_t model_limit)
      : source_(source), model_limit_(model_limit), minor_(minor) {}
  // `begun`: magic and version, which have been read already.
  [[nodiscard]] ArchiveHeader header(ByteView begun);
  // Nothing after the last record.
  [[nodiscard]] std::optional<Item> next();
  // The place of the last item, for messages: "block 3".
  [[nodiscard]] std::string place() const {
    return blocks_ == 0 ? "header" : "block " + std::to_string(blocks_);
  }
  // Whether what is being read, or was read last, is a block of a run.
  [[nodiscard]] bool is_at_block() const { return now_ == RecordType::block; }

 private:
  struct Record {
    RecordType type;
    std::uint64_t size;
    std::uint32_t crc;  // of the head
  };
  [[nodiscard]] ArchiveHeader small_header(unsigned flags, std::uint32_t crc);
  void hold_small(const Record& record);
  void take_varint(ByteVector& head);
  [[nodiscard]] Record record();
  [[nodiscard]] ByteVector payload(const Record& record, std::uint64_t limit);
  void check_sum(std::uint32_t crc);
  void check_order(RecordType type) const;
  [[nodiscard]] Item item(const Record& record);
  [[nodiscard]] Block sized_block(const Record& record, std::uint64_t most);
  [[nodiscard]] Block block(WireReader fields) const;
  [[nodiscard]] Block adaptive_block(unsigned form, WireReader fields) const;
  [[nodiscard]] bool may_be_mixed() const;
  [[nodiscard]] unsigned kind_of_block(unsigned form, WireReader& fields) const;
  [[nodiscard]] std::uint8_t coder_of_kind(unsigned kind) const;
  [[nodiscard]] BlockSamples samples(WireReader& fields) const;
  [[nodiscard]] std::string what() const;

  RecordSource& source_;
  std::uint64_t model_limit_, blocks_ = 0;
  std::uint16_t minor_;
  Effort effort_ = Effort::fast;
  bool has_model_ = false, wants_prime_ = false, wants_model_ = false, in_run_ = false,
       ended_ = false;
  RecordType now_ = RecordType::end;  // what is being read
  std::deque<Item> held_;             // of a small archive, that next() gives
};

// The parameters' text as a value; it must be canonical to the byte and not too deeply nested.
[[nodiscard]] Json parse_parameters(ByteView text);

class ArchiveReader {
 public:
  explicit ArchiveReader(ByteSupply supply, std::uint64_t model_limit = ~std::uint64_t{0})
      : source_(std::move(supply)), model_limit_(model_limit) {}

  // Nothing after the end of the last archive; a file without any archive is a data error.
  [[nodiscard]] std::optional<Item> next();

  [[nodiscard]] std::uint64_t offset() const { return source_.offset(); }  // bytes read so far
  [[nodiscard]] std::string place() const { return records_ ? records_->place() : "header"; }
  [[nodiscard]] bool is_at_block() const { return records_ && records_->is_at_block(); }

 private:
  [[nodiscard]] std::optional<Item> header();

  RecordSource source_;
  std::uint64_t model_limit_;
  std::optional<RecordReader> records_;  // of the archive that is being read
  bool any_ = false;
};

}  // namespace logpx::archive
