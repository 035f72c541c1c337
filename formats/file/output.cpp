#include "formats/file/output.hpp"

#include "libcore/base/error.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace logpx {
namespace fs = std::filesystem;
namespace {

// The open descriptor that a target names, or -1. Opened by its name instead, the file behind
// /dev/stdout would be written from its beginning, over what a ">>" has kept.
int descriptor_of(const std::string& target) {
  if (target == "-" || target == "/dev/stdout") return STDOUT_FILENO;
  if (target == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!target.starts_with(folder)) continue;
    int descriptor = -1;
    const char* const last = target.data() + target.size();
    const auto [end, error] = std::from_chars(target.data() + folder.size(), last, descriptor);
    if (error == std::errc() && end == last) return descriptor;
  }
  return -1;
}

// The file that a chain of links ends at, whether it exists or not.
fs::path followed(fs::path path) {
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path)); ++links) {
    const fs::path next = fs::read_symlink(path);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string temporary_prefix(const fs::path& path) {
  return '.' + path.filename().string() + ".tmp.";
}

// A killed run leaves .<name>.tmp.<pid>; it goes when that process is gone.
void remove_dead_temporaries(const fs::path& path) {
  const std::string prefix = temporary_prefix(path);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(path), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    pid_t pid = 0;
    const auto [end, error] =
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), pid);
    const bool numbered = error == std::errc() && end == name.data() + name.size() && pid > 0;
    if (numbered && kill(pid, 0) != 0 && errno == ESRCH) fs::remove(entry.path(), ignored);
  }
}

[[noreturn]] void refuse_existing(const std::string& target) {
  fail(ErrorKind::refused, target, "exists", "--force replaces it");
}

void rename_without_replacing(const fs::path& from, const fs::path& to, const std::string& target) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return;
  if (errno == EEXIST) refuse_existing(target);
  if (errno != EINVAL && errno != ENOSYS) fail_errno(target, errno);
  if (link(from.c_str(), to.c_str()) != 0) {
    if (errno == EEXIST) refuse_existing(target);
    fail_errno(target, errno);
  }
  unlink(from.c_str());
}

class Descriptor {
 public:
  Descriptor(int value, const std::string& subject) : value_(value) {
    if (value < 0) fail_errno(subject, errno);
  }
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }
  void close(const std::string& subject) {
    const int value = value_;
    value_ = -1;
    if (::close(value) != 0) fail_errno(subject, errno);
  }

 private:
  int value_;
};

}  // namespace

int open_stream(const std::string& target) {
  if (const int descriptor = descriptor_of(target); descriptor >= 0)
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  while (true) {
    const int device = open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (device >= 0 || errno != EINTR) return device;
    stop::check();
  }
}

bool names_stream(const std::string& target) {
  return target == "-" || target == "/dev/stdin" || target == "/dev/stdout" ||
         target == "/dev/stderr" || target.starts_with("/dev/fd/") || target.starts_with("/proc/");
}

bool is_stream(const std::string& target) {
  if (names_stream(target)) return true;
  struct stat status {};
  return stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

fs::path place_of(const std::string& target) {
  return fs::weakly_canonical(fs::absolute(followed(target)));
}

fs::path spool_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& subject) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      stop::check();  // the reader of a pipe may never come back
      continue;
    }
    if (written < 0) fail_errno(subject, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void write_text_file(OutputFile& out, std::string_view text) {
  Descriptor file(open(out.path().c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC), out.target());
  write_all(file.get(), std::as_bytes(std::span(text)), out.target());
  file.close(out.target());
}

void OutputFile::check_target(const std::string& target, Overwrite overwrite) {
  if (target.empty()) fail(ErrorKind::usage, "--output", "is empty");
  if (const int descriptor = descriptor_of(target); descriptor >= 0 && isatty(descriptor) != 0)
    fail(ErrorKind::refused, target == "-" ? "stdout" : target,
         "is a terminal; binary data would garble it", "redirect it: > FILE, or give -o FILE");
  if (is_stream(target)) return;
  std::error_code error;
  const fs::path path = followed(target);
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status))
    fail(ErrorKind::usage, target, "is a folder, expected the name of a file");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, error))
    fail(ErrorKind::io, target, "no such folder: " + folder.string(),
         "mkdir -p " + folder.string());
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_errno(folder.string(), errno);
  if (overwrite == Overwrite::refuse && fs::exists(status)) refuse_existing(target);
}

OutputFile::OutputFile(const std::string& target, Overwrite overwrite)
    : target_(target), overwrite_(overwrite) {
  check_target(target, overwrite);
  spooled_ = is_stream(target);
  if (spooled_) {
    std::string name = (spool_folder() / "logpx-spool.XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0) fail_errno(name, errno, "TMPDIR names the folder for spooled files");
    ::close(file);
    temporary_ = name;
  } else {
    final_ = followed(target);
    remove_dead_temporaries(final_);
    temporary_ = folder_of(final_) / (temporary_prefix(final_) + std::to_string(getpid()));
    // Left by a dead process of this number, or laid there by somebody: never written through.
    unlink(temporary_.c_str());
    Descriptor file(
        open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666),
        target);
  }
  guard_ = stop::Temporary(temporary_.string());
}

OutputFile::~OutputFile() {
  if (!committed_ || spooled_) unlink(temporary_.c_str());
}

void OutputFile::copy_out() {
  Descriptor from(open(temporary_.c_str(), O_RDONLY | O_CLOEXEC), target_);
  const std::string subject = to_stdout() ? "stdout" : target_;
  Descriptor to(open_stream(target_), subject);
  std::vector<std::byte> buffer(1 << 20);
  while (true) {
    stop::check();
    const ssize_t count = read(from.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(subject, errno);
    if (count == 0) break;
    write_all(to.get(), std::span(buffer).first(static_cast<std::size_t>(count)), subject);
  }
  to.close(subject);
}

void OutputFile::commit(const std::optional<FileAttributes>& attributes) {
  LOGPX_ASSERT(!committed_);
  std::error_code error;
  bytes_ = fs::file_size(temporary_, error);
  if (error) fail_errno(target_, error.value());
  if (spooled_) {
    copy_out();
    committed_ = true;
    return;
  }
  {
    Descriptor file(open(temporary_.c_str(), O_RDONLY | O_CLOEXEC), target_);
    struct stat replaced {};  // its mode comes last: it may forbid writing
    if (stat(final_.c_str(), &replaced) == 0 && fchmod(file.get(), replaced.st_mode & 07777) != 0)
      fail_errno(target_, errno);
    if (attributes) {
      const timespec time{.tv_sec = attributes->mtime, .tv_nsec = long{attributes->mtime_ns}};
      const timespec both[] = {time, time};
      if (attributes->mode && fchmod(file.get(), *attributes->mode & 0777) != 0)
        fail_errno(target_, errno);
      if (futimens(file.get(), both) != 0) fail_errno(target_, errno);
    }
    if (fsync(file.get()) != 0) fail_errno(target_, errno);
    file.close(target_);
  }
  if (overwrite_ == Overwrite::refuse) rename_without_replacing(temporary_, final_, target_);
  else if (rename(temporary_.c_str(), final_.c_str()) != 0) fail_errno(target_, errno);
  committed_ = true;
  guard_ = {};
  const int folder = open(folder_of(final_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {  // best effort: some file systems cannot sync a folder
    (void)fsync(folder);
    ::close(folder);
  }
}

}  // namespace logpx
