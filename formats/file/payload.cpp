#include "formats/file/payload.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"

#include <cerrno>
#include <utility>

#include <unistd.h>

namespace logpx {

Payload::Payload(const std::string& target, Overwrite overwrite, Matter matter)
    : target_(target), matter_(matter) {
  OutputFile::check_target(target, overwrite);
  if (!is_stream(target)) file_ = std::make_unique<OutputFile>(target, overwrite);
  else if ((stream_ = open_stream(target)) < 0) fail_errno(name(), errno);
}

Payload::~Payload() {
  if (stream_ >= 0) close(stream_);
}

std::string Payload::name() const { return target_ == "-" ? "stdout" : target_; }

void Payload::write(std::span<const std::byte> bytes) {
  stop::check();
  write_all(file_ != nullptr ? file_->descriptor() : stream_, bytes, name(), matter_);
  bytes_ += bytes.size();
}

void Payload::commit(const std::optional<FileAttributes>& attributes) {
  if (file_ != nullptr) return file_->commit(attributes);
  if (close(std::exchange(stream_, -1)) != 0) fail_errno(name(), errno);
}

}  // namespace logpx
