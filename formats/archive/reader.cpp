#include "formats/archive/reader.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/numerics.hpp"

#include <algorithm>
#include <array>

namespace logpx::archive {
namespace {

constexpr std::size_t read_step = 1 << 20;
constexpr std::string_view magic("\x89LPX\r\n\x1a\n", 8);

[[noreturn]] void damaged(const std::string& place, const std::string& reason,
                          const std::string& hint = {}) {
  fail(ErrorKind::data, place, reason, hint);
}

// Brackets outside strings: what the parser's recursion would follow.
void check_depth(const std::string& text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      else quoted = c != '"';
    } else if (c == '"') quoted = true;
    else if (c == '[' || c == '{') {
      if (++depth > max_json_depth) damaged("header", "parameters are nested too deeply");
    } else if (c == ']' || c == '}') --depth;
  }
}

void check_magic(ByteView found) {
  if (std::ranges::equal(found, bytes_of(magic))) return;
  static constexpr std::array<std::string_view, 2> mangled = {"\x89LPX\n\x1a\n",
                                                              "\x89LPX\r\r\n\x1a"};
  for (const std::string_view text : mangled)
    if (std::ranges::equal(found.first(std::min(text.size(), found.size())),
                           bytes_of(text).first(std::min(text.size(), found.size()))))
      damaged("", "was changed by a transfer in text mode", "fetch it again in binary mode");
  damaged("", "is not an .lpx archive", "bits-back-encode makes them");
}

bool is_text(const std::string& name) { return name.find('\0') == std::string::npos; }

}  // namespace

Json parse_parameters(const std::string& text) {
  check_depth(text);
  Json value;
  try {
    value = Json::parse(text, "parameters");
  } catch (const Error&) {
    damaged("header", "parameters are not JSON");
  }
  if (!value.is_object() || canonical_json(value) != text)
    damaged("header", "parameters are not in canonical form");
  return value;
}

std::string ArchiveReader::place() const {
  return blocks_ == 0 ? "header" : "block " + std::to_string(blocks_);
}

std::size_t ArchiveReader::fill(std::span<std::byte> out) {
  const std::size_t count = supply_(out);
  offset_ += count;
  return count;
}

ByteVector ArchiveReader::take(std::uint64_t size, const std::string& what) {
  ByteVector bytes;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, before + read_step)));
    const std::size_t wanted = bytes.size() - before;
    if (fill(std::span(bytes).subspan(before)) < wanted)
      damaged(what, "is cut short", "the archive is incomplete");
  }
  return bytes;
}

std::optional<Item> ArchiveReader::next() {
  while (true) {
    if (state_ == State::before_header) return header();
    record_at_ = offset_ - start_;
    const Head head = record_head();
    if (head.type >= RecordType::first_skippable) {
      skip(head);
      continue;
    }
    const bool fits = head.type == RecordType::end ? state_ == State::after_index
                      : head.type == RecordType::block || head.type == RecordType::member_end
                          ? state_ == State::in_member
                          : state_ == State::before_member;
    if (!fits) damaged(place(), "is followed by a record out of order");
    switch (head.type) {
      case RecordType::model: return model(head);
      case RecordType::member: return member(head);
      case RecordType::block: return block(head);
      case RecordType::member_end: return member_end(head);
      case RecordType::index: index(head); break;
      default: end(head);
    }
  }
}

std::optional<Item> ArchiveReader::header() {
  std::array<std::byte, 64> fixed{};
  start_ = offset_;
  const std::size_t got = fill(fixed);
  if (got == 0 && any_) return std::nullopt;
  if (got == 0) damaged("", "is empty, expected an .lpx archive");
  if (any_ && !std::ranges::equal(ByteView(fixed).first(std::min<std::size_t>(got, 8)),
                                  bytes_of(magic).first(std::min<std::size_t>(got, 8))))
    damaged("", "carries foreign bytes behind its end");
  check_magic(ByteView(fixed).first(std::min<std::size_t>(got, 8)));
  if (got < fixed.size()) damaged("header", "is cut short", "the archive is incomplete");

  WireReader fields(fixed, "header");
  (void)fields.raw(8);
  const std::uint16_t major = fields.u16();
  ArchiveHeader header;
  header.minor = fields.u16();
  const std::uint32_t flags = fields.u32(), numerics = fields.u32(), length = fields.u32();
  const ByteView identity = fields.raw(32);
  const std::uint32_t reserved = fields.u32(), crc = fields.u32();
  if (length > max_parameter_bytes) damaged("header", "declares parameters of over 65536 bytes");
  const ByteVector parameters = take(length, "header");
  if (crc32_of(parameters, crc32_of(ByteView(fixed).first(60))) != crc)
    damaged("header", "checksum differs: the archive is damaged");
  if (major != format_major)
    damaged("header", "format version " + std::to_string(major) + " is not known here",
            "a newer logpx may read it");
  if (numerics != numerics_id)
    damaged("header", "was made with numerics " + std::to_string(numerics) + ", known is 1",
            "a newer logpx may read it");
  if (flags > 2 || reserved != 0) damaged("header", "has flags that are not known here");
  header.model = flags == 1 ? ModelUse::none : flags == 2 ? ModelUse::embedded : ModelUse::named;
  const bool no_identity =
      std::ranges::all_of(identity, [](std::byte b) { return b == std::byte{0}; });
  if (no_identity != (header.model == ModelUse::none))
    damaged("header", "contradicts itself about its model");
  if (!no_identity) header.model_identity = hex_of(identity);
  header.parameters =
      parse_parameters({reinterpret_cast<const char*>(parameters.data()), parameters.size()});
  any_ = true;
  wants_model_ = header.model == ModelUse::embedded;
  blocks_ = 0;
  seen_.clear();
  state_ = State::before_member;
  return header;
}

ArchiveReader::Head ArchiveReader::record_head() {
  const ByteVector bytes = take(12, "record after " + place());
  WireReader fields(bytes, "record");
  const std::uint8_t type = fields.u8(), flags = fields.u8();
  const std::uint16_t reserved = fields.u16();
  const std::uint32_t size = fields.u32();
  if (fields.u32() != crc32_of(ByteView(bytes).first(8)))
    damaged("record after " + place(), "checksum differs: the archive is damaged");
  const auto known = static_cast<RecordType>(type);
  if (type == 0 || (known > RecordType::model && known < RecordType::first_skippable) ||
      flags != 0 || reserved != 0)
    damaged("record after " + place(), "is of a type that is not known here",
            "a newer logpx may read it");
  return {known, size};
}

ByteVector ArchiveReader::payload(const Head& head, std::uint64_t limit) {
  const std::string what = head.type == RecordType::block ? "block " + std::to_string(blocks_ + 1)
                                                          : "record after " + place();
  if (head.size > limit)
    damaged(what, "declares " + std::to_string(head.size) + " bytes, at most " +
                      std::to_string(limit) + " allowed");
  ByteVector bytes = take(head.size, what);
  const ByteVector crc = take(4, what);
  if (WireReader(crc, what).u32() != crc32_of(bytes))
    damaged(what, "checksum differs: the archive is damaged");
  return bytes;
}

void ArchiveReader::skip(const Head& head) {
  const std::string what = "record after " + place();
  std::uint32_t crc = 0;
  for (std::uint64_t left = head.size; left > 0;) {
    const ByteVector bytes = take(std::min<std::uint64_t>(left, read_step), what);
    crc = crc32_of(bytes, crc);
    left -= bytes.size();
  }
  const ByteVector stored = take(4, what);
  if (WireReader(stored, what).u32() != crc)
    damaged(what, "checksum differs: the archive is damaged");
}

Item ArchiveReader::model(const Head& head) {
  if (!wants_model_ || !seen_.empty())
    damaged("record after " + place(), "is a model out of place");
  wants_model_ = false;
  return EmbeddedModel{payload(head, model_limit_)};
}

Item ArchiveReader::member(const Head& head) {
  if (wants_model_) damaged("header", "promises a model that is not there");
  const ByteVector bytes = payload(head, 64 + max_name_bytes + max_meta_bytes);
  const std::string what = "member " + std::to_string(seen_.size() + 1);
  WireReader fields(bytes, what);
  Member member;
  const std::uint16_t kind = fields.u16(), mode = fields.u16();
  if (kind > static_cast<std::uint16_t>(MemberKind::own_png))
    damaged(what, "is of kind " + std::to_string(kind) + ", which is not known here");
  member.kind = static_cast<MemberKind>(kind);
  if (mode != 0xffff && mode > 07777) damaged(what, "has a mode that is none");
  if (mode != 0xffff) member.mode = mode;
  member.mtime = fields.i64();
  member.mtime_ns = fields.u32();
  if (member.mtime_ns >= 1'000'000'000) damaged(what, "has a time that is none");
  const std::uint64_t size = fields.u64();
  if (size != ~std::uint64_t{0}) member.size = size;
  const std::uint16_t name = fields.u16();
  if (name > max_name_bytes) damaged(what, "has a name of over 4096 bytes");
  member.name = fields.text(name);
  if (!is_text(member.name)) damaged(what, "has a NUL in its name");
  const std::uint32_t meta = fields.u32();
  if (meta > max_meta_bytes) damaged(what, "has a header of over 16 MiB");
  const ByteView header = fields.raw(meta);
  member.meta.assign(header.begin(), header.end());
  fields.expect_end();
  seen_.emplace_back(record_at_, 0);
  state_ = State::in_member;
  return member;
}

Item ArchiveReader::block(const Head& head) {
  // What is coded is never longer than what is stored: the encoder keeps the smaller.
  const ByteVector bytes = payload(head, block_head_bytes + max_block_bytes);
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
    damaged(what, "has settings that its coder does not");
  const ByteView rest = fields.rest();
  if (plain) {
    if (rest.size() != block.raw_bytes)
      damaged(what, "holds another number of bytes than it declares");
    if (crc32_of(rest) != block.raw_crc) damaged(what, "content checksum differs");
  }
  block.payload.assign(rest.begin(), rest.end());
  return block;
}

Item ArchiveReader::member_end(const Head& head) {
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

void ArchiveReader::index(const Head& head) {
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

void ArchiveReader::end(const Head& head) {
  const ByteVector bytes = payload(head, 16);
  WireReader fields(bytes, "end record");
  if (fields.u64() != index_at_ || fields.text(8) != "LPXEND\r\n")
    damaged("end record", "does not point at the index");
  fields.expect_end();
  state_ = State::before_header;
}

}  // namespace logpx::archive
