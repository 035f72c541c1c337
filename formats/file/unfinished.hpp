// A file while it is being written: of random name and mode 0600, open for as long as the object
// lives, and gone with it unless it was given its final name.
#pragma once

#include "libcore/base/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace logpx {

enum class Overwrite { refuse, replace };

class UnfinishedFile {
 public:
  // .NAME.tmp.<16 hex digits> next to the target, held by a lock. What a killed run left there for
  // the same target is removed first: a name like this whose lock nobody holds, on whatever host or
  // in whatever container.
  static UnfinishedFile beside(const std::filesystem::path& target);
  // In $TMPDIR or /tmp.
  static UnfinishedFile spool();

  ~UnfinishedFile();
  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&& other) noexcept;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t bytes() const;

  // Whether another open descriptor is of this file, and whether its name still leads to it.
  [[nodiscard]] bool is_open_as(int descriptor) const;
  [[nodiscard]] bool has_its_name() const;

  // Gives it its name for good: the file that was written, or an error. Errors name `subject`.
  void rename_to(const std::filesystem::path& target, Overwrite overwrite,
                 const std::string& subject);

 private:
  UnfinishedFile(int descriptor, std::filesystem::path path);

  int descriptor_ = -1;
  std::filesystem::path path_;  // empty once it has been renamed
  stop::Temporary guard_;
};

// A name that has room for what will be put around it: itself, or its beginning and a hash of all
// of it where it is longer than `room` bytes.
[[nodiscard]] std::string fit_name(const std::string& name, std::size_t room);
inline constexpr std::size_t longest_name = 255;  // bytes, on every common file system

// The folder of a path: "." for a bare name.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);
// The folder for spooled files: $TMPDIR or /tmp.
[[nodiscard]] std::filesystem::path spool_folder();

// 16 random hexadecimal digits, for names that nobody can guess.
[[nodiscard]] std::string random_digits();
// Whether this name in an open folder (or AT_FDCWD) is still that of the open file.
[[nodiscard]] bool names_descriptor(int folder, const std::string& name, int descriptor);
// Renames within such a folder. A file is never replaced unless that is allowed, on any file
// system. Errors name `subject`.
void rename_within(int folder, const std::string& from, const std::string& to, Overwrite overwrite,
                   const std::string& subject);

[[noreturn]] void refuse_existing(const std::string& target);

}  // namespace logpx
