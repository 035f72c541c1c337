// A scratch file for what must be read out of order: shuffled rows, archives from a pipe, arrays
// stored column by column. Removed with the object, also when the program is told to stop at once.
#pragma once

#include "formats/import/byte_source.hpp"
#include "libcore/base/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace logpx {

class SpoolFile {
 public:
  explicit SpoolFile(const std::filesystem::path& folder);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  void append(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // All of `out`, from `offset` on; the caller stays within size().
  void read_at(std::uint64_t offset, std::span<std::byte> out) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  stop::Temporary guard_;
};

// An input that is read by position: the file itself, or a spooled copy of stdin, a pipe, memory or
// inflated gzip. The whole of it has been read (and so checked and hashed) once it is open.
class SeekableBytes {
 public:
  explicit SeekableBytes(ByteSource source);
  ~SeekableBytes();
  SeekableBytes(const SeekableBytes&) = delete;
  SeekableBytes& operator=(const SeekableBytes&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  void read_at(std::uint64_t offset, std::span<std::byte> out) const;  // data error beyond the end
  [[nodiscard]] std::filesystem::path path() const { return path_; }
  [[nodiscard]] const SourceFile& record() const { return record_; }

 private:
  std::string name_;
  std::filesystem::path path_;
  SourceFile record_;
  std::uint64_t size_ = 0;
  std::unique_ptr<SpoolFile> spool_;
  int descriptor_ = -1;
};

}  // namespace logpx
