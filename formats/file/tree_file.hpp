// A file made below a folder, under a relative path that is not trusted. The path is opened step by
// step: missing folders are made, and no link is followed, whoever made it. The file is there whole
// under its name, or not at all.
#pragma once

#include "formats/file/output.hpp"
#include "libcore/base/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace logpx {

class TreeFile {
 public:
  // `root` is followed like any name that a user gives. `relative` must not be absolute nor hold
  // "", "." or ".."; errors show it after the root.
  TreeFile(const std::string& root, const std::string& relative, Overwrite overwrite);
  ~TreeFile();
  TreeFile(const TreeFile&) = delete;
  TreeFile& operator=(const TreeFile&) = delete;

  void write(std::span<const std::byte> bytes);
  // --force replaces a link of that name itself, and not the file that it leads to.
  void commit(const std::optional<FileAttributes>& attributes = {});
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // written so far

 private:
  void open_folder(const std::string& root, const std::string& relative);
  void check_place() const;

  std::string shown_, name_, temporary_;
  Overwrite overwrite_;
  int folder_ = -1, file_ = -1;
  std::uint64_t bytes_ = 0;
  stop::Temporary guard_;
};

}  // namespace logpx
