// A dataset that grows along its first dimension: rows are gathered into chunks, compressed here
// (so that several threads can help) and written chunk by chunk, each with its checksum; its size
// is exact in the end.
#pragma once

#include "formats/h5/file.hpp"
#include "formats/h5/value.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace logpx {
class Workers;
}

namespace logpx::h5 {

enum class Filter { none, deflate, shuffle_deflate };

struct ColumnLayout {
  ValueType type = ValueType::u8;
  Shape row_shape;  // of one row; empty for a column of numbers
  // Approximate: a chunk holds whole rows, at least one, and no more than there are in all.
  std::int64_t chunk_bytes = 256 << 10;
  Filter filter = Filter::deflate;
};

class Column {
 public:
  Column(File& file, std::string path, const ColumnLayout& layout);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t rows_per_chunk() const { return rows_per_chunk_; }
  [[nodiscard]] Shape shape() const;  // [rows, ...]
  [[nodiscard]] const ColumnLayout& layout() const { return layout_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  // Takes whole rows into memory.
  void append(std::span<const std::byte> rows);
  // Compresses and writes the chunks that are full. The bytes of the file depend on the rows after
  // which this is called.
  void flush(Workers* workers = nullptr);
  // Writes the rest and closes the dataset.
  void finish(Workers* workers = nullptr);

 private:
  void create();
  void write_chunks(std::int64_t chunks, Workers* workers);

  File* file_;
  std::string path_;
  ColumnLayout layout_;
  DatasetHandle handle_;
  std::int64_t row_bytes_, rows_per_chunk_;
  std::int64_t rows_ = 0, chunks_written_ = 0;
  std::vector<std::byte> pending_;
};

}  // namespace logpx::h5
