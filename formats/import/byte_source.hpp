// Bytes of a foreign file in order, inflated on the way when they begin with the gzip magic
// (whatever the name), counted and hashed. Every importer reads through it.   [data/README 6.1]
//
// The loop over gzip members is our own: gzread() swallows trailing garbage without a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// One line of provenance: where rows came from. For a folder: all its files together, `bytes` their
// sum and `sha256` that of the lines "HASH  NAME\n", as sha256sum(1) prints them in name order. For
// an archive: the file that it is, and how many files are in it.
struct SourceFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256, sha256_uncompressed;  // equal unless the file is gzip
  std::int64_t files = 1;
  bool archive = false;
  std::int64_t hidden = 0, links = 0;  // members that are no input: .names, links and devices
};

// What importers parse: a file, or a member of an archive.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  [[nodiscard]] virtual const std::string& name() const = 0;  // for messages
  // Fills as much of `out` as the stream has; less than asked only at its end.
  [[nodiscard]] virtual std::size_t read(std::span<std::byte> out) = 0;
  // All bytes of the stream, where that is known without reading them.
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const = 0;
  // Reads to the end, so that checksums are checked. For a member: the line of its archive.
  [[nodiscard]] virtual std::optional<SourceFile> finish() = 0;
};

class Container;

// How many bytes are left; reads them.
[[nodiscard]] std::uint64_t drain(ByteStream& stream);
// All of it, at most `limit` bytes: more is a data error.
[[nodiscard]] std::vector<std::byte> read_whole(ByteStream& stream, std::uint64_t limit);

class ByteSource final : public ByteStream {
 public:
  explicit ByteSource(const std::string& path);  // "-" is stdin
  ByteSource(std::string name, std::vector<std::byte> memory);
  ByteSource(std::shared_ptr<const Container> container, std::size_t member);
  ~ByteSource() override;
  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;

  [[nodiscard]] const std::string& name() const override;
  [[nodiscard]] std::size_t read(std::span<std::byte> out) override;
  [[nodiscard]] std::optional<std::uint64_t> size() const override;
  [[nodiscard]] std::optional<SourceFile> finish() override;

  // The next bytes without taking them: at most `count` (<= 64 KiB), less only at the end.
  [[nodiscard]] std::span<const std::byte> peek(std::size_t count);
  // The size of the file itself, before it is inflated; for a pipe what was read so far.
  [[nodiscard]] std::uint64_t compressed_bytes() const;
  // The path, if it is a regular file that is not gzip: one that can be opened again and sought in.
  [[nodiscard]] std::optional<std::string> plain_path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// An operand of pack-data: a path, bytes under a name (tests, fuzzers), or a member of an archive.
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

// "1f 8b 08 00", for messages about what a file begins with.
[[nodiscard]] std::string hex_words(std::span<const std::byte> bytes);
[[nodiscard]] bool begins_with(std::span<const std::byte> bytes, std::string_view magic);

}  // namespace logpx
