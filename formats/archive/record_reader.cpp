// Versions 2.6, 2.5, which has seven kinds of blocks, and 2.4, which has no sets.
#include "formats/archive/reader.hpp"
#include "formats/archive/small_archive.hpp"
#include "libcore/math/repeatable.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::uint64_t most_head = 32;  // in front of what is coded
constexpr unsigned last_flag = 32;       // behind the kind: of mixed blocks, or of those at normal

}  // namespace

ArchiveHeader RecordReader::header(ByteView begun) {
  ByteVector fixed = source_.take(1, "header");
  const auto first = std::to_integer<unsigned>(fixed.front());
  if (minor_ >= 6 && (first & small_flag) != 0)
    return small_header(first, crc32_of(fixed, crc32_of(begun)));
  const ByteVector more = source_.take(3, "header");
  fixed.insert(fixed.end(), more.begin(), more.end());
  WireReader fields(fixed, "header");
  const std::uint8_t flags = fields.u8(), numerics = fields.u8();
  const unsigned use = flags & 3, effort = flags >> 2 & 3, further = flags >> 4;
  const std::uint16_t length = fields.u16();
  if (minor_ == plain_minor && (effort > 0 || further > 0)) refuse_older(format_major, minor_);
  if (use > static_cast<unsigned>(ModelUse::embedded) ||
      effort > static_cast<unsigned>(Effort::best) || further > (minor_ < 5 ? 1u : 3u) ||
      (further > 1 && use == 0))
    damaged("header", "has flags that are not known here");
  const ByteVector identity = source_.take(use == 0 ? 0 : 32, "header");
  const ByteVector parameters = source_.take(length, "header");
  const ByteVector stored = source_.take(4, "header");
  const std::uint32_t crc =
      crc32_of(parameters, crc32_of(identity, crc32_of(fixed, crc32_of(begun))));
  if (WireReader(stored, "header").u32() != crc)
    damaged("header", "checksum differs: the archive is damaged");
  if (numerics != numerics_id)
    damaged("header",
            "was made with numerics " + std::to_string(numerics) + ", known is " +
                std::to_string(numerics_id),
            "a newer logpx may read it");
  ArchiveHeader header{.minor = minor_, .effort = static_cast<Effort>(effort)};
  effort_ = header.effort;
  header.model = static_cast<ModelUse>(use);
  header.embeds_prime = (further & 1) != 0;
  header.codes_sets = further >> 1 != 0;
  if (use != 0) header.model_identity = hex_of(identity);
  if (length > 0) header.parameters = parse_parameters(parameters);
  has_model_ = header.model != ModelUse::none;
  wants_model_ = header.model == ModelUse::embedded;
  wants_prime_ = header.embeds_prime;
  return header;
}

// Its record is read and checked with the header, which has no check sum of its own.
ArchiveHeader RecordReader::small_header(unsigned flags, std::uint32_t crc) {
  const unsigned effort = flags >> 2 & 3;
  if ((flags & ~(small_flag | primed_flag | 12u)) != 0 ||
      effort > static_cast<unsigned>(Effort::best))
    damaged("header", "has flags that are not known here");
  ArchiveHeader header{.minor = minor_, .effort = static_cast<Effort>(effort), .small = true};
  effort_ = header.effort;
  const bool primed = (flags & primed_flag) != 0;
  const ByteVector prime = source_.take(primed ? prime_digits / 2 : 0, "header");
  if (primed) header.parameters.set(prime_key, hex_of(prime));
  ByteVector size;
  take_varint(size);
  hold_small({RecordType::block, WireReader(size, "header").varint(),
              crc32_of(size, crc32_of(prime, crc))});
  return header;
}

// Gives what a run of this member alone would be.
void RecordReader::hold_small(const Record& record) {
  const ByteVector bytes = payload(record, max_small_record);
  WireReader fields(bytes, what());
  const Run run = read_small_member(fields);
  CodedRun coded;
  coded.table.payload = serialise(run);
  coded.table.raw_bytes = static_cast<std::uint32_t>(coded.table.payload.size());
  coded.table.raw_crc = crc32_of(coded.table.payload);
  held_.emplace_back(std::move(coded));
  if (run.entries.front().content > 0) held_.emplace_back(block(fields));
  else fields.expect_end();
  held_.emplace_back(ArchiveEnd{.members = 1, .sha256 = ""});
  ended_ = true;
}

std::string RecordReader::what() const {
  if (now_ == RecordType::block) return "block " + std::to_string(blocks_ + 1);
  return now_ == RecordType::run ? "table of members after " + place() : "record after " + place();
}

void RecordReader::take_varint(ByteVector& head) {
  constexpr std::size_t longest = 10;
  for (std::size_t i = 0; i < longest; ++i) {
    head.push_back(source_.take(1, what()).front());
    if ((head.back() & std::byte{128}) == std::byte{0}) return;
  }
}

RecordReader::Record RecordReader::record() {
  now_ = RecordType::end;
  ByteVector head = source_.take(1, what());
  take_varint(head);
  WireReader fields(head, what());
  const auto type = static_cast<RecordType>(fields.u8());
  const std::uint64_t size = fields.varint();
  const bool known = type >= RecordType::run && type <= RecordType::prime;
  if (!known && type < RecordType::first_skippable)
    damaged(what(), "is of a type that is not known here", "the archive is damaged, or newer");
  return {type, size, crc32_of(head)};
}

void RecordReader::check_sum(std::uint32_t crc) {
  const ByteVector stored = source_.take(4, what());
  if (WireReader(stored, what()).u32() != crc)
    damaged(what(), "checksum differs: the archive is damaged");
}

ByteVector RecordReader::payload(const Record& record, std::uint64_t limit) {
  if (record.size > limit)
    damaged(what(), "declares " + std::to_string(record.size) + " bytes, at most " +
                        std::to_string(limit) + " allowed");
  ByteVector bytes = source_.take(record.size, what());
  check_sum(crc32_of(bytes, record.crc));
  return bytes;
}

std::optional<Item> RecordReader::next() {
  if (!held_.empty()) {
    Item item = std::move(held_.front());
    held_.pop_front();
    blocks_ += std::holds_alternative<Block>(item) ? 1 : 0;
    return item;
  }
  while (!ended_) {
    const Record found = record();
    now_ = found.type;
    if (found.type < RecordType::first_skippable) return item(found);
    check_sum(source_.pass(found.size, what(), found.crc));
  }
  return std::nullopt;
}

// What the header promises comes before everything else: the prime, then the model.
void RecordReader::check_order(RecordType type) const {
  const bool prime = type == RecordType::prime, model = type == RecordType::model;
  if (prime != wants_prime_)
    damaged(what(), prime ? "is a prime out of place" : "is where the prime should be");
  if (!prime && model != wants_model_)
    damaged(what(), model ? "is a model out of place" : "is where the model should be");
  if (type == RecordType::block && !in_run_) damaged(what(), "belongs to no member");
}

Block RecordReader::sized_block(const Record& record, std::uint64_t most) {
  const ByteVector bytes = payload(record, most_head + most);
  WireReader fields(bytes, what());
  const std::uint64_t size = fields.varint();
  if (size > most) damaged(what(), "declares over " + std::to_string(most) + " bytes of content");
  Block found = block(fields);
  found.raw_bytes = found.items = static_cast<std::uint32_t>(size);
  return found;
}

Item RecordReader::item(const Record& record) {
  check_order(record.type);
  if (record.type == RecordType::prime) {
    wants_prime_ = false;
    return EmbeddedPrime{sized_block(record, max_prime_bytes)};
  }
  if (record.type == RecordType::model) {
    wants_model_ = false;
    return EmbeddedModel{payload(record, model_limit_)};
  }
  if (record.type == RecordType::run) {
    in_run_ = true;
    return CodedRun{sized_block(record, max_run_table)};
  }
  if (record.type == RecordType::block) {
    // Coded bytes may be longer than the original where a model alone had to code it.
    const ByteVector bytes = payload(record, most_head + max_block_bytes);
    Block found = block(WireReader(bytes, what()));
    ++blocks_;
    return found;
  }
  constexpr std::size_t hash_bytes = end_digits / 2;
  const ByteVector bytes = payload(record, 10 + hash_bytes);
  WireReader fields(bytes, what());
  ArchiveEnd end;
  end.members = fields.varint();
  end.sha256 = hex_of(fields.raw(hash_bytes));
  fields.expect_end();
  ended_ = true;
  return end;
}

Block RecordReader::block(WireReader fields) const {
  const unsigned head = fields.u8();
  if ((head & 3) == static_cast<unsigned>(BlockCoder::adaptive))
    return adaptive_block(head >> 2, fields);
  Block block;
  const unsigned coder = head & 3;
  if (coder > static_cast<unsigned>(BlockCoder::model) || head > 31)
    damaged(what(), "is coded in a way that is not known here");
  block.coder = static_cast<BlockCoder>(coder);
  block.lanes = 1u << (head >> 2 & 3);
  block.two_levels = head >> 4 != 0;
  const bool by_model = block.coder == BlockCoder::model, plain = block.coder == BlockCoder::stored;
  if ((plain && head != 0) || (by_model && block.two_levels))
    damaged(what(), "has settings that its coder does not have");
  const std::uint64_t bootstrap = by_model ? fields.varint() : 0,
                      borrowed = plain ? 0 : fields.varint();
  if (bootstrap > max_block_bytes) damaged(what(), "declares more items than bytes");
  if (borrowed > max_borrowed) damaged(what(), "borrows too much");
  block.bootstrap_items = static_cast<std::uint32_t>(bootstrap);
  block.borrowed = static_cast<std::uint32_t>(borrowed);
  block.raw_crc = fields.u32();
  block.payload.assign(fields.rest().begin(), fields.rest().end());
  return block;
}

// Only blocks of a run are mixed, and only where there is a model.
bool RecordReader::may_be_mixed() const { return has_model_ && now_ == RecordType::block; }

// Its kind, of which three bits are known, plus 128 where it is of the level normal although the
// effort is best.
unsigned RecordReader::kind_of_block(unsigned form, WireReader& fields) const {
  const bool is_short = (form & 7) != 0 || minor_ < 6,
             says_level = (form & last_flag) != 0 && !may_be_mixed();
  const unsigned found = is_short ? (form & 7) | (says_level ? 128 : 0) : fields.u8(),
                 kind = found & 127;
  const bool at_normal = found > 127;
  if (kind == 0 || kind >= block_kinds || (!is_short && kind < short_block_kinds && !at_normal) ||
      (!is_short && says_level) || (at_normal && (effort_ != Effort::best || minor_ < 6)))
    damaged(what(), "is of a kind that is not known here");
  return found;
}

BlockSamples RecordReader::samples(WireReader& fields) const {
  BlockSamples samples;
  samples.channels = fields.u8();
  const unsigned layout = fields.u8();
  const std::uint64_t offset = fields.varint();
  if (layout > 15 || offset > max_block_bytes)
    damaged(what(), "has samples of a layout that is not known here");
  samples.bytes = static_cast<std::uint8_t>((layout & 3) + 1);
  samples.big_endian = (layout & 4) != 0;
  samples.negative = (layout & 8) != 0;
  samples.offset = static_cast<std::uint32_t>(offset);
  return samples;
}

std::uint8_t RecordReader::coder_of_kind(unsigned kind) const {
  if (kind == grey_block && minor_ < 6) return grey_block_of_2_5;
  return static_cast<std::uint8_t>(kind);
}

// Its coder checks whether its rows fit the content.
Block RecordReader::adaptive_block(unsigned form, WireReader fields) const {
  const unsigned packed = form >> 3 & 1, before = form >> 4 & 1;
  const unsigned found = kind_of_block(form, fields), kind = found & 127;
  const std::uint64_t row = fields.varint(), plane = fields.varint();
  if (row > max_block_bytes || plane > max_block_bytes || effort_ == Effort::fast)
    damaged(what(), "is coded in a way that is not known here");
  Block block;
  const bool mixed = (form & last_flag) != 0 && may_be_mixed();
  block.coder = mixed ? BlockCoder::mixed : BlockCoder::adaptive;
  block.two_levels = packed != 0;
  block.form = {.kind = coder_of_kind(kind),
                .row = static_cast<std::uint32_t>(row),
                .plane = static_cast<std::uint32_t>(plane),
                .samples = kind == samples_block ? samples(fields) : BlockSamples(),
                .reads_before = before != 0,
                .at_normal = found > 127};
  block.raw_crc = fields.u32();
  block.payload.assign(fields.rest().begin(), fields.rest().end());
  return block;
}

}  // namespace logpx::archive
