#include "formats/file/output.hpp"

#include "libcore/base/error.hpp"

#include <cerrno>
#include <charconv>
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
  std::error_code ignored;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, ignored)); ++links) {
    const fs::path next = fs::read_symlink(path);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

// The umask is read once, since reading it means setting another, stricter one for a moment.
mode_t creation_mask() {
  static const mode_t mask = [] {
    const mode_t found = umask(0777);
    umask(found);
    return found;
  }();
  return mask;
}

// Where the file will be; nothing for a stream.
fs::path checked_place(const std::string& target, Overwrite overwrite) {
  OutputFile::check_target(target, overwrite);
  return is_stream(target) ? fs::path() : followed(target);
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

unsigned made_mode() { return 0666 & ~creation_mask(); }

// The mode comes last, since it may forbid writing.
void give_attributes(int descriptor, const std::optional<FileAttributes>& attributes,
                     unsigned otherwise, const std::string& subject) {
  const bool stored = attributes && attributes->mode;
  const mode_t mode = stored ? *attributes->mode & 0777 & ~creation_mask() : otherwise;
  // A file system without modes gives its own.
  if (fchmod(descriptor, mode) != 0 && errno != EPERM && errno != ENOTSUP)
    fail_errno(subject, errno);
  if (!attributes) return;
  const timespec time{.tv_sec = attributes->mtime, .tv_nsec = long{attributes->mtime_ns}};
  const timespec both[] = {time, time};
  if (futimens(descriptor, both) != 0) fail_errno(subject, errno);
}

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

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& subject,
               Matter matter) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      stop::check();  // the reader of a pipe may never come back
      continue;
    }
    if (written < 0 && errno == EPIPE && matter == Matter::text) throw ReaderLeft();
    if (written < 0) fail_errno(subject, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void write_text_file(OutputFile& out, std::string_view text) {
  out.holds(Matter::text);
  write_all(out.descriptor(), std::as_bytes(std::span(text)), out.target());
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
  if (error == std::errc::filename_too_long) fail_errno(target, ENAMETOOLONG);
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
    : target_(target),
      overwrite_(overwrite),
      final_(checked_place(target, overwrite)),
      file_(final_.empty() ? UnfinishedFile::spool() : UnfinishedFile::beside(final_)) {}

void OutputFile::require_own(int descriptor) const {
  if (!file_.is_open_as(descriptor))
    fail(ErrorKind::io, target_, "another program replaced " + path().string(), "run it again");
}

void OutputFile::copy_out() {
  const std::string subject = shown_name();
  Descriptor to(open_stream(target_), subject);
  std::vector<std::byte> buffer(1 << 20);
  for (off_t at = 0;;) {
    stop::check();
    const ssize_t count = pread(file_.descriptor(), buffer.data(), buffer.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(subject, errno);
    if (count == 0) break;
    write_all(to.get(), std::span(buffer).first(static_cast<std::size_t>(count)), subject, matter_);
    at += count;
  }
  to.close(subject);
}

void OutputFile::set_attributes(const std::optional<FileAttributes>& attributes) {
  struct stat replaced {};
  const bool replaces = stat(final_.c_str(), &replaced) == 0;
  give_attributes(file_.descriptor(), attributes, replaces ? replaced.st_mode & 07777 : made_mode(),
                  target_);
}

void OutputFile::commit(const std::optional<FileAttributes>& attributes) {
  LOGPX_ASSERT(!committed_);
  bytes_ = file_.bytes();
  committed_ = true;
  if (final_.empty()) return copy_out();
  set_attributes(attributes);
  if (fsync(file_.descriptor()) != 0) fail_errno(target_, errno);
  file_.rename_to(final_, overwrite_, target_);
  const int folder = open(folder_of(final_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {  // best effort: some file systems cannot sync a folder
    (void)fsync(folder);
    ::close(folder);
  }
}

}  // namespace logpx
