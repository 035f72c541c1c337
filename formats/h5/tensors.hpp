// Datasets and attributes, whole or in blocks. Paths are absolute ("/data/x"); groups are made as
// needed; every error names the file and the path.
#pragma once

#include "formats/h5/file.hpp"
#include "formats/h5/value.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx::h5 {

// A whole dataset, contiguous. Texts are stored null-padded at the length of the longest.
void write(File& file, const std::string& path, const Value& value);
void write(File& file, const std::string& path, ValueType type, const Shape& shape,
           std::span<const std::byte> bytes);
// An attribute of the object at `path`; "/" is the root.
void write_attribute(File& file, const std::string& path, const std::string& name,
                     const Value& value);

[[nodiscard]] Description describe(const File& file, const std::string& path);
// Numbers or texts; a dataset that claims far more than the file can hold is refused.
[[nodiscard]] Value read(const File& file, const std::string& path);

[[nodiscard]] std::vector<std::string> attribute_names(const File& file, const std::string& path);
[[nodiscard]] std::optional<Value> find_attribute(const File& file, const std::string& path,
                                                  const std::string& name);

// A dataset open for reading in blocks.
class Dataset {
 public:
  Dataset(const File& file, std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Description& description() const { return description_; }
  // Sizes of a chunk; empty when contiguous.
  [[nodiscard]] const Shape& chunk() const { return chunk_; }

  // The block of `count` elements from `start` in each dimension, row-major, native order.
  // `out` has exactly its bytes.
  void read_block(const Shape& start, const Shape& count, std::span<std::byte> out) const;
  // Rows begin..end-1 along the first dimension.
  void read_rows(std::int64_t begin, std::int64_t end, std::span<std::byte> out) const;
  // All elements in order, in blocks of whole chunks and a few MiB; numbers only.
  void visit(const std::function<void(std::span<const std::byte>)>& take) const;

 private:
  const File* file_;
  std::string path_;
  DatasetHandle handle_;
  Description description_;
  Shape chunk_;
};

}  // namespace logpx::h5
