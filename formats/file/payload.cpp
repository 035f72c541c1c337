#include "formats/file/payload.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace logpx {

Payload::Payload(const std::string& target, Overwrite overwrite) : target_(target) {
  OutputFile::check_target(target, overwrite);
  if (!is_stream(target)) {
    file_ = std::make_unique<OutputFile>(target, overwrite);
    descriptor_ = open(file_->path().c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  } else {
    descriptor_ = open_stream(target);
  }
  if (descriptor_ < 0) fail_errno(name(), errno);
}

Payload::~Payload() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string Payload::name() const { return target_ == "-" ? "stdout" : target_; }

void Payload::write(std::span<const std::byte> bytes) {
  stop::check();
  write_all(descriptor_, bytes, name());
  bytes_ += bytes.size();
}

void Payload::commit(const std::optional<FileAttributes>& attributes) {
  if (close(std::exchange(descriptor_, -1)) != 0) fail_errno(name(), errno);
  if (file_ != nullptr) file_->commit(attributes);
}

}  // namespace logpx
