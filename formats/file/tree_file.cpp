#include "formats/file/tree_file.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/shown_name.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace logpx {
namespace {

// One step down; -1 with errno where that is not a folder, or is a link to one.
int step(int folder, const std::string& name) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const int next = openat(folder, name.c_str(), flags);
  if (next >= 0 || errno != ENOENT) return next;
  if (mkdirat(folder, name.c_str(), 0777) != 0 && errno != EEXIST) return -1;
  return openat(folder, name.c_str(), flags);
}

}  // namespace

TreeFile::TreeFile(const std::string& root, const std::string& relative, Overwrite overwrite)
    : shown_(shown_name((std::filesystem::path(root) / relative).string())), overwrite_(overwrite) {
  try {
    open_folder(root, relative);
    check_place();
    temporary_ = ".logpx.tmp." + random_digits();
    const auto place = std::filesystem::path(root) / relative;
    guard_ = stop::Temporary((place.parent_path() / temporary_).string());
    file_ = openat(folder_, temporary_.c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file_ < 0) fail_errno(shown_, errno);
  } catch (...) {
    if (folder_ >= 0) close(folder_);
    throw;
  }
}

void TreeFile::open_folder(const std::string& root, const std::string& relative) {
  folder_ = open(root.empty() ? "." : root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0 && errno == ENOENT)
    fail(ErrorKind::io, shown_, "no such folder: " + shown_name(root),
         "mkdir -p " + shown_name(root));
  if (folder_ < 0) fail_errno(shown_name(root), errno);
  std::size_t at = 0;
  for (std::size_t slash; (slash = relative.find('/', at)) != std::string::npos; at = slash + 1) {
    const int next = step(folder_, relative.substr(at, slash - at));
    const int error = errno;
    close(std::exchange(folder_, next));
    if (next >= 0) continue;
    const std::string part =
        shown_name((std::filesystem::path(root) / relative.substr(0, slash)).string());
    if (error == ELOOP || error == ENOTDIR)
      fail(ErrorKind::refused, shown_, part + " is a link or a file, expected a folder",
           "members are never written through links; --output-dir DIR puts them elsewhere");
    fail_errno(part, error);
  }
  name_ = relative.substr(at);
  LOGPX_ASSERT(!name_.empty() && name_ != "." && name_ != "..");
}

// What lies there already under the name.
void TreeFile::check_place() const {
  struct stat status {};
  if (fstatat(folder_, name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno != ENOENT) fail_errno(shown_, errno);
    return;
  }
  if (S_ISDIR(status.st_mode)) fail(ErrorKind::refused, shown_, "is a folder, expected a file");
  if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
    fail(ErrorKind::refused, shown_, "is a device or a pipe, which no member replaces");
  if (overwrite_ == Overwrite::refuse)
    fail(ErrorKind::refused, shown_, S_ISLNK(status.st_mode) ? "exists and is a link" : "exists",
         "--force replaces it");
}

TreeFile::~TreeFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlinkat(folder_, temporary_.c_str(), 0);
  if (folder_ >= 0) close(folder_);
}

void TreeFile::write(std::span<const std::byte> bytes) {
  stop::check();
  write_all(file_, bytes, shown_);
  bytes_ += bytes.size();
}

void TreeFile::commit(const std::optional<FileAttributes>& attributes) {
  give_attributes(file_, attributes, made_mode(), shown_);
  if (fsync(file_) != 0) fail_errno(shown_, errno);
  if (!names_descriptor(folder_, temporary_, file_))
    fail(ErrorKind::io, shown_, "another program removed or replaced " + temporary_,
         "run it again");
  rename_within(folder_, temporary_, name_, overwrite_, shown_);
  temporary_.clear();
  guard_ = {};
}

}  // namespace logpx
