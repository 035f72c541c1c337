// Inputs: what a path is, and how a stream becomes a file that HDF5 can seek in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx {

// A readable file on disk for something that needs seeking. "-", pipes and devices are copied to a
// spool file first, which is removed when the object goes (or by unlink_spool() once it is open).
class SeekableInput {
 public:
  explicit SeekableInput(const std::string& source);
  ~SeekableInput();
  SeekableInput(SeekableInput&&) noexcept;
  SeekableInput& operator=(SeekableInput&&) noexcept;

  [[nodiscard]] const std::string& name() const { return name_; }  // for messages: "-" is "stdin"
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void unlink_spool();

 private:
  std::string name_;
  std::filesystem::path path_;
  bool spooled_ = false;
};

// Opens for reading; a pipe waits for its writer.
[[nodiscard]] int open_descriptor(const std::string& path, const std::string& name);
// Fills as much of `out` as there is; less than asked only at the end.
[[nodiscard]] std::size_t read_fully(int descriptor, const std::string& name,
                                     std::span<std::byte> out);

// Bytes in order, from a file, a pipe or stdin ("-").
class ByteReader {
 public:
  explicit ByteReader(const std::string& source);
  ~ByteReader();
  ByteReader(ByteReader&&) noexcept;
  ByteReader& operator=(ByteReader&&) noexcept;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t read(std::span<std::byte> out) {
    return read_fully(descriptor_, name_, out);
  }

 private:
  std::string name_;
  int descriptor_ = -1;
};

// The message of a path that cannot be opened for reading (missing, a folder, not permitted).
void check_readable(const std::string& source);
// The same file by device and inode, also through links.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);
// Whole text of a small file (settings, reports); more than `limit` bytes is a data error.
[[nodiscard]] std::string read_text_file(const std::string& source,
                                         std::uint64_t limit = std::uint64_t{1} << 30);

}  // namespace logpx
