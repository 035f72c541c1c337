// An output that is written front to back: at once into a stream ("-", pipes, devices), or into a
// temporary that becomes the file at commit(), whole or not at all.
#pragma once

#include "formats/file/output.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace logpx {

class Payload {
 public:
  Payload(const std::string& target, Overwrite overwrite, Matter matter = Matter::bytes);
  ~Payload();
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;

  [[nodiscard]] std::string name() const;  // for messages: "-" is "stdout"
  [[nodiscard]] bool is_file() const { return file_ != nullptr; }
  // An error, or an interrupt when one was asked for.
  void write(std::span<const std::byte> bytes);
  // A stream has no attributes.
  void commit(const std::optional<FileAttributes>& attributes = {});
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // written so far

 private:
  std::string target_;
  Matter matter_;
  std::unique_ptr<OutputFile> file_;  // null: a stream
  int stream_ = -1;
  std::uint64_t bytes_ = 0;
};

}  // namespace logpx
