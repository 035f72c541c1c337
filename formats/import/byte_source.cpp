#include "formats/import/byte_source.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/stop.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace logpx {
namespace {

constexpr std::size_t raw_buffer_bytes = 64 * 1024;
constexpr std::string_view gzip_magic = "\x1f\x8b";

}  // namespace

struct ByteSource::State {
  std::string name, path;
  std::optional<ByteReader> reader;  // else memory
  std::vector<std::byte> memory;
  StoredBytes stored;  // else these
  std::uint64_t memory_used = 0, stored_used = 0;
  std::optional<std::uint64_t> raw_size;

  std::vector<std::byte> raw = std::vector<std::byte>(raw_buffer_bytes);
  std::size_t raw_begin = 0, raw_end = 0;
  std::uint64_t raw_bytes = 0, plain_bytes = 0;
  Sha256 raw_hash, plain_hash;

  bool gzip = false, gzip_ended = false;
  z_stream inflater{};
  std::vector<std::byte> peeked;
  std::size_t peeked_used = 0;

  ~State() {
    if (gzip) inflateEnd(&inflater);
  }

  void start();
  std::size_t read_raw(std::span<std::byte> out);
  bool fill_raw();
  std::size_t read_plain(std::span<std::byte> out);
  std::size_t read_inflated(std::span<std::byte> out);
  void check_inflate(int status);
  void next_member();
};

void ByteSource::State::start() {
  fill_raw();
  gzip = begins_with({raw.data(), raw_end}, gzip_magic);
  if (!gzip) return;
  if (inflateInit2(&inflater, 16 + MAX_WBITS) != Z_OK)
    fail(ErrorKind::io, name, "cannot start zlib");
}

std::size_t ByteSource::State::read_raw(std::span<std::byte> out) {
  std::size_t count = 0;
  if (reader) {
    count = reader->read(out);
  } else if (stored.read_at) {
    count =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), stored.size - stored_used));
    stored.read_at(stored_used, out.first(count));
    stored_used += count;
  } else {
    count = std::min(out.size(), memory.size() - memory_used);
    if (count > 0) std::memcpy(out.data(), memory.data() + memory_used, count);
    memory_used += count;
  }
  raw_hash.update(out.first(count));
  raw_bytes += count;
  return count;
}

// Adds to the buffer after what is still in it; false at the end of the file.
bool ByteSource::State::fill_raw() {
  std::copy(raw.begin() + static_cast<std::ptrdiff_t>(raw_begin),
            raw.begin() + static_cast<std::ptrdiff_t>(raw_end), raw.begin());
  raw_end -= raw_begin;
  raw_begin = 0;
  const std::size_t count = read_raw(std::span(raw).subspan(raw_end));
  raw_end += count;
  return count > 0;
}

std::size_t ByteSource::State::read_plain(std::span<std::byte> out) {
  const std::size_t buffered = std::min(out.size(), raw_end - raw_begin);
  if (buffered > 0) std::memcpy(out.data(), raw.data() + raw_begin, buffered);
  raw_begin += buffered;
  return buffered + read_raw(out.subspan(buffered));
}

void ByteSource::State::check_inflate(int status) {
  if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) return;
  const std::string_view words = inflater.msg == nullptr ? "" : inflater.msg;
  if (words == "incorrect data check" || words == "incorrect length check")
    fail(ErrorKind::data, name, "gzip checksum does not match");
  if (status == Z_MEM_ERROR) fail(ErrorKind::io, name, "no memory to inflate");
  fail(ErrorKind::data, name,
       "gzip stream is damaged after " + std::to_string(plain_bytes) + " bytes");
}

// After the end of a member: another one, zero padding, or the end of the file.
void ByteSource::State::next_member() {
  while (raw_end - raw_begin < gzip_magic.size() && fill_raw()) {
  }
  const std::span<const std::byte> rest(raw.data() + raw_begin, raw_end - raw_begin);
  const bool cut = rest.size() == 1 && begins_with(rest, gzip_magic.substr(0, 1));
  if (cut || begins_with(rest, gzip_magic)) {  // a cut one runs out of input in read_inflated()
    inflateReset(&inflater);
    return;
  }
  gzip_ended = true;
  std::uint64_t count = 0;
  bool only_zeros = true;
  do {
    for (; raw_begin < raw_end; ++raw_begin, ++count)
      only_zeros = only_zeros && raw[raw_begin] == std::byte{0};
  } while (fill_raw());
  if (!only_zeros)
    fail(ErrorKind::data, name, std::to_string(count) + " bytes after the end of the gzip stream");
}

std::size_t ByteSource::State::read_inflated(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size() && !gzip_ended) {
    if (raw_begin == raw_end && !fill_raw())
      fail(ErrorKind::data, name,
           "gzip stream ends early after " + std::to_string(plain_bytes) + " bytes");
    const auto wanted = static_cast<uInt>(std::min<std::size_t>(out.size() - done, 1u << 30));
    inflater.next_in = reinterpret_cast<Bytef*>(raw.data() + raw_begin);
    inflater.avail_in = static_cast<uInt>(raw_end - raw_begin);
    inflater.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    inflater.avail_out = wanted;
    const int status = inflate(&inflater, Z_NO_FLUSH);
    raw_begin = raw_end - inflater.avail_in;
    const std::size_t made = wanted - inflater.avail_out;
    plain_hash.update(out.subspan(done, made));
    plain_bytes += made;
    done += made;
    check_inflate(status);
    if (status == Z_STREAM_END) next_member();
  }
  return done;
}

ByteSource::ByteSource(const std::string& path) : state_(std::make_unique<State>()) {
  state_->reader.emplace(path);
  state_->name = state_->reader->name();
  state_->path = path;
  std::error_code failed;
  if (path != "-" && std::filesystem::is_regular_file(path, failed)) {
    const std::uintmax_t size = std::filesystem::file_size(path, failed);
    if (!failed) state_->raw_size = size;
  }
  state_->start();
}

ByteSource::ByteSource(std::string name, std::vector<std::byte> memory)
    : state_(std::make_unique<State>()) {
  state_->name = std::move(name);
  state_->memory = std::move(memory);
  state_->raw_size = state_->memory.size();
  state_->start();
}

ByteSource::ByteSource(StoredBytes stored) : state_(std::make_unique<State>()) {
  state_->name = stored.name;
  state_->raw_size = stored.size;
  state_->stored = std::move(stored);
  state_->start();
}

ByteSource::~ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;

const std::string& ByteSource::name() const { return state_->name; }

std::optional<std::uint64_t> ByteSource::size() const {
  return state_->gzip ? std::nullopt : state_->raw_size;
}

std::optional<std::string> ByteSource::plain_path() const {
  if (state_->gzip || !state_->reader || !state_->raw_size) return std::nullopt;
  return state_->path;
}

std::size_t ByteSource::read(std::span<std::byte> out) {
  const std::size_t early = std::min(out.size(), state_->peeked.size() - state_->peeked_used);
  if (early > 0) std::memcpy(out.data(), state_->peeked.data() + state_->peeked_used, early);
  state_->peeked_used += early;
  const std::span<std::byte> rest = out.subspan(early);
  return early + (state_->gzip ? state_->read_inflated(rest) : state_->read_plain(rest));
}

std::span<const std::byte> ByteSource::peek(std::size_t count) {
  std::vector<std::byte> ahead(count);
  ahead.resize(read(ahead));
  state_->peeked.erase(state_->peeked.begin(),
                       state_->peeked.begin() + static_cast<std::ptrdiff_t>(state_->peeked_used));
  state_->peeked.insert(state_->peeked.begin(), ahead.begin(), ahead.end());
  state_->peeked_used = 0;
  return std::span<const std::byte>(state_->peeked).first(ahead.size());
}

std::uint64_t ByteSource::compressed_bytes() const {
  return state_->raw_size.value_or(state_->raw_bytes);
}

std::optional<SourceFile> ByteSource::finish() {
  (void)drain(*this);
  if (state_->stored.read_at) return state_->stored.file;
  SourceFile file;
  file.name = state_->name;
  file.bytes = state_->raw_bytes;
  file.sha256 = state_->raw_hash.hex();
  file.sha256_uncompressed = state_->gzip ? state_->plain_hash.hex() : file.sha256;
  return file;
}

std::uint64_t drain(ByteStream& stream) {
  std::vector<std::byte> buffer(raw_buffer_bytes);
  std::uint64_t total = 0;
  while (const std::size_t count = stream.read(buffer)) {
    stop::check();
    total += count;
  }
  return total;
}

std::vector<std::byte> read_whole(ByteStream& stream, std::uint64_t limit) {
  if (const auto size = stream.size(); size && *size > limit)
    fail(ErrorKind::data, stream.name(),
         "has " + std::to_string(*size) + " bytes, at most " + std::to_string(limit) + " allowed");
  // With room for one byte more than expected, one turn of the loop reaches the end.
  std::vector<std::byte> bytes(static_cast<std::size_t>(stream.size().value_or(64 * 1024)) + 1);
  std::size_t used = 0;
  while (true) {
    const std::size_t count = stream.read(std::span(bytes).subspan(used));
    used += count;
    if (used > limit)
      fail(ErrorKind::data, stream.name(), "has more than " + std::to_string(limit) + " bytes");
    if (used < bytes.size()) break;
    bytes.resize(used + used / 2);
  }
  bytes.resize(used);
  return bytes;
}

std::string hex_words(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    if (!text.empty()) text += ' ';
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

bool begins_with(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

}  // namespace logpx
