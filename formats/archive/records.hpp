// What an .lpx archive is made of (logpx-archive(5)): a header, then records. All numbers on the
// wire are little-endian; nothing needs seeking, neither to write nor to read.
#pragma once

#include "formats/archive/wire.hpp"
#include "formats/json/value.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace logpx::archive {

// Beyond these an archive is refused before anything is allocated.
inline constexpr std::uint32_t max_parameter_bytes = 65535, max_name_bytes = 4096;
inline constexpr std::uint32_t max_meta_bytes = 16u << 20, max_block_bytes = 16u << 20;
inline constexpr std::uint32_t max_prime_bytes = 16u << 20, max_borrowed = 1u << 24;
inline constexpr int max_json_depth = 8;
// An encoder closes a run when it reaches one of these.
inline constexpr std::uint64_t run_content_bytes = 16u << 20, run_table_bytes = 16u << 20,
                               run_members = 1u << 16, run_steps = 1u << 19;
// A decoder accepts no more: a group of rasters, or the last member's meta, may come on top.
inline constexpr std::uint64_t max_run_content = (1u << 28) + 2 * run_content_bytes,
                               max_run_table = run_table_bytes + max_meta_bytes + (1u << 20),
                               max_run_steps = 2 * run_steps;

inline constexpr std::uint16_t format_major = 2, format_minor = 6;
// The first version that was released. Of effort fast and without a prime it was written as 2.1.
inline constexpr std::uint16_t first_minor = 4, plain_minor = 1;
// Digits of the hash in the end record, and of that of what is read first, in the parameters.
inline constexpr std::size_t end_digits = 32, prime_digits = 32;
inline constexpr const char* prime_key = "prime";
inline constexpr std::string_view format_magic("\x89LPX\r\n\x1a\n", 8);

enum class RecordType : std::uint8_t {
  run = 1,
  block = 2,
  end = 3,
  model = 4,
  prime = 5,
  first_skippable = 128
};
// What kind of file a member is, and so how its content becomes the file again.
enum class MemberKind : std::uint16_t { bytes, text, pnm, idx, npy, pixels, own_png };
[[nodiscard]] const char* word_of(MemberKind kind);  // "bytes", "own-png"
// mixed: the adaptive coder, with the model as one of its voices.
enum class BlockCoder : std::uint8_t { stored, fallback, model, adaptive, mixed };
constexpr std::size_t block_coders = 5;
[[nodiscard]] const char* word_of(BlockCoder coder);

enum class ModelUse { none, named, embedded };
// The effort for content that no model codes: `fast` is the fallback coder, the others are the
// adaptive one in larger blocks, so that it learns more.
enum class Effort : std::uint8_t { fast, normal, best };
[[nodiscard]] const char* word_of(Effort effort);
[[nodiscard]] constexpr std::uint64_t block_bytes(Effort effort) {  // of rasters and bytes
  return effort == Effort::fast ? std::uint64_t{1} << 20 : max_block_bytes;
}

struct ArchiveHeader {
  std::uint16_t major = format_major, minor = format_minor;
  Effort effort = Effort::fast;
  ModelUse model = ModelUse::none;
  bool embeds_prime = false;         // what the adaptive coder reads first
  bool codes_sets = false;           // blocks of the model do without the order of items; since 2.5
  bool small = false;                // one record holds all else (small_archive.hpp); since 2.6
  std::string model_identity = {};   // 64 hexadecimal digits; empty without a model
  Json parameters = Json::object();  // whole numbers, strings, arrays and objects of these
};

struct Member {
  MemberKind kind = MemberKind::bytes;
  std::optional<std::uint16_t> mode;  // POSIX permissions
  std::int64_t mtime = 0;             // seconds
  std::uint32_t mtime_ns = 0;
  std::optional<std::uint64_t> size;  // of the original, if known beforehand
  std::string name;
  ByteVector meta;  // verbatim header bytes of the original, or what its kind needs
};

// How samples of several bytes lie in a block of that kind (libcore/codec/adaptive/form.hpp).
struct BlockSamples {
  std::uint8_t channels = 0, bytes = 0;
  bool big_endian = false, negative = false;
  std::uint32_t offset = 0;
  friend bool operator==(const BlockSamples&, const BlockSamples&) = default;
};
// How the adaptive coder sees a block (libcore/codec/adaptive/form.hpp).
struct BlockForm {
  std::uint8_t kind = 0;
  std::uint32_t row = 0, plane = 0;
  BlockSamples samples = {};
  bool reads_before = false;  // starts from what another text has taught
  bool at_normal = false;     // of the level normal although the effort is best
  friend bool operator==(const BlockForm&, const BlockForm&) = default;
};
// Kinds from 8 on, which 2.6 has, are named by a byte of their own; and so is, where blocks may be
// mixed, any kind that is coded at the level normal although the effort is best.
constexpr std::uint8_t block_kinds = 15, short_block_kinds = 8, samples_block = 8, text_block = 6;
// The number of a kind that meant another coder up to 2.5, and the number of that coder here.
constexpr std::uint8_t grey_block = 2, grey_block_of_2_5 = 64;

struct Block {
  BlockCoder coder = BlockCoder::stored;
  bool two_levels = false;  // samples of 0 and 1 are coded as bits
  BlockForm form = {};      // for the adaptive coder
  std::uint32_t lanes = 1;  // 1, 2, 4, 8
  std::uint32_t raw_bytes = 0, items = 0, bootstrap_items = 0, borrowed = 0;
  std::uint32_t raw_crc = 0;
  ByteVector payload;  // the serialised message, or the bytes themselves
};

// The end of a complete member.
struct MemberEnd {
  std::uint64_t size = 0;
  std::string sha256;  // 64 hexadecimal digits
};

// The table of a run (formats/archive/run.hpp), as a block of bytes.
struct CodedRun {
  Block table;
};

// The file that the adaptive coder reads first, as a block of bytes.
struct EmbeddedPrime {
  Block coded;
};

struct ArchiveEnd {
  std::uint64_t members = 0;
  std::string sha256;  // of the SHA-256 of every member, in order; its beginning
};

struct EmbeddedModel {
  ByteVector bytes;
};

// Text with sorted keys and no blanks; reals become strings of hexadecimal floats, truth 0 or 1.
[[nodiscard]] std::string canonical_json(const Json& value);
// 0x1.8p+1, in the one form of Python's float.hex().
[[nodiscard]] std::string hex_float(double value);

using ByteSink = std::function<void(ByteView)>;
// Fills the span as far as there are bytes; less than asked only at the end.
using ByteSupply = std::function<std::size_t(std::span<std::byte>)>;

}  // namespace logpx::archive
