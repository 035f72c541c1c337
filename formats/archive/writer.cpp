#include "formats/archive/writer.hpp"

#include "formats/archive/small_archive.hpp"
#include "libcore/base/error.hpp"
#include "libcore/math/repeatable.hpp"

#include <bit>
#include <limits>

namespace logpx::archive {
namespace {

void put_samples(WireWriter& out, const BlockSamples& samples) {
  LOGPX_ASSERT(samples.bytes >= 1 && samples.bytes <= 4);
  out.u8(samples.channels)
      .u8(static_cast<std::uint8_t>((samples.bytes - 1) | (samples.big_endian ? 4 : 0) |
                                    (samples.negative ? 8 : 0)))
      .varint(samples.offset);
}

// Describes a coded block, without its bytes. Where none can be mixed, the flag of such blocks says
// that this one is of the level normal.
WireWriter block_head(const Block& block, MayMix may_mix) {
  LOGPX_ASSERT(std::has_single_bit(block.lanes) && block.lanes <= 8);
  WireWriter out;
  if (block.coder == BlockCoder::adaptive || block.coder == BlockCoder::mixed) {
    const BlockForm& form = block.form;
    LOGPX_ASSERT(form.kind > 0 && form.kind < block_kinds);  // of this version
    const bool is_short =
        form.kind < short_block_kinds && (!form.at_normal || may_mix == MayMix::no);
    const bool flag = block.coder == BlockCoder::mixed || (is_short && form.at_normal);
    const int short_kind = is_short ? form.kind : 0;
    out.u8(static_cast<std::uint8_t>(static_cast<int>(BlockCoder::adaptive) | short_kind << 2 |
                                     (block.two_levels ? 32 : 0) | (form.reads_before ? 64 : 0) |
                                     (flag ? 128 : 0)));
    if (!is_short) out.u8(static_cast<std::uint8_t>(form.kind | (form.at_normal ? 128 : 0)));
    out.varint(form.row).varint(form.plane);
    if (form.kind == samples_block) put_samples(out, form.samples);
    return out.u32(block.raw_crc);
  }
  const int lanes = std::countr_zero(block.lanes), levels = block.two_levels ? 1 : 0;
  out.u8(static_cast<std::uint8_t>(static_cast<int>(block.coder) | lanes << 2 | levels << 4));
  if (block.coder == BlockCoder::model) out.varint(block.bootstrap_items);
  if (block.coder != BlockCoder::stored) out.varint(block.borrowed);
  return out.u32(block.raw_crc);
}

}  // namespace

std::size_t bytes_of_block(const Block& block, MayMix may_mix) {
  return block_head(block, may_mix).bytes().size() + block.payload.size();
}

void ArchiveWriter::put(ByteView bytes) {
  sink_(bytes);
  offset_ += bytes.size();
}

void ArchiveWriter::record(RecordType type, ByteView payload, ByteView more) {
  const std::size_t size = payload.size() + more.size();
  LOGPX_ASSERT(size <= std::numeric_limits<std::uint32_t>::max());
  WireWriter head;
  head.u8(static_cast<std::uint8_t>(type)).varint(size);
  put(head.bytes());
  put(payload);
  put(more);
  put(WireWriter().u32(crc32_of(more, crc32_of(payload, crc32_of(head.bytes())))).bytes());
}

void ArchiveWriter::header(const ArchiveHeader& header) {
  const bool any = header.parameters.size() > 0;
  const std::string parameters = any ? canonical_json(header.parameters) : "";
  LOGPX_ASSERT(parameters.size() <= max_parameter_bytes);
  WireWriter out;
  out.text(format_magic).u16(format_major).u16(format_minor);
  out.u8(static_cast<std::uint8_t>(static_cast<int>(header.model) |
                                   static_cast<int>(header.effort) << 2 |
                                   (header.embeds_prime ? 16 : 0) | (header.codes_sets ? 32 : 0)));
  out.u8(numerics_id);
  out.u16(static_cast<std::uint16_t>(parameters.size()));
  if (header.model != ModelUse::none) {
    LOGPX_ASSERT(header.model_identity.size() == 64);
    out.raw(bytes_of_hex(header.model_identity));
  }
  out.text(parameters);
  out.u32(crc32_of(out.bytes()));
  put(out.bytes());
  has_model_ = header.model != ModelUse::none;
}

void ArchiveWriter::small(const ArchiveHeader& header, const Run::Entry& member,
                          const std::optional<Block>& block) {
  LOGPX_ASSERT(header.model == ModelUse::none && !header.embeds_prime);
  const Json* const prime = header.parameters.find(prime_key);
  LOGPX_ASSERT(header.parameters.size() == (prime == nullptr ? 0 : 1));
  WireWriter record;
  write_small_member(record, member);
  if (block) record.raw(block_head(*block, MayMix::no).bytes()).raw(block->payload);
  WireWriter out;
  out.text(format_magic).u16(format_major).u16(format_minor);
  out.u8(static_cast<std::uint8_t>(static_cast<unsigned>(header.effort) << 2 | small_flag |
                                   (prime != nullptr ? primed_flag : 0)));
  if (prime != nullptr) out.raw(bytes_of_hex(prime->string()));
  out.varint(record.bytes().size()).raw(record.bytes());
  out.u32(crc32_of(out.bytes()));
  put(out.bytes());
}

void ArchiveWriter::prime(const Block& coded) {
  LOGPX_ASSERT(coded.raw_bytes <= max_prime_bytes);
  sized_block(RecordType::prime, coded);
}

void ArchiveWriter::model(ByteView file) {
  if (file.size() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::data, "", "the model is too large to embed (at most 4 GiB)");
  record(RecordType::model, file);
}

// A block with its size, which is recorded nowhere else.
void ArchiveWriter::sized_block(RecordType type, const Block& block) {
  WireWriter out;
  out.varint(block.raw_bytes).raw(block_head(block, MayMix::no).bytes());
  record(type, out.bytes(), block.payload);
}

void ArchiveWriter::run(const Block& table) { sized_block(RecordType::run, table); }

void ArchiveWriter::block(const Block& block) {
  LOGPX_ASSERT(block.raw_bytes <= max_block_bytes && block.payload.size() <= max_block_bytes);
  const MayMix may_mix = has_model_ ? MayMix::yes : MayMix::no;
  record(RecordType::block, block_head(block, may_mix).bytes(), block.payload);
}

void ArchiveWriter::finish(const ArchiveEnd& end) {
  LOGPX_ASSERT(end.sha256.size() >= end_digits);
  const ByteVector hash = bytes_of_hex(end.sha256.substr(0, end_digits));
  record(RecordType::end, WireWriter().varint(end.members).raw(hash).bytes());
}

}  // namespace logpx::archive
