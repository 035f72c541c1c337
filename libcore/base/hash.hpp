// SHA-256 (so that sha256sum(1) can check our claims) and the content hash of an artifact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  // 64 lower-case hex digits. The object is spent afterwards.
  [[nodiscard]] std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

[[nodiscard]] std::string sha256_hex(std::span<const std::byte> bytes);
[[nodiscard]] std::string sha256_hex(std::string_view text);

// The SHA-256 of one line "PATH TYPE SHAPE SHA256\n" per element, sorted bytewise by path: root
// attributes as "@name" (all but content_hash) and datasets (all but /provenance). TYPE is u8 i32
// f32 f64 str ..., SHAPE is 60000x28x28x1 (empty for a scalar), SHA256 that of the little-endian,
// row-major elements; each string counts without padding, followed by one NUL.
class ContentHash {
 public:
  void add(std::string_view path, std::string_view type, std::span<const std::int64_t> shape,
           std::string_view sha256);
  [[nodiscard]] std::string text() const;  // the lines, sorted
  [[nodiscard]] std::string hex() const { return sha256_hex(text()); }

 private:
  struct Line {
    std::string path, text;
  };
  std::vector<Line> lines_;
};

// Where two such texts differ: the first path whose line only one of them has; empty if none.
[[nodiscard]] std::string first_difference(std::string_view a, std::string_view b);

}  // namespace logpx
