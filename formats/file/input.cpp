#include "formats/file/input.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace logpx {
namespace fs = std::filesystem;
namespace {

std::string source_name(const std::string& source) { return source == "-" ? "stdin" : source; }

int open_for_reading(const std::string& source) {
  if (source == "-") {
    if (isatty(STDIN_FILENO) != 0)
      fail(ErrorKind::usage, "stdin", "is a terminal, expected data", "give a file, or a pipe");
    return STDIN_FILENO;
  }
  const int descriptor = open_descriptor(source, source);
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    fail(ErrorKind::io, source, "is a folder, expected a file");
  }
  return descriptor;
}

bool is_regular(const std::string& source) {
  struct stat status {};
  return source != "-" && stat(source.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

int open_descriptor(const std::string& path, const std::string& name) {
  int descriptor = -1;
  while ((descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC)) < 0) {
    if (errno != EINTR) fail_errno(name, errno);
    stop::check();  // opening a pipe waits for its writer
  }
  return descriptor;
}

std::size_t read_fully(int descriptor, const std::string& name, std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const ssize_t count = ::read(descriptor, out.data() + filled, out.size() - filled);
    if (count < 0 && errno == EINTR) {
      stop::check();
      continue;
    }
    if (count < 0) fail_errno(name, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

void check_readable(const std::string& source) {
  if (source == "-") return;
  std::error_code unknown;
  if (is_regular(source) || fs::is_directory(source, unknown)) close(open_for_reading(source));
  else if (access(source.c_str(), R_OK) != 0)
    fail_errno(source, errno);  // a pipe is not opened twice
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  return stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

ByteReader::ByteReader(const std::string& source)
    : name_(source_name(source)), descriptor_(open_for_reading(source)) {}

ByteReader::~ByteReader() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

ByteReader::ByteReader(ByteReader&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

ByteReader& ByteReader::operator=(ByteReader&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SeekableInput::SeekableInput(const std::string& source) : name_(source_name(source)) {
  if (is_regular(source)) {
    close(open_for_reading(source));  // throws now if it cannot be read
    path_ = source;
    return;
  }
  ByteReader reader(source);
  std::string spool = (spool_folder() / "logpx-spool.XXXXXX").string();
  const int file = mkstemp(spool.data());
  if (file < 0) fail_errno(spool, errno, "TMPDIR names the folder for spooled files");
  path_ = spool;
  spooled_ = true;
  stop::Temporary guard(spool);
  try {
    std::vector<std::byte> buffer(1 << 20);
    while (true) {
      const std::size_t count = reader.read(buffer);
      if (count == 0) break;
      write_all(file, std::span(buffer).first(count), spool);
    }
  } catch (...) {
    close(file);
    unlink_spool();
    throw;
  }
  if (close(file) != 0) fail_errno(spool, errno);
}

SeekableInput::~SeekableInput() { unlink_spool(); }

SeekableInput::SeekableInput(SeekableInput&& other) noexcept
    : name_(std::move(other.name_)),
      path_(std::move(other.path_)),
      spooled_(std::exchange(other.spooled_, false)) {}

SeekableInput& SeekableInput::operator=(SeekableInput&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(path_, other.path_);
  std::swap(spooled_, other.spooled_);
  return *this;
}

void SeekableInput::unlink_spool() {
  if (spooled_) unlink(path_.c_str());
  spooled_ = false;
}

std::string read_text_file(const std::string& source, std::uint64_t limit) {
  ByteReader reader(source);
  std::string text;
  std::vector<std::byte> buffer(1 << 16);
  while (true) {
    const std::size_t count = reader.read(buffer);
    if (count == 0) return text;
    if (text.size() + count > limit)
      fail(ErrorKind::data, reader.name(), "is larger than " + std::to_string(limit) + " bytes");
    text.append(reinterpret_cast<const char*>(buffer.data()), count);
  }
}

}  // namespace logpx
