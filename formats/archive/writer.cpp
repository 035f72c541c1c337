#include "formats/archive/writer.hpp"

#include "libcore/base/error.hpp"
#include "libcore/math/numerics.hpp"

#include <bit>
#include <limits>

namespace logpx::archive {
namespace {

constexpr std::string_view magic("\x89LPX\r\n\x1a\n", 8);

}  // namespace

void ArchiveWriter::put(ByteView bytes) {
  sink_(bytes);
  offset_ += bytes.size();
}

void ArchiveWriter::record(RecordType type, ByteView payload, ByteView more) {
  const std::size_t size = payload.size() + more.size();
  LOGPX_ASSERT(size <= std::numeric_limits<std::uint32_t>::max());
  WireWriter head;
  head.u8(static_cast<std::uint8_t>(type)).u8(0).u16(0).u32(static_cast<std::uint32_t>(size));
  head.u32(crc32_of(head.bytes()));
  put(head.bytes());
  put(payload);
  put(more);
  put(WireWriter().u32(crc32_of(more, crc32_of(payload))).bytes());
}

void ArchiveWriter::header(const ArchiveHeader& header) {
  const std::string parameters = canonical_json(header.parameters);
  LOGPX_ASSERT(parameters.size() <= max_parameter_bytes);
  const std::string identity =
      header.model_identity.empty() ? std::string(64, '0') : header.model_identity;
  LOGPX_ASSERT(identity.size() == 64);
  std::uint32_t flags = header.model == ModelUse::none ? 1 : 0;
  if (header.model == ModelUse::embedded) flags = 2;
  WireWriter out;
  out.text(magic).u16(format_major).u16(format_minor).u32(flags).u32(numerics_id);
  out.u32(static_cast<std::uint32_t>(parameters.size())).raw(bytes_of_hex(identity)).u32(0);
  out.u32(crc32_of(bytes_of(parameters), crc32_of(out.bytes()))).text(parameters);
  put(out.bytes());
}

void ArchiveWriter::model(ByteView file) {
  LOGPX_ASSERT(index_.empty());
  if (file.size() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::data, "", "the model is too large to embed (at most 4 GiB)");
  record(RecordType::model, file);
}

void ArchiveWriter::begin(const Member& member) {
  LOGPX_ASSERT(member.meta.size() <= max_meta_bytes);
  if (member.name.size() > max_name_bytes)
    fail(ErrorKind::data, member.name.substr(0, 40) + "...", "has a name of over 4096 bytes");
  index_.push_back({offset_, 0});
  WireWriter out;
  out.u16(static_cast<std::uint16_t>(member.kind)).u16(member.mode.value_or(0xffff));
  out.i64(member.mtime).u32(member.mtime_ns).u64(member.size.value_or(~std::uint64_t{0}));
  out.u16(static_cast<std::uint16_t>(member.name.size())).text(member.name);
  out.u32(static_cast<std::uint32_t>(member.meta.size())).raw(member.meta);
  record(RecordType::member, out.bytes());
}

void ArchiveWriter::block(const Block& block) {
  LOGPX_ASSERT(std::has_single_bit(block.lanes) && block.lanes <= 8 &&
               block.raw_bytes <= max_block_bytes && block.items <= block.raw_bytes);
  WireWriter out;
  out.u8(static_cast<std::uint8_t>(block.coder));
  out.u8(static_cast<std::uint8_t>(std::countr_zero(block.lanes))).u16(0);
  out.u32(block.raw_bytes).u32(block.items).u32(block.bootstrap_items).u32(block.borrowed);
  out.u32(block.raw_crc);
  record(RecordType::block, out.bytes(), block.payload);
}

void ArchiveWriter::end(const MemberEnd& end) {
  LOGPX_ASSERT(!index_.empty() && end.sha256.size() == 64);
  index_.back().size = end.size;
  record(RecordType::member_end, WireWriter().u64(end.size).raw(bytes_of_hex(end.sha256)).bytes());
}

void ArchiveWriter::finish() {
  const std::uint64_t at = offset_;
  WireWriter out;
  out.u32(static_cast<std::uint32_t>(index_.size()));
  for (const Entry& entry : index_) out.u64(entry.offset).u64(entry.size);
  record(RecordType::index, out.bytes());
  record(RecordType::end, WireWriter().u64(at).text("LPXEND\r\n").bytes());
}

}  // namespace logpx::archive
