#include "formats/h5/column.hpp"

#include "formats/h5/types.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"

#include <zlib.h>

#include <algorithm>
#include <functional>

namespace logpx::h5 {
namespace {

// On MNIST in 256 KiB chunks 6 % larger than level 9, and 23 times faster.   [data/README 1.1]
constexpr int deflate_level = 4;

struct Packed {
  std::vector<std::byte> bytes;
  std::uint32_t skipped_filters = 0;  // bit i: filter i of the pipeline was not applied
};

// HDF5's shuffle: first bytes of all elements, then all second bytes, ...
std::vector<std::byte> shuffled(std::span<const std::byte> bytes, std::size_t element) {
  std::vector<std::byte> out(bytes.size());
  const std::size_t count = bytes.size() / element;
  for (std::size_t part = 0; part < element; ++part)
    for (std::size_t i = 0; i < count; ++i) out[part * count + i] = bytes[i * element + part];
  return out;
}

// HDF5's fletcher32 filter: sums of big-endian 16-bit words modulo 65535; a last odd byte is the
// high one of a word.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr std::size_t run = 2 * 360;  // the most words whose sums fit 32 bits
  const auto folded = [](std::uint32_t sum) { return (sum & 0xFFFF) + (sum >> 16); };
  std::uint32_t first = 0, second = 0;
  for (std::size_t begin = 0; begin < bytes.size(); begin += run) {
    const std::size_t end = std::min(begin + run, bytes.size());
    for (std::size_t i = begin; i < end; i += 2) {
      const auto low = i + 1 < end ? std::to_integer<std::uint32_t>(bytes[i + 1]) : 0;
      first += std::to_integer<std::uint32_t>(bytes[i]) << 8 | low;
      second += first;
    }
    first = folded(first);
    second = folded(second);
  }
  return folded(second) << 16 | folded(first);
}

// What HDF5's own pipeline would make of a chunk, less its checksum: a stream that does not shrink
// is stored as it is.
Packed compressed(std::span<const std::byte> chunk, const ColumnLayout& layout) {
  Packed packed;
  if (layout.filter == Filter::none) {
    packed.bytes.assign(chunk.begin(), chunk.end());
    return packed;
  }
  const bool shuffle = layout.filter == Filter::shuffle_deflate;
  std::vector<std::byte> plain;
  if (shuffle) {
    plain = shuffled(chunk, value_size(layout.type));
    chunk = plain;
  }
  packed.bytes.resize(compressBound(chunk.size()));
  uLongf size = packed.bytes.size();
  const int status =
      compress2(reinterpret_cast<Bytef*>(packed.bytes.data()), &size,
                reinterpret_cast<const Bytef*>(chunk.data()), chunk.size(), deflate_level);
  LOGPX_ASSERT(status == Z_OK);
  packed.bytes.resize(size);
  if (size < chunk.size()) return packed;
  packed.bytes.assign(chunk.begin(), chunk.end());
  packed.skipped_filters = shuffle ? 2U : 1U;
  return packed;
}

Packed pack(std::span<const std::byte> chunk, const ColumnLayout& layout) {
  Packed packed = compressed(chunk, layout);
  const std::uint32_t checksum = fletcher32(packed.bytes);
  for (int shift = 0; shift < 32; shift += 8)
    packed.bytes.push_back(static_cast<std::byte>(checksum >> shift));
  return packed;
}

std::int64_t rows_in_chunk(const ColumnLayout& layout, std::int64_t row_bytes) {
  return std::max<std::int64_t>(layout.chunk_bytes / std::max<std::int64_t>(row_bytes, 1), 1);
}

PropertiesHandle chunk_properties(const File& file, const std::string& path,
                                  const std::vector<hsize_t>& chunk, Filter filter) {
  PropertiesHandle list(check(H5Pcreate(H5P_DATASET_CREATE), file, path));
  check(H5Pset_obj_track_times(list.id(), 0), file, path);
  check(H5Pset_chunk(list.id(), static_cast<int>(chunk.size()), chunk.data()), file, path);
  if (filter == Filter::shuffle_deflate) check(H5Pset_shuffle(list.id()), file, path);
  if (filter != Filter::none) check(H5Pset_deflate(list.id(), deflate_level), file, path);
  check(H5Pset_fletcher32(list.id()), file, path);
  return list;
}

}  // namespace

Column::Column(File& file, std::string path, const ColumnLayout& layout)
    : file_(&file),
      path_(std::move(path)),
      layout_(layout),
      row_bytes_(element_count(layout.row_shape) *
                 static_cast<std::int64_t>(value_size(layout.type))),
      rows_per_chunk_(rows_in_chunk(layout, row_bytes_)) {
  LOGPX_ASSERT(row_bytes_ > 0);
}

void Column::create() {
  std::vector<hsize_t> sizes = sizes_of(shape()), limits = sizes, chunk = sizes;
  sizes[0] = 0;
  limits[0] = H5S_UNLIMITED;
  chunk[0] = static_cast<hsize_t>(rows_per_chunk_);
  file_->make_groups_for(path_);
  const SpaceHandle space(
      check(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), limits.data()), *file_,
            path_));
  const PropertiesHandle properties = chunk_properties(*file_, path_, chunk, layout_.filter);
  handle_ = DatasetHandle(check(H5Dcreate2(file_->id(), path_.c_str(), disk_type(layout_.type),
                                           space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                                *file_, path_));
}

Shape Column::shape() const {
  Shape shape{rows_};
  shape.insert(shape.end(), layout_.row_shape.begin(), layout_.row_shape.end());
  return shape;
}

void Column::append(std::span<const std::byte> rows) {
  LOGPX_ASSERT(rows.size() % static_cast<std::size_t>(row_bytes_) == 0);
  pending_.insert(pending_.end(), rows.begin(), rows.end());
  rows_ += static_cast<std::int64_t>(rows.size()) / row_bytes_;
}

void Column::flush(Workers* workers) {
  prepare_library();
  const std::int64_t full = rows_ / rows_per_chunk_ - chunks_written_;
  if (full == 0) return;
  if (handle_.id() < 0) create();
  write_chunks(full, workers);
}

void Column::finish(Workers* workers) {
  prepare_library();
  flush(workers);
  if (chunks_written_ == 0 && rows_ > 0) rows_per_chunk_ = rows_;  // a small dataset has no padding
  if (handle_.id() < 0) create();
  if (!pending_.empty()) {
    pending_.resize(static_cast<std::size_t>(rows_per_chunk_ * row_bytes_));
    write_chunks(1, workers);
  }
  check(handle_.close(), *file_, path_);
}

void Column::write_chunks(std::int64_t chunks, Workers* workers) {
  const auto chunk_bytes = static_cast<std::size_t>(rows_per_chunk_ * row_bytes_);
  std::vector<Packed> packed(static_cast<std::size_t>(chunks));
  run_blocks(workers, chunks, [&](std::int64_t i) {
    const auto index = static_cast<std::size_t>(i);
    packed[index] = pack(std::span(pending_).subspan(index * chunk_bytes, chunk_bytes), layout_);
  });
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(chunks) *
                                                          static_cast<std::ptrdiff_t>(chunk_bytes));

  const std::int64_t end = (chunks_written_ + chunks) * rows_per_chunk_;
  std::vector<hsize_t> sizes = sizes_of(shape());
  sizes[0] = static_cast<hsize_t>(std::min(end, rows_));
  check(H5Dset_extent(handle_.id(), sizes.data()), *file_, path_);
  std::vector<hsize_t> offset(sizes.size(), 0);
  for (const Packed& chunk : packed) {
    offset[0] = static_cast<hsize_t>(chunks_written_ * rows_per_chunk_);
    check(H5Dwrite_chunk(handle_.id(), H5P_DEFAULT, chunk.skipped_filters, offset.data(),
                         chunk.bytes.size(), chunk.bytes.data()),
          *file_, path_);
    ++chunks_written_;
  }
}

}  // namespace logpx::h5
