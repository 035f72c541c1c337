// Where an output goes, and the promise that it is either there whole under its name or not at all.
//
//   OutputFile out("model.h5", Overwrite::refuse);   // .model.h5.tmp.<random> in its folder
//   write_all(out.descriptor(), bytes, "model.h5");  // or let a library open out.path()
//   out.commit();                                    // flush to disk, mode, rename
//
// "-" and paths that are devices or pipes are spooled in $TMPDIR and copied out at commit().
// Without commit() nothing is left behind. What is renamed is the file that was made here.
#pragma once

#include "formats/file/unfinished.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace logpx {

// What a file takes over: permissions (the last nine bits, less the umask) and time of change.
struct FileAttributes {
  std::optional<std::uint16_t> mode = {};
  std::int64_t mtime = 0;
  std::uint32_t mtime_ns = 0;
};

// The permissions of a file that is made here.
[[nodiscard]] unsigned made_mode();
// Gives an open file the mode and time of the attributes; without them the mode `otherwise`.
void give_attributes(int descriptor, const std::optional<FileAttributes>& attributes,
                     unsigned otherwise, const std::string& subject);

// What an output holds. The reader of a text through a pipe may leave early (| head): no failure.
enum class Matter { bytes, text };

// Thrown where the reader of a text has left: run_tool then ends with exit 0.
struct ReaderLeft : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "the reader has left"; }
};

class OutputFile {
 public:
  OutputFile(const std::string& target, Overwrite overwrite);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // The checks alone, for --dry-run and before long work: folder there and writable, no file that
  // must not be replaced, no terminal for a payload.
  static void check_target(const std::string& target, Overwrite overwrite);

  [[nodiscard]] const std::string& target() const { return target_; }  // as the user gave it
  // Where to write: open for reading and writing, or by its name.
  [[nodiscard]] int descriptor() const { return file_.descriptor(); }
  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
  // An I/O error unless this descriptor, opened by that name, is of the same file.
  void require_own(int descriptor) const;
  [[nodiscard]] std::string shown_name() const { return to_stdout() ? "stdout" : target_; }
  [[nodiscard]] bool to_stdout() const { return target_ == "-"; }

  void commit(const std::optional<FileAttributes>& attributes = {});
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // after commit()
  void holds(Matter matter) { matter_ = matter; }

 private:
  void copy_out();
  void set_attributes(const std::optional<FileAttributes>& attributes);

  std::string target_;
  Overwrite overwrite_;
  std::filesystem::path final_;  // empty for a stream
  UnfinishedFile file_;
  bool committed_ = false;
  std::uint64_t bytes_ = 0;
  Matter matter_ = Matter::bytes;
};

// Streams by their names, whatever these lead to: "-", /dev/stdout, /dev/fd/3, /proc/self/fd/3.
[[nodiscard]] bool names_stream(const std::string& target);
// Whether a target is written to as it is, never renamed over: "-", a device, a pipe.
[[nodiscard]] bool is_stream(const std::string& target);
// Opens such a target; opening a pipe waits for its reader.
[[nodiscard]] int open_stream(const std::string& target);

// The one spelling of where a target's file is or would be, through all links.
[[nodiscard]] std::filesystem::path place_of(const std::string& target);

// Writes whole text or bytes to an open file by write(2), every short write seen.
void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& subject,
               Matter matter = Matter::bytes);
void write_text_file(OutputFile& out, std::string_view text);

}  // namespace logpx
