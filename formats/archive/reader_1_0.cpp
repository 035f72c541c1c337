// Version 1.0: each member is followed by its blocks and its hash, and an index lists them all.
// Such archives are still read, but no longer written.
#include "formats/archive/reader.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace logpx::archive {
namespace {

enum class Type : std::uint8_t {
  member = 1,
  block = 2,
  member_end = 3,
  index = 4,
  end = 5,
  model = 6,
  first_skippable = 128
};

class Reader10 final : public VersionReader {
 public:
  Reader10(RecordSource& source, std::uint64_t model_limit)
      : source_(source), model_limit_(model_limit) {}
  [[nodiscard]] ArchiveHeader header(ByteView begun) override;
  [[nodiscard]] std::optional<Item> next() override;
  [[nodiscard]] std::string place() const override {
    return blocks_ == 0 ? "header" : "block " + std::to_string(blocks_);
  }

 private:
  enum class State { before_member, in_member, after_index, ended };
  struct Head {
    Type type;
    std::uint32_t size;
  };

  [[nodiscard]] Head record_head();
  [[nodiscard]] ByteVector payload(const Head& head, std::uint64_t limit);
  void skip(const Head& head);
  [[nodiscard]] Item member(const Head& head);
  [[nodiscard]] Item block(const Head& head);
  [[nodiscard]] Item member_end(const Head& head);
  [[nodiscard]] Item model(const Head& head);
  void index(const Head& head);
  void end(const Head& head);

  RecordSource& source_;
  std::uint64_t model_limit_;
  State state_ = State::before_member;
  std::uint64_t start_ = 0, record_at_ = 0, index_at_ = 0, blocks_ = 0;
  bool wants_model_ = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_;  // offset and size of each member
};

ArchiveHeader Reader10::header(ByteView begun) {
  start_ = source_.offset() - begun.size();
  const ByteVector fixed = source_.take(52, "header");
  WireReader fields(fixed, "header");
  const std::uint32_t flags = fields.u32(), numerics = fields.u32(), length = fields.u32();
  const ByteView identity = fields.raw(32);
  const std::uint32_t reserved = fields.u32(), crc = fields.u32();
  if (length > 65536) damaged("header", "declares parameters of over 65536 bytes");
  const ByteVector parameters = source_.take(length, "header");
  if (crc32_of(parameters, crc32_of(ByteView(fixed).first(48), crc32_of(begun))) != crc)
    damaged("header", "checksum differs: the archive is damaged");
  if (numerics != numerics_id)
    damaged("header",
            "was made with numerics " + std::to_string(numerics) + ", but only 1 is known here",
            "a newer logpx may read it");
  if (flags > 2 || reserved != 0) damaged("header", "has flags that are not known here");
  ArchiveHeader header{.major = 1, .minor = 0};
  header.model = flags == 1 ? ModelUse::none : flags == 2 ? ModelUse::embedded : ModelUse::named;
  const bool no_identity =
      std::ranges::all_of(identity, [](std::byte b) { return b == std::byte{0}; });
  if (no_identity != (header.model == ModelUse::none))
    damaged("header", "contradicts itself about its model");
  if (!no_identity) header.model_identity = hex_of(identity);
  header.parameters = parse_parameters(parameters);
  wants_model_ = header.model == ModelUse::embedded;
  return header;
}

std::optional<Item> Reader10::next() {
  while (state_ != State::ended) {
    record_at_ = source_.offset() - start_;
    const Head head = record_head();
    if (head.type >= Type::first_skippable) {
      skip(head);
      continue;
    }
    const bool fits = head.type == Type::end ? state_ == State::after_index
                      : head.type == Type::block || head.type == Type::member_end
                          ? state_ == State::in_member
                          : state_ == State::before_member;
    if (!fits) damaged(place(), "is followed by a record out of order");
    switch (head.type) {
      case Type::model: return model(head);
      case Type::member: return member(head);
      case Type::block: return block(head);
      case Type::member_end: return member_end(head);
      case Type::index: index(head); break;
      default: end(head);
    }
  }
  return std::nullopt;
}

Reader10::Head Reader10::record_head() {
  const ByteVector bytes = source_.take(12, "record after " + place());
  WireReader fields(bytes, "record");
  const std::uint8_t type = fields.u8(), flags = fields.u8();
  const std::uint16_t reserved = fields.u16();
  const std::uint32_t size = fields.u32();
  if (fields.u32() != crc32_of(ByteView(bytes).first(8)))
    damaged("record after " + place(), "checksum differs: the archive is damaged");
  const auto known = static_cast<Type>(type);
  if (type == 0 || (known > Type::model && known < Type::first_skippable) || flags != 0 ||
      reserved != 0)
    damaged("record after " + place(), "is of a type that is not known here",
            "a newer logpx may read it");
  return {known, size};
}

ByteVector Reader10::payload(const Head& head, std::uint64_t limit) {
  const std::string what =
      head.type == Type::block ? "block " + std::to_string(blocks_ + 1) : "record after " + place();
  if (head.size > limit)
    damaged(what, "declares " + std::to_string(head.size) + " bytes, at most " +
                      std::to_string(limit) + " allowed");
  ByteVector bytes = source_.take(head.size, what);
  const ByteVector crc = source_.take(4, what);
  if (WireReader(crc, what).u32() != crc32_of(bytes))
    damaged(what, "checksum differs: the archive is damaged");
  return bytes;
}

void Reader10::skip(const Head& head) {
  const std::string what = "record after " + place();
  const std::uint32_t crc = source_.pass(head.size, what);
  const ByteVector stored = source_.take(4, what);
  if (WireReader(stored, what).u32() != crc)
    damaged(what, "checksum differs: the archive is damaged");
}

Item Reader10::model(const Head& head) {
  if (!wants_model_ || !seen_.empty())
    damaged("record after " + place(), "is a model out of place");
  wants_model_ = false;
  return EmbeddedModel{payload(head, model_limit_)};
}

Item Reader10::member(const Head& head) {
  if (wants_model_) damaged("header", "promises a model that is not there");
  const ByteVector bytes = payload(head, 64 + max_name_bytes + max_meta_bytes);
  const std::string what = "member " + std::to_string(seen_.size() + 1);
  WireReader fields(bytes, what);
  Member member;
  const std::uint16_t kind = fields.u16(), mode = fields.u16();
  if (kind > static_cast<std::uint16_t>(MemberKind::own_png))
    damaged(what, "is of kind " + std::to_string(kind) + ", which is not known here");
  member.kind = static_cast<MemberKind>(kind);
  if (mode != 0xffff && mode > 07777) damaged(what, "has an impossible mode");
  if (mode != 0xffff) member.mode = mode;
  member.mtime = fields.i64();
  member.mtime_ns = fields.u32();
  if (member.mtime_ns >= 1'000'000'000) damaged(what, "has an impossible time");
  const std::uint64_t size = fields.u64();
  if (size != ~std::uint64_t{0}) member.size = size;
  const std::uint16_t name = fields.u16();
  if (name > max_name_bytes) damaged(what, "has a name of over 4096 bytes");
  member.name = fields.text(name);
  if (member.name.find('\0') != std::string::npos) damaged(what, "has a NUL in its name");
  const std::uint32_t meta = fields.u32();
  if (meta > max_meta_bytes) damaged(what, "has a header of over 16 MiB");
  const ByteView header = fields.raw(meta);
  member.meta.assign(header.begin(), header.end());
  fields.expect_end();
  seen_.emplace_back(record_at_, 0);
  state_ = State::in_member;
  return member;
}

Item Reader10::block(const Head& head) {
  // Coded bytes are never longer than stored ones: the encoder keeps the smaller.
  const ByteVector bytes = payload(head, 24 + max_block_bytes);
  const std::string what = "block " + std::to_string(++blocks_);
  WireReader fields(bytes, what);
  Block block;
  const std::uint8_t coder = fields.u8(), log_lanes = fields.u8();
  const std::uint16_t reserved = fields.u16();
  if (coder > static_cast<std::uint8_t>(BlockCoder::model) || reserved != 0)
    damaged(what, "is coded in a way that is not known here");
  if (log_lanes > 3) damaged(what, "has over 8 lanes");
  block.coder = static_cast<BlockCoder>(coder);
  block.lanes = 1u << log_lanes;
  block.raw_bytes = fields.u32();
  block.items = fields.u32();
  block.bootstrap_items = fields.u32();
  block.borrowed = fields.u32();
  block.raw_crc = fields.u32();
  if (block.raw_bytes > max_block_bytes) damaged(what, "declares over 16 MiB of content");
  if (block.items > block.raw_bytes || block.bootstrap_items > block.items)
    damaged(what, "declares more items than bytes");
  if (block.borrowed > max_borrowed) damaged(what, "borrows too much");
  const bool plain = block.coder == BlockCoder::stored;
  if ((plain && (log_lanes != 0 || block.borrowed != 0)) ||
      (block.coder != BlockCoder::model && block.bootstrap_items != 0))
    damaged(what, "has settings that its coder does not have");
  const ByteView rest = fields.rest();
  if (plain) {
    if (rest.size() != block.raw_bytes)
      damaged(what, "holds another number of bytes than it declares");
    if (crc32_of(rest) != block.raw_crc) damaged(what, "content checksum differs");
  }
  block.payload.assign(rest.begin(), rest.end());
  return block;
}

Item Reader10::member_end(const Head& head) {
  const ByteVector bytes = payload(head, 40);
  WireReader fields(bytes, "end of member " + std::to_string(seen_.size()));
  MemberEnd end;
  end.size = fields.u64();
  end.sha256 = hex_of(fields.raw(32));
  fields.expect_end();
  seen_.back().second = end.size;
  state_ = State::before_member;
  return end;
}

void Reader10::index(const Head& head) {
  if (wants_model_) damaged("header", "promises a model that is not there");
  const ByteVector bytes = payload(head, 4 + 16 * std::uint64_t{seen_.size()});
  WireReader fields(bytes, "index");
  bool same = fields.u32() == seen_.size();
  for (const auto& [offset, size] : seen_)
    same = same && fields.u64() == offset && fields.u64() == size;
  if (!same) damaged("index", "names other members than were found");
  fields.expect_end();
  index_at_ = record_at_;
  state_ = State::after_index;
}

void Reader10::end(const Head& head) {
  const ByteVector bytes = payload(head, 16);
  WireReader fields(bytes, "end record");
  if (fields.u64() != index_at_ || fields.text(8) != "LPXEND\r\n")
    damaged("end record", "does not point at the index");
  fields.expect_end();
  state_ = State::ended;
}

}  // namespace

std::unique_ptr<VersionReader> reader_of_1_0(RecordSource& source, std::uint64_t model_limit) {
  return std::make_unique<Reader10>(source, model_limit);
}

}  // namespace logpx::archive
