#include "formats/h5/types.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <limits>

namespace logpx::h5 {
namespace {

ValueType integer_type(std::size_t size, bool is_signed) {
  switch (size) {
    case 1: return is_signed ? ValueType::i8 : ValueType::u8;
    case 2: return is_signed ? ValueType::i16 : ValueType::u16;
    case 4: return is_signed ? ValueType::i32 : ValueType::u32;
    case 8: return is_signed ? ValueType::i64 : ValueType::u64;
    default: return ValueType::other;
  }
}

}  // namespace

hid_t memory_type(ValueType type) {
  LOGPX_ASSERT(is_number(type));
  switch (type) {
    case ValueType::u8: return H5T_NATIVE_UINT8;
    case ValueType::i8: return H5T_NATIVE_INT8;
    case ValueType::u16: return H5T_NATIVE_UINT16;
    case ValueType::i16: return H5T_NATIVE_INT16;
    case ValueType::u32: return H5T_NATIVE_UINT32;
    case ValueType::i32: return H5T_NATIVE_INT32;
    case ValueType::u64: return H5T_NATIVE_UINT64;
    case ValueType::i64: return H5T_NATIVE_INT64;
    case ValueType::f32: return H5T_NATIVE_FLOAT;
    case ValueType::f64: return H5T_NATIVE_DOUBLE;
    case ValueType::str:
    case ValueType::other: break;
  }
  return H5I_INVALID_HID;
}

hid_t disk_type(ValueType type) {
  LOGPX_ASSERT(is_number(type));
  switch (type) {
    case ValueType::u8: return H5T_STD_U8LE;
    case ValueType::i8: return H5T_STD_I8LE;
    case ValueType::u16: return H5T_STD_U16LE;
    case ValueType::i16: return H5T_STD_I16LE;
    case ValueType::u32: return H5T_STD_U32LE;
    case ValueType::i32: return H5T_STD_I32LE;
    case ValueType::u64: return H5T_STD_U64LE;
    case ValueType::i64: return H5T_STD_I64LE;
    case ValueType::f32: return H5T_IEEE_F32LE;
    case ValueType::f64: return H5T_IEEE_F64LE;
    case ValueType::str:
    case ValueType::other: break;
  }
  return H5I_INVALID_HID;
}

TypeHandle text_type(std::size_t length, const File& file, const std::string& path) {
  TypeHandle type(check(H5Tcopy(H5T_C_S1), file, path));
  check(H5Tset_size(type.id(), std::max<std::size_t>(length, 1)), file, path);
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), file, path);
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), file, path);
  return type;
}

SpaceHandle make_space(const Shape& shape, const File& file, const std::string& path) {
  if (shape.empty()) return SpaceHandle(check(H5Screate(H5S_SCALAR), file, path));
  const std::vector<hsize_t> sizes = sizes_of(shape);
  return SpaceHandle(
      check(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), file, path));
}

ValueType value_type(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return integer_type(size, H5Tget_sign(type) == H5T_SGN_2);
    case H5T_FLOAT:
      return size == 4 ? ValueType::f32 : size == 8 ? ValueType::f64 : ValueType::other;
    case H5T_STRING: return ValueType::str;
    default: return ValueType::other;
  }
}

Shape shape_of(hid_t space, const File& file, const std::string& path) {
  const int rank = check(H5Sget_simple_extent_ndims(space), file, path);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), file, path);
  for (const hsize_t size : sizes)
    if (size > static_cast<hsize_t>(std::numeric_limits<std::int64_t>::max()))
      fail(ErrorKind::data, file.subject(path), "has an impossible shape");
  return {sizes.begin(), sizes.end()};
}

std::vector<hsize_t> sizes_of(const Shape& shape) {
  for (const std::int64_t size : shape) LOGPX_ASSERT(size >= 0);
  return {shape.begin(), shape.end()};
}

}  // namespace logpx::h5
