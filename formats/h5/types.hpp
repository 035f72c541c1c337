// ValueType and Shape to and from HDF5's own objects; for the files of this folder.
#pragma once

#include "formats/h5/file.hpp"
#include "formats/h5/value.hpp"

#include <vector>

namespace logpx::h5 {

[[nodiscard]] hid_t memory_type(ValueType type);  // numbers only; not to be closed
[[nodiscard]] hid_t disk_type(ValueType type);    // little-endian; not to be closed
// Fixed length, null-padded, UTF-8. HDF5 has no strings of size 0: length is at least 1.
[[nodiscard]] TypeHandle text_type(std::size_t length, const File& file, const std::string& path);
[[nodiscard]] SpaceHandle make_space(const Shape& shape, const File& file, const std::string& path);

[[nodiscard]] ValueType value_type(hid_t type);
[[nodiscard]] Shape shape_of(hid_t space, const File& file, const std::string& path);
[[nodiscard]] std::vector<hsize_t> sizes_of(const Shape& shape);

}  // namespace logpx::h5
