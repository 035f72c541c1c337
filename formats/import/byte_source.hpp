// Bytes of a foreign file in order, inflated on the way when they begin with the gzip magic
// (whatever the name), counted and hashed. Every importer reads through it.   [data/README 6.1]
//
// The loop over gzip members is our own: gzread() swallows trailing garbage without a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

// How many bytes are left; reads them.
[[nodiscard]] std::uint64_t drain(ByteStream& stream);
// All of it, at most `limit` bytes: more is a data error.
[[nodiscard]] std::vector<std::byte> read_whole(ByteStream& stream, std::uint64_t limit);

// Bytes that lie in a file of others: a member of an archive.
struct StoredBytes {
  std::string name;
  std::uint64_t size = 0;
  std::function<void(std::uint64_t offset, std::span<std::byte> out)> read_at;
  SourceFile file;  // that they lie in
};

class ByteSource final : public ByteStream {
 public:
  explicit ByteSource(const std::string& path);  // "-" is stdin
  ByteSource(std::string name, std::vector<std::byte> memory);
  explicit ByteSource(StoredBytes stored);
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

// "1f 8b 08 00", for messages about what a file begins with.
[[nodiscard]] std::string hex_words(std::span<const std::byte> bytes);
[[nodiscard]] bool begins_with(std::span<const std::byte> bytes, std::string_view magic);

}  // namespace logpx
