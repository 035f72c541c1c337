#include "formats/import/spool.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

namespace logpx {
namespace {

void pread_all(int descriptor, std::uint64_t offset, std::span<std::byte> out,
               const std::string& subject) {
  while (!out.empty()) {
    const ssize_t count = ::pread(descriptor, out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(subject, errno);
    if (count == 0) fail(ErrorKind::data, subject, "became shorter while it was read");
    offset += static_cast<std::uint64_t>(count);
    out = out.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace

SpoolFile::SpoolFile(const std::filesystem::path& folder) {
  std::string name = (folder / ".logpx-spool-XXXXXX").string();
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0) fail_errno(name, errno, "set TMPDIR to a folder with room");
  path_ = name;
  guard_ = stop::Temporary(name);
}

SpoolFile::~SpoolFile() {
  ::close(descriptor_);
  ::unlink(path_.c_str());
}

void SpoolFile::append(std::span<const std::byte> bytes) {
  write_all(descriptor_, bytes, path_.string());
  size_ += bytes.size();
}

void SpoolFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  LOGPX_ASSERT(offset <= size_ && out.size() <= size_ - offset);
  pread_all(descriptor_, offset, out, path_.string());
}

SeekableBytes::SeekableBytes(ByteSource source) : name_(source.name()) {
  const auto plain = source.plain_path();
  if (plain) {
    path_ = *plain;
    size_ = *source.size();
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_errno(name_, errno);
  } else {
    spool_ = std::make_unique<SpoolFile>(spool_folder());
    path_ = spool_->path();
    std::vector<std::byte> buffer(256 * 1024);
    while (const std::size_t count = source.read(buffer))
      spool_->append(std::span(buffer).first(count));
    size_ = spool_->size();
  }
  record_ = *source.finish();
}

SeekableBytes::~SeekableBytes() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SeekableBytes::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > size_ || out.size() > size_ - offset)
    fail(ErrorKind::data, name_, "ends early (" + std::to_string(size_) + " bytes)");
  if (spool_) spool_->read_at(offset, out);
  else pread_all(descriptor_, offset, out, name_);
}

}  // namespace logpx
