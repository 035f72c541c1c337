#include "formats/import/zip.hpp"

#include "libcore/base/error.hpp"

#include <zlib.h>

#include <algorithm>

namespace logpx {
namespace {

constexpr std::uint64_t max_directory = std::uint64_t{16} << 20;
constexpr std::uint32_t sign_local = 0x04034b50, sign_entry = 0x02014b50, sign_end = 0x06054b50,
                        sign_end64 = 0x06064b50, sign_locator64 = 0x07064b50;

// Little-endian fields of a record, bounds checked.
class Record {
 public:
  Record(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t width) const {
    need(at, width);
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;)
      value = value << 8 | std::to_integer<std::uint64_t>(bytes_[at + i]);
    return value;
  }
  [[nodiscard]] std::uint16_t u16(std::size_t at) const {
    return static_cast<std::uint16_t>(number(at, 2));
  }
  [[nodiscard]] std::uint32_t u32(std::size_t at) const {
    return static_cast<std::uint32_t>(number(at, 4));
  }
  [[nodiscard]] std::span<const std::byte> part(std::size_t at, std::size_t size) const {
    need(at, size);
    return bytes_.subspan(at, size);
  }

 private:
  void need(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at)
      fail(ErrorKind::data, name_, "zip directory is damaged");
  }
  std::span<const std::byte> bytes_;
  const std::string& name_;
};

std::vector<std::byte> bytes_at(const SeekableBytes& archive, std::uint64_t offset,
                                std::size_t size) {
  std::vector<std::byte> bytes(size);
  archive.read_at(offset, bytes);
  return bytes;
}

struct DirectoryPlace {
  std::uint64_t entries = 0, size = 0, offset = 0;
};

DirectoryPlace find_directory(const SeekableBytes& archive) {
  // The end record is the last thing but for a comment of at most 64 KiB.
  const auto tail_size =
      static_cast<std::size_t>(std::min<std::uint64_t>(archive.size(), 22 + 65535));
  const std::uint64_t tail_at = archive.size() - tail_size;
  const std::vector<std::byte> tail = bytes_at(archive, tail_at, tail_size);
  const Record record(tail, archive.name());
  std::size_t at = tail_size;
  do {
    if (at-- < 1 || tail_size < 22)
      fail(ErrorKind::data, archive.name(), "zip directory is missing");
  } while (at + 22 > tail_size || record.u32(at) != sign_end);
  DirectoryPlace place{record.u16(at + 10), record.u32(at + 12), record.u32(at + 16)};
  const bool wide =
      place.entries == 0xffff || place.size == 0xffffffff || place.offset == 0xffffffff;
  if (!wide || tail_at + at < 20) return place;
  const std::vector<std::byte> locator = bytes_at(archive, tail_at + at - 20, 20);
  const Record where(locator, archive.name());
  if (where.u32(0) != sign_locator64) return place;
  const std::vector<std::byte> end64 = bytes_at(archive, where.number(8, 8), 56);
  const Record wide_end(end64, archive.name());
  if (wide_end.u32(0) != sign_end64)
    fail(ErrorKind::data, archive.name(), "zip directory is damaged");
  return {wide_end.number(32, 8), wide_end.number(40, 8), wide_end.number(48, 8)};
}

// The zip64 extra field holds, in this order, those of size, compressed and offset that are all
// ones.
void widen(ZipEntry& entry, std::span<const std::byte> extra, const std::string& name) {
  const Record record(extra, name);
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::size_t size = record.u16(at + 2);
    if (record.u16(at) == 1) {
      const Record wide(record.part(at + 4, size), name);
      std::size_t next = 0;
      for (std::uint64_t* field : {&entry.size, &entry.compressed, &entry.offset}) {
        if (*field != 0xffffffff) continue;
        *field = wide.number(next, 8);
        next += 8;
      }
    }
    at += 4 + size;
  }
}

class ZipMember final : public ByteStream {
 public:
  ZipMember(const SeekableBytes& archive, const ZipEntry& entry)
      : archive_(archive), entry_(entry), name_(archive.name() + ": " + entry.name) {
    if (entry.method != 0 && entry.method != 8)
      fail(ErrorKind::data, name_,
           "compression method " + std::to_string(entry.method) + " is not supported");
    const std::vector<std::byte> header = bytes_at(archive, entry.offset, 30);
    const Record record(header, archive.name());
    if (record.u32(0) != sign_local) fail(ErrorKind::data, name_, "local zip header is damaged");
    at_ = entry.offset + 30 + record.u16(26) + record.u16(28);
    left_ = entry.compressed;
    if (entry.method == 0 && entry.size != entry.compressed)
      fail(ErrorKind::data, name_, "stored size differs from its size");
    if (entry.method == 8 && inflateInit2(&inflater_, -MAX_WBITS) != Z_OK)
      fail(ErrorKind::io, name_, "cannot start zlib");
  }
  ~ZipMember() override {
    if (entry_.method == 8) inflateEnd(&inflater_);
  }
  ZipMember(const ZipMember&) = delete;
  ZipMember& operator=(const ZipMember&) = delete;

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return entry_.size; }

  [[nodiscard]] std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = entry_.method == 0 ? read_stored(out) : read_deflated(out);
    for (std::size_t done = 0; done < count;) {
      const auto piece = static_cast<uInt>(std::min<std::size_t>(count - done, 1u << 30));
      crc_ = crc32(crc_, reinterpret_cast<const Bytef*>(out.data() + done), piece);
      done += piece;
    }
    made_ += count;
    if (made_ > entry_.size || (count < out.size() && made_ != entry_.size))
      fail(ErrorKind::data, name_, "has not the size that the zip directory says");
    if (made_ == entry_.size && crc_ != entry_.crc)
      fail(ErrorKind::data, name_, "zip checksum does not match");
    return count;
  }

  [[nodiscard]] std::optional<SourceFile> finish() override {
    (void)drain(*this);
    return std::nullopt;
  }

 private:
  std::size_t read_stored(std::span<std::byte> out) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_));
    archive_.read_at(at_, out.first(count));
    at_ += count;
    left_ -= count;
    return count;
  }

  std::size_t read_deflated(std::span<std::byte> out) {
    std::size_t done = 0;
    while (done < out.size() && !ended_) {
      if (inflater_.avail_in == 0) refill();
      const auto wanted = static_cast<uInt>(std::min<std::size_t>(out.size() - done, 1u << 30));
      inflater_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
      inflater_.avail_out = wanted;
      const int status = inflate(&inflater_, Z_NO_FLUSH);
      done += wanted - inflater_.avail_out;
      if (status == Z_STREAM_END) ended_ = true;
      else if (status != Z_OK && (status != Z_BUF_ERROR || left_ == 0))
        fail(ErrorKind::data, name_, "deflated data are damaged");
    }
    return done;
  }

  void refill() {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(64 * 1024, left_)));
    archive_.read_at(at_, buffer_);
    at_ += buffer_.size();
    left_ -= buffer_.size();
    inflater_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    inflater_.avail_in = static_cast<uInt>(buffer_.size());
  }

  const SeekableBytes& archive_;
  ZipEntry entry_;
  std::string name_;
  std::uint64_t at_ = 0, left_ = 0, made_ = 0;
  std::vector<std::byte> buffer_;
  z_stream inflater_{};
  uLong crc_ = crc32(0, nullptr, 0);
  bool ended_ = false;
};

}  // namespace

std::vector<ZipEntry> read_zip_directory(const SeekableBytes& archive) {
  const std::string& name = archive.name();
  const DirectoryPlace place = find_directory(archive);
  if (place.size > max_directory || place.entries > place.size / 46)
    fail(ErrorKind::data, name, "zip directory is damaged");
  const std::vector<std::byte> bytes =
      bytes_at(archive, place.offset, static_cast<std::size_t>(place.size));
  const Record record(bytes, name);
  std::vector<ZipEntry> entries;
  for (std::size_t at = 0; entries.size() < place.entries;) {
    if (record.u32(at) != sign_entry) fail(ErrorKind::data, name, "zip directory is damaged");
    const std::size_t name_size = record.u16(at + 28), extra_size = record.u16(at + 30);
    const auto text = record.part(at + 46, name_size);
    ZipEntry entry{.name = {reinterpret_cast<const char*>(text.data()), text.size()},
                   .method = record.u16(at + 10),
                   .crc = record.u32(at + 16),
                   .compressed = record.u32(at + 20),
                   .size = record.u32(at + 24),
                   .offset = record.u32(at + 42)};
    if ((record.u16(at + 8) & 1) != 0) fail(ErrorKind::data, name, entry.name + " is encrypted");
    widen(entry, record.part(at + 46 + name_size, extra_size), name);
    entries.push_back(std::move(entry));
    at += 46 + name_size + extra_size + record.u16(at + 32);
  }
  return entries;
}

std::unique_ptr<ByteStream> open_zip_member(const SeekableBytes& archive, const ZipEntry& entry) {
  return std::make_unique<ZipMember>(archive, entry);
}

}  // namespace logpx
