#include "tools/archives/source_file.hpp"

#include "libcore/base/error.hpp"
#include "tools/archives/names.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace logpx::compress {
namespace {

// /dev/stdin and the files of <(...) are links to streams, where the link itself is never meant.
bool is_link_to_file(const std::string& path) {
  struct stat link {
  }, file{};
  return lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode) && !names_stream(path) &&
         (stat(path.c_str(), &file) != 0 || S_ISREG(file.st_mode));
}

}  // namespace

SourceFile::SourceFile(const std::string& path, Links links)
    : path_(path), name_(path == "-" ? "stdin" : shown(path)) {
  if (path == "-") {
    if (isatty(STDIN_FILENO) != 0)
      fail(ErrorKind::usage, "stdin", "is a terminal, expected data", "give a file, or a pipe");
    descriptor_ = STDIN_FILENO;
  } else {
    open_file(links);
  }
  look_at();
}

SourceFile::SourceFile(SeekableInput&& spooled)
    : spool_(std::move(spooled)), path_("-"), name_(shown(spool_->name())) {
  descriptor_ = open_descriptor(spool_->path(), name_);
  look_at();
  attributes_ = {};  // of the spool file
}

void SourceFile::look_at() {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail_errno(name_, errno);
  if (S_ISDIR(status.st_mode)) {
    close(descriptor_);
    fail(ErrorKind::io, name_, "is a folder, expected a file");
  }
  regular_ = S_ISREG(status.st_mode) && (path_ != "-" || spool_);
  if (!regular_) return;
  size_ = static_cast<std::uint64_t>(status.st_size);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  attributes_ = {.mode = static_cast<std::uint16_t>(status.st_mode & 07777),
                 .mtime = status.st_mtim.tv_sec,
                 .mtime_ns = static_cast<std::uint32_t>(status.st_mtim.tv_nsec)};
}

void SourceFile::open_file(Links links) {
  if (links == Links::refuse && is_link_to_file(path_))
    fail(ErrorKind::refused, name_, "is a symbolic link", "--force follows it");
  descriptor_ = open_descriptor(path_, name_);
}

SourceFile::~SourceFile() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

archive::ByteView SourceFile::peek(std::size_t count) {
  ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(ahead_at_));
  ahead_at_ = 0;
  const std::size_t have = ahead_.size();
  if (have < count) {
    ahead_.resize(count);
    ahead_.resize(have + read_fully(descriptor_, name_, std::span(ahead_).subspan(have)));
  }
  return archive::ByteView(ahead_).first(std::min(count, ahead_.size()));
}

std::size_t SourceFile::read(std::span<std::byte> out) {
  const std::size_t known = std::min(out.size(), ahead_.size() - ahead_at_);
  std::copy_n(ahead_.begin() + static_cast<std::ptrdiff_t>(ahead_at_), known, out.begin());
  ahead_at_ += known;
  const std::size_t got = known + read_fully(descriptor_, name_, out.subspan(known));
  taken_ += got;
  return got;
}

void SourceFile::rewind() {
  LOGPX_ASSERT(regular_);
  if (lseek(descriptor_, 0, SEEK_SET) != 0) fail_errno(name_, errno);
  ahead_.clear();
  ahead_at_ = 0;
  taken_ = 0;
}

Removal SourceFile::removal() const {
  if (!regular_) return [](const Note&) {};
  return [path = path_, name = name_, device = device_, inode = inode_, size = size_,
          was = attributes_](const Note& warn) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0 || status.st_dev != device || status.st_ino != inode)
      return;
    if (static_cast<std::uint64_t>(status.st_size) != size || status.st_mtim.tv_sec != was.mtime ||
        static_cast<std::uint32_t>(status.st_mtim.tv_nsec) != was.mtime_ns)
      return warn(name + ": changed since it was read, so it stays");
    if (unlink(path.c_str()) != 0) fail_errno(name, errno);
  };
}

}  // namespace logpx::compress
