// An input of the compression tools: opened first, read once from front to back (a regular file may
// be read again), and removed at the end only if it is still the file that was read.
#pragma once

#include "formats/archive/records.hpp"
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace logpx::compress {

using Note = std::function<void(const std::string&)>;
using Removal = std::function<void(const Note& warn)>;

class SourceFile {
 public:
  enum class Links { refuse, follow };               // symbolic links to files
  SourceFile(const std::string& path, Links links);  // "-" is stdin
  explicit SourceFile(SeekableInput&& spooled);      // a stream that must be read twice
  ~SourceFile();
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  [[nodiscard]] bool is_regular() const { return regular_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }  // of a regular file
  [[nodiscard]] FileAttributes attributes() const { return attributes_; }

  // The beginning, without consuming it; less than asked only if the file is shorter.
  [[nodiscard]] archive::ByteView peek(std::size_t count);
  // Fills the span as far as there are bytes; less than asked only at the end.
  [[nodiscard]] std::size_t read(std::span<std::byte> out);
  void rewind();  // of a regular file
  [[nodiscard]] std::uint64_t bytes_read() const { return taken_; }

  // To be called later, perhaps after closing: removes the file if its name still leads to it and
  // it has not changed since it was read; else it stays, with a warning.
  [[nodiscard]] Removal removal() const;

 private:
  void open_file(Links links);
  void look_at();

  std::optional<SeekableInput> spool_;
  std::string path_, name_;
  int descriptor_ = -1;
  bool regular_ = false;
  std::uint64_t device_ = 0, inode_ = 0, taken_ = 0;
  std::optional<std::uint64_t> size_;
  FileAttributes attributes_;
  archive::ByteVector ahead_;  // peeked bytes; those from ahead_at_ on are unread
  std::size_t ahead_at_ = 0;
};

}  // namespace logpx::compress
