#include "tools/compress/names.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/shown_name.hpp"

#include <algorithm>
#include <filesystem>

namespace logpx::compress {
namespace fs = std::filesystem;

std::string beside(const std::string& path, const std::string& name) {
  return (fs::path(path).parent_path() / name).string();
}

std::string in_folder(const std::string& path, const std::string& folder) {
  return folder.empty() ? path : (fs::path(folder) / fs::path(path).filename()).string();
}

std::string safe_name(const std::string& stored, std::uint64_t number) {
  const std::string last = stored.substr(stored.find_last_of('/') + 1);
  const bool control =
      std::ranges::any_of(last, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (last.empty() || last == "." || last == ".." || last.front() == '-' || control)
    return "lpx-member-" + std::to_string(number);
  return last;
}

std::string shown(const std::string& name) { return shown_name(name); }

void check_not_replaced(const std::string& input, const std::string& output) {
  if (input != "-" && output != "-" && !is_stream(output) && same_file(input, output))
    fail(ErrorKind::refused, output, "is also an input; an input is never replaced",
         "choose another name");
}

void check_no_link(const std::string& output, Overwrite overwrite) {
  if (overwrite == Overwrite::refuse && fs::is_symlink(fs::symlink_status(output)))
    fail(ErrorKind::refused, output, "exists and is a symbolic link", "--force writes through it");
}

FileAttributes attributes_of(const archive::Member& member) {
  return {.mode = member.mode, .mtime = member.mtime, .mtime_ns = member.mtime_ns};
}

}  // namespace logpx::compress
