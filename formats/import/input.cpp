#include "formats/import/input.hpp"

#include <filesystem>
#include <system_error>

namespace logpx {

Input::Input(std::string path) : name_(std::move(path)) {
  while (name_.size() > 1 && name_.ends_with('/')) name_.pop_back();
}

Input::Input(std::shared_ptr<const Container> container, std::size_t member)
    : name_(container->shown(container->members()[member])),
      container_(std::move(container)),
      member_(member) {}

bool Input::is_folder() const {
  std::error_code failed;
  return !memory_ && !container_ && name_ != "-" && std::filesystem::is_directory(name_, failed);
}

bool Input::is_container() {
  if (is_member() || is_folder()) return false;
  if (container_) return true;
  const bool found = packing_of(peek(512)) != Packing::none;
  std::error_code failed;
  // There may be thousands of files: they are not kept open.
  if (!found && (memory_ || std::filesystem::is_regular_file(name_, failed))) opened_.reset();
  return found;
}

const std::shared_ptr<const Container>& Input::unpack() {
  if (!container_) container_ = std::make_shared<const Container>(open());
  return container_;
}

std::span<const std::byte> Input::peek(std::size_t count) {
  if (!opened_) opened_ = std::make_unique<ByteSource>(open());
  return opened_->peek(count);
}

ByteSource Input::open() {
  if (opened_) {
    ByteSource source = std::move(*opened_);
    opened_.reset();
    return source;
  }
  if (is_member()) return open_inside(container_, *member_);
  return memory_ ? ByteSource(name_, *memory_) : ByteSource(name_);
}

}  // namespace logpx
