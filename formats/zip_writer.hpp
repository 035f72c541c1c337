// A zip archive whose members are stored as they are, written front to back: what an npz is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace logpx {

class ZipWriter {
 public:
  // `sink` takes the bytes of the archive as they come. `name` is the archive's, for messages.
  using Sink = std::function<void(std::span<const std::byte>)>;
  ZipWriter(std::string name, Sink sink);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // The next member, of this many bytes, which follow. It has no time, so that the same content
  // gives the same bytes.
  void begin(const std::string& member, std::uint64_t size);
  void write(std::span<const std::byte> bytes);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace logpx
