#include "tools/archives/names.hpp"

#include "formats/file/input.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
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

std::string inner_path(const std::string& path) {
  fs::path inner;
  for (const fs::path& part : fs::path(path).lexically_normal().relative_path())
    if (part != ".." && part != "." && !part.empty()) inner /= part;
  return inner.string();
}

namespace {

constexpr std::size_t longest_part = 255, longest_path = 3000;

bool is_safe_part(const std::string& part) {
  return !part.empty() && part != "." && part != ".." && part.front() != '-' &&
         !holds_unseen(part) && part.size() <= longest_part;
}

constexpr std::string_view stand_in = "lpx-member-";

std::string numbered(std::uint64_t number) {
  return std::string(stand_in) + std::to_string(number);
}

// A member with such a name could take the place of an unnamed one.
bool is_stand_in(const std::string& name) {
  return name.starts_with(stand_in) && parse_integer(name.substr(stand_in.size())).has_value();
}

}  // namespace

std::string safe_name(const std::string& stored, std::uint64_t number) {
  const std::string last = stored.substr(stored.find_last_of('/') + 1);
  return is_safe_part(last) && !is_stand_in(last) ? last : numbered(number);
}

std::string safe_path(const std::string& stored, std::uint64_t number) {
  const bool safe = stored.size() <= longest_path && !is_stand_in(stored) &&
                    std::ranges::all_of(split_text(stored, '/'), is_safe_part);
  return safe ? stored : numbered(number);
}

std::string shown(const std::string& name) { return shown_name(name); }

void check_no_link(const std::string& output, Overwrite overwrite) {
  if (overwrite == Overwrite::refuse && fs::is_symlink(fs::symlink_status(output)))
    fail(ErrorKind::refused, shown(output), "exists and is a symbolic link",
         "--force writes through it");
}

FileAttributes attributes_of(const archive::Member& member) {
  return {.mode = member.mode, .mtime = member.mtime, .mtime_ns = member.mtime_ns};
}

}  // namespace logpx::compress
