#include "formats/file/unfinished.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace logpx {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view temporary_mark = ".tmp.";
constexpr std::size_t digits_in_name = 16;  // of the random part

std::string temporary_prefix(const fs::path& target) {
  const std::size_t room = longest_name - 1 - temporary_mark.size() - digits_in_name;
  return '.' + fit_name(target.filename().string(), room) + std::string(temporary_mark);
}

bool is_random_part(std::string_view text) {
  return text.size() == digits_in_name &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool same_inode(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

enum class Lock { taken, held_elsewhere, impossible };  // impossible: the file system has none

Lock lock(int descriptor) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return errno == EWOULDBLOCK ? Lock::held_elsewhere : Lock::impossible;
  return Lock::taken;
}

// A living run holds its lock until its file has another name.
void remove_if_dead(const fs::path& path) {
  const int file = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  if (lock(file) == Lock::taken && names_descriptor(AT_FDCWD, path.string(), file))
    unlink(path.c_str());
  close(file);
}

void remove_dead(const fs::path& folder, const std::string& prefix) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && is_random_part(std::string_view(name).substr(prefix.size())))
      remove_if_dead(entry.path());
  }
}

}  // namespace

std::string fit_name(const std::string& name, std::size_t room) {
  if (name.size() <= room) return name;
  const std::string tail = '~' + sha256_hex(name).substr(0, 16);
  std::size_t kept = room - tail.size();
  while (kept > 0 && (static_cast<unsigned char>(name[kept]) & 0xC0) == 0x80) --kept;  // UTF-8
  return name.substr(0, kept) + tail;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

fs::path spool_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

void refuse_existing(const std::string& target) {
  fail(ErrorKind::refused, target, "exists", "--force replaces it");
}

std::string random_digits() {
  std::uint64_t number = 0;
  if (getentropy(&number, sizeof number) != 0) fail_errno("random numbers", errno);
  char text[digits_in_name + 1];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

bool names_descriptor(int folder, const std::string& name, int descriptor) {
  struct stat named {
  }, opened{};
  return fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         fstat(descriptor, &opened) == 0 && same_inode(named, opened);
}

void rename_within(int folder, const std::string& from, const std::string& to, Overwrite overwrite,
                   const std::string& subject) {
  if (overwrite == Overwrite::replace) {
    if (renameat(folder, from.c_str(), folder, to.c_str()) != 0) fail_errno(subject, errno);
    return;
  }
  int status = renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_NOREPLACE);
  // The file system has no such rename: a second link never replaces a file either.
  if (status != 0 && (errno == EINVAL || errno == ENOSYS)) {
    status = linkat(folder, from.c_str(), folder, to.c_str(), 0);
    if (status == 0) unlinkat(folder, from.c_str(), 0);
  }
  if (status != 0 && errno == EEXIST) refuse_existing(subject);
  if (status != 0) fail_errno(subject, errno);
}

UnfinishedFile::UnfinishedFile(int descriptor, fs::path path)
    : descriptor_(descriptor), path_(std::move(path)), guard_(path_.string()) {}

UnfinishedFile UnfinishedFile::beside(const fs::path& target) {
  const fs::path folder = folder_of(target);
  const std::string prefix = temporary_prefix(target);
  remove_dead(folder, prefix);
  while (true) {  // also after a signal: a checkpoint is written then
    const fs::path path = folder / (prefix + random_digits());
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) fail_errno(target.string(), errno);
    UnfinishedFile made(file, path);
    // Before it was locked, another run may have taken it for an abandoned one and removed it.
    if (lock(file) != Lock::held_elsewhere && made.has_its_name()) return made;
  }
}

UnfinishedFile UnfinishedFile::spool() {
  std::string name = (spool_folder() / "logpx-spool.XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) fail_errno(name, errno, "TMPDIR names the folder for spooled files");
  return {file, name};
}

UnfinishedFile::~UnfinishedFile() {
  if (!path_.empty() && has_its_name()) unlink(path_.c_str());
  if (descriptor_ >= 0) close(descriptor_);
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::exchange(other.path_, {})),
      guard_(std::move(other.guard_)) {}

UnfinishedFile& UnfinishedFile::operator=(UnfinishedFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  std::swap(guard_, other.guard_);
  return *this;
}

std::uint64_t UnfinishedFile::bytes() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail_errno(path_.string(), errno);
  return static_cast<std::uint64_t>(status.st_size);
}

bool UnfinishedFile::is_open_as(int descriptor) const {
  struct stat ours {
  }, other{};
  return fstat(descriptor_, &ours) == 0 && fstat(descriptor, &other) == 0 &&
         same_inode(ours, other);
}

bool UnfinishedFile::has_its_name() const {
  return names_descriptor(AT_FDCWD, path_.string(), descriptor_);
}

void UnfinishedFile::rename_to(const fs::path& target, Overwrite overwrite,
                               const std::string& subject) {
  if (!has_its_name())
    fail(ErrorKind::io, subject,
         "another program removed or replaced " + path_.string() + " while it was written",
         "run it again");
  rename_within(AT_FDCWD, path_.string(), target.string(), overwrite, subject);
  close(std::exchange(descriptor_, -1));  // and with it the lock
  path_.clear();
  guard_ = {};
}

}  // namespace logpx
