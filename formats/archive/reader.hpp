// Reads archives front to back, one record at a time, and believes nothing: every length is checked
// before memory is taken, every checksum before a field is read, and records come in their order.
//
//   ArchiveReader in(supply);
//   while (const std::optional<Item> item = in.next()) std::visit(..., *item);
//
// Whatever is wrong is a data error whose subject is the place ("block 3", "header"); the caller
// puts the file in front. Concatenated archives follow each other, each with its header.
#pragma once

#include "formats/archive/records.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace logpx::archive {

using Item = std::variant<ArchiveHeader, EmbeddedModel, Member, Block, MemberEnd>;

// The parameters' text as a value: within the depth allowed, canonical to the byte.
[[nodiscard]] Json parse_parameters(const std::string& text);

class ArchiveReader {
 public:
  // An embedded model may have at most `model_limit` bytes.
  explicit ArchiveReader(ByteSupply supply, std::uint64_t model_limit = ~std::uint64_t{0})
      : supply_(std::move(supply)), model_limit_(model_limit) {}

  // Nothing after the end of the last archive; a file without any archive is a data error.
  [[nodiscard]] std::optional<Item> next();

  [[nodiscard]] std::uint64_t offset() const { return offset_; }  // bytes read so far
  // Where the item given last came from, for messages: "block 3".
  [[nodiscard]] std::string place() const;

 private:
  enum class State { before_header, before_member, in_member, after_index };
  struct Head {
    RecordType type;
    std::uint32_t size;
  };

  [[nodiscard]] std::size_t fill(std::span<std::byte> out);
  [[nodiscard]] ByteVector take(std::uint64_t size, const std::string& what);
  [[nodiscard]] std::optional<Item> header();
  [[nodiscard]] Head record_head();
  [[nodiscard]] ByteVector payload(const Head& head, std::uint64_t limit);
  void skip(const Head& head);
  [[nodiscard]] Item member(const Head& head);
  [[nodiscard]] Item block(const Head& head);
  [[nodiscard]] Item member_end(const Head& head);
  [[nodiscard]] Item model(const Head& head);
  void index(const Head& head);
  void end(const Head& head);

  ByteSupply supply_;
  std::uint64_t model_limit_;
  State state_ = State::before_header;
  std::uint64_t offset_ = 0, start_ = 0, record_at_ = 0, index_at_ = 0, blocks_ = 0;
  bool any_ = false, wants_model_ = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_;  // offset and size of each member
};

}  // namespace logpx::archive
