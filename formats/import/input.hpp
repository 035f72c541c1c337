// An operand of pack-data: a path, bytes under a name (tests, fuzzers), or a member of an archive.
#pragma once

#include "formats/import/byte_source.hpp"
#include "formats/import/container.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class Input {
 public:
  explicit Input(std::string path);
  Input(std::string name, std::vector<std::byte> memory)
      : name_(std::move(name)), memory_(std::move(memory)) {}
  Input(std::shared_ptr<const Container> container, std::size_t member);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_folder() const;
  // Whether it is an archive, and not a member of one; opens it.
  [[nodiscard]] bool is_container();
  [[nodiscard]] bool is_member() const { return container_ != nullptr && member_.has_value(); }
  // The members of the archive, which is unpacked once.
  [[nodiscard]] const std::shared_ptr<const Container>& unpack();
  [[nodiscard]] std::span<const std::byte> peek(std::size_t count);  // opens it
  [[nodiscard]] ByteSource open();

 private:
  std::string name_;
  std::optional<std::vector<std::byte>> memory_;
  std::unique_ptr<ByteSource> opened_;
  std::shared_ptr<const Container> container_;
  std::optional<std::size_t> member_;
};

}  // namespace logpx
