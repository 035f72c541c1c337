#include "formats/h5/tensors.hpp"

#include "formats/h5/types.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace logpx::h5 {
namespace {

// Deflate makes at most 1032 bytes of one; what claims more is damaged or hostile.
constexpr std::uint64_t largest_expansion = 1100, small_enough = 1 << 20;
constexpr std::int64_t visit_bytes = 4 << 20;

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t length = 0;
  for (const std::string& text : texts) length = std::max(length, text.size());
  return length;
}

// Texts side by side, each padded with NULs to `length`.
std::vector<std::byte> padded(const std::vector<std::string>& texts, std::size_t length) {
  std::vector<std::byte> bytes(texts.size() * length);
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::memcpy(bytes.data() + i * length, texts[i].data(), texts[i].size());
  return bytes;
}

std::string unpadded(const char* text, std::size_t length, H5T_str_t padding) {
  std::string_view view(text, length);
  if (padding == H5T_STR_SPACEPAD) {
    const std::size_t last = view.find_last_not_of(' ');
    return std::string(view.substr(0, last == std::string_view::npos ? 0 : last + 1));
  }
  if (padding == H5T_STR_NULLTERM) return std::string(view.substr(0, view.find('\0')));
  const std::size_t last = view.find_last_not_of('\0');
  return std::string(view.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

std::size_t plausible_bytes(const File& file, const std::string& path, const Shape& shape,
                            std::size_t size) {
  const std::int64_t count = element_count(shape);
  std::uint64_t bytes = 0;
  const bool fits =
      count >= 0 && !__builtin_mul_overflow(static_cast<std::uint64_t>(count), size, &bytes);
  if (!fits || bytes > small_enough + largest_expansion * file.bytes())
    fail(ErrorKind::data, file.subject(path),
         "claims shape " + shape_text(shape) + ", far more than the file holds");
  return bytes;
}

// What datasets and attributes have in common when they are read.
struct Source {
  const File& file;
  std::string path;  // for messages
  TypeHandle type;
  SpaceHandle space;
  std::function<herr_t(hid_t memory, void* out)> read;
};

void read_fixed_texts(const Source& source, Value& value) {
  const std::size_t length = H5Tget_size(source.type.id());
  if (length == 0) fail(ErrorKind::data, source.file.subject(source.path), "has texts of no size");
  std::vector<char> bytes(plausible_bytes(source.file, source.path, value.shape, length));
  check(source.read(source.type.id(), bytes.data()), source.file, source.path);
  const H5T_str_t padding = H5Tget_strpad(source.type.id());
  for (std::size_t at = 0; at < bytes.size(); at += length)
    value.texts.push_back(unpadded(bytes.data() + at, length, padding));
}

// Foreign files only: logpx writes none of variable length.
void read_variable_texts(const Source& source, Value& value) {
  std::vector<char*> texts(plausible_bytes(source.file, source.path, value.shape, sizeof(char*)) /
                           sizeof(char*));
  check(source.read(source.type.id(), texts.data()), source.file, source.path);
  for (const char* text : texts) value.texts.emplace_back(text == nullptr ? "" : text);
  check(H5Dvlen_reclaim(source.type.id(), source.space.id(), H5P_DEFAULT, texts.data()),
        source.file, source.path);
}

Value read_from(const Source& source) {
  Value value;
  value.type = value_type(source.type.id());
  value.shape = shape_of(source.space.id(), source.file, source.path);
  if (value.type == ValueType::other)
    fail(ErrorKind::data, source.file.subject(source.path), "has a type that cannot be read here");
  if (H5Sget_simple_extent_type(source.space.id()) == H5S_NULL) value.shape = {0};
  if (element_count(value.shape) == 0) return value;
  if (value.type != ValueType::str) {
    value.bytes.resize(
        plausible_bytes(source.file, source.path, value.shape, value_size(value.type)));
    check(source.read(memory_type(value.type), value.bytes.data()), source.file, source.path);
  } else if (check(H5Tis_variable_str(source.type.id()), source.file, source.path) > 0) {
    read_variable_texts(source, value);
  } else {
    read_fixed_texts(source, value);
  }
  return value;
}

// A value as it goes to disk: its types, and texts padded to one length.
struct Encoded {
  Encoded(const Value& value, const File& file, const std::string& path) : bytes(value.bytes) {
    if (value.type != ValueType::str) {
      disk = disk_type(value.type);
      memory = memory_type(value.type);
      return;
    }
    const std::size_t length = std::max<std::size_t>(longest(value.texts), 1);
    text = text_type(length, file, path);
    disk = memory = text.id();
    texts = padded(value.texts, length);
    bytes = texts;
  }

  TypeHandle text;
  hid_t disk = H5I_INVALID_HID, memory = H5I_INVALID_HID;
  std::vector<std::byte> texts;
  std::span<const std::byte> bytes;
};

PropertiesHandle dataset_properties(const File& file, const std::string& path) {
  PropertiesHandle list(check(H5Pcreate(H5P_DATASET_CREATE), file, path));
  check(H5Pset_obj_track_times(list.id(), 0), file, path);
  check(H5Pset_fill_time(list.id(), H5D_FILL_TIME_NEVER), file, path);
  return list;
}

struct TypePair {
  hid_t disk, memory;
};

void write_dataset(File& file, const std::string& path, TypePair types, const Shape& shape,
                   std::span<const std::byte> bytes) {
  file.make_groups_for(path);
  const SpaceHandle space = make_space(shape, file, path);
  const PropertiesHandle properties = dataset_properties(file, path);
  DatasetHandle dataset(check(H5Dcreate2(file.id(), path.c_str(), types.disk, space.id(),
                                         H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                              file, path));
  if (!bytes.empty())
    check(H5Dwrite(dataset.id(), types.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), file,
          path);
  check(dataset.close(), file, path);
}

void assert_whole(const Value& value) {
  const auto count = static_cast<std::size_t>(element_count(value.shape));
  LOGPX_ASSERT(value.type == ValueType::str ? value.texts.size() == count
                                            : value.bytes.size() == count * value_size(value.type));
}

// "@n" of the root, "/data/x@unit" of another object.
std::string attribute_subject(const std::string& path, const std::string& name) {
  return (path == "/" ? "@" : path + '@') + name;
}

// Elements must lie in this file, too: HDF5 would read any file that a dataset names.
DatasetHandle open_dataset(const File& file, const std::string& path) {
  prepare_library();
  file.require_inside(path);
  DatasetHandle dataset(check(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), file, path));
  const PropertiesHandle list(check(H5Dget_create_plist(dataset.id()), file, path));
  if (check(H5Pget_layout(list.id()), file, path) == H5D_VIRTUAL ||
      check(H5Pget_external_count(list.id()), file, path) > 0)
    fail(ErrorKind::data, file.subject(path), "lies in another file, which is not followed");
  return dataset;
}

Shape chunk_of(hid_t dataset, std::size_t rank, const File& file, const std::string& path) {
  const PropertiesHandle list(check(H5Dget_create_plist(dataset), file, path));
  if (check(H5Pget_layout(list.id()), file, path) != H5D_CHUNKED) return {};
  std::vector<hsize_t> sizes(rank);
  check(H5Pget_chunk(list.id(), static_cast<int>(rank), sizes.data()), file, path);
  return {sizes.begin(), sizes.end()};
}

}  // namespace

void write(File& file, const std::string& path, const Value& value) {
  prepare_library();
  assert_whole(value);
  const Encoded encoded(value, file, path);
  write_dataset(file, path, {encoded.disk, encoded.memory}, value.shape, encoded.bytes);
}

void write(File& file, const std::string& path, ValueType type, const Shape& shape,
           std::span<const std::byte> bytes) {
  prepare_library();
  LOGPX_ASSERT(bytes.size() == static_cast<std::size_t>(element_count(shape)) * value_size(type));
  write_dataset(file, path, {disk_type(type), memory_type(type)}, shape, bytes);
}

void write_attribute(File& file, const std::string& path, const std::string& name,
                     const Value& value) {
  prepare_library();
  assert_whole(value);
  const std::string subject = attribute_subject(path, name);
  const Encoded encoded(value, file, subject);
  const SpaceHandle space = make_space(value.shape, file, subject);
  AttributeHandle attribute(
      check(H5Acreate_by_name(file.id(), path.c_str(), name.c_str(), encoded.disk, space.id(),
                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            file, subject));
  if (!encoded.bytes.empty())
    check(H5Awrite(attribute.id(), encoded.memory, encoded.bytes.data()), file, subject);
  check(attribute.close(), file, subject);
}

Description describe(const File& file, const std::string& path) {
  return Dataset(file, path).description();
}

Value read(const File& file, const std::string& path) {
  const DatasetHandle dataset = open_dataset(file, path);
  return read_from({.file = file,
                    .path = path,
                    .type = TypeHandle(check(H5Dget_type(dataset.id()), file, path)),
                    .space = SpaceHandle(check(H5Dget_space(dataset.id()), file, path)),
                    .read = [&](hid_t memory, void* out) {
                      return H5Dread(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
                    }});
}

std::vector<std::string> attribute_names(const File& file, const std::string& path) {
  prepare_library();
  std::vector<std::string> names;
  const H5A_operator2_t note = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  // Unordered: to sort by name, HDF5 1.10 trusts the number of attributes that the file claims.
  check(H5Aiterate_by_name(file.id(), path.c_str(), H5_INDEX_NAME, H5_ITER_NATIVE, &position, note,
                           &names, H5P_DEFAULT),
        file, path);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<Value> find_attribute(const File& file, const std::string& path,
                                    const std::string& name) {
  prepare_library();
  const std::string subject = attribute_subject(path, name);
  const htri_t exists = H5Aexists_by_name(file.id(), path.c_str(), name.c_str(), H5P_DEFAULT);
  if (check(exists, file, subject) == 0) return std::nullopt;
  const AttributeHandle attribute(
      check(H5Aopen_by_name(file.id(), path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), file,
            subject));
  return read_from(
      {.file = file,
       .path = subject,
       .type = TypeHandle(check(H5Aget_type(attribute.id()), file, subject)),
       .space = SpaceHandle(check(H5Aget_space(attribute.id()), file, subject)),
       .read = [&](hid_t memory, void* out) { return H5Aread(attribute.id(), memory, out); }});
}

Dataset::Dataset(const File& file, std::string path)
    : file_(&file), path_(std::move(path)), handle_(open_dataset(file, path_)) {
  const TypeHandle type(check(H5Dget_type(handle_.id()), file, path_));
  const SpaceHandle space(check(H5Dget_space(handle_.id()), file, path_));
  description_ = {value_type(type.id()), shape_of(space.id(), file, path_),
                  H5Dget_storage_size(handle_.id())};
  plausible_bytes(file, path_, description_.shape, H5Tget_size(type.id()));
  chunk_ = chunk_of(handle_.id(), description_.shape.size(), file, path_);
}

void Dataset::read_block(const Shape& start, const Shape& count, std::span<std::byte> out) const {
  prepare_library();
  LOGPX_ASSERT(start.size() == description_.shape.size() && count.size() == start.size());
  LOGPX_ASSERT(out.size() ==
               static_cast<std::size_t>(element_count(count)) * value_size(description_.type));
  if (out.empty()) return;
  const SpaceHandle memory = make_space(count, *file_, path_);
  const SpaceHandle space(check(H5Dget_space(handle_.id()), *file_, path_));
  const std::vector<hsize_t> first = sizes_of(start), sizes = sizes_of(count);
  if (!count.empty())
    check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, first.data(), nullptr, sizes.data(),
                              nullptr),
          *file_, path_);
  check(H5Dread(handle_.id(), memory_type(description_.type), memory.id(), space.id(), H5P_DEFAULT,
                out.data()),
        *file_, path_);
}

void Dataset::read_rows(std::int64_t begin, std::int64_t end, std::span<std::byte> out) const {
  LOGPX_ASSERT(!description_.shape.empty() && 0 <= begin && begin <= end &&
               end <= description_.shape[0]);
  Shape start(description_.shape.size(), 0), count = description_.shape;
  start[0] = begin;
  count[0] = end - begin;
  read_block(start, count, out);
}

void Dataset::visit(const std::function<void(std::span<const std::byte>)>& take) const {
  const Shape& shape = description_.shape;
  const std::int64_t rows = shape.empty() ? 1 : shape[0];
  const std::int64_t elements = element_count(shape);
  if (elements == 0) return;
  const std::int64_t row_bytes =
      elements / rows * static_cast<std::int64_t>(value_size(description_.type));
  LOGPX_ASSERT(row_bytes > 0);
  const std::int64_t chunk = chunk_.empty() ? 1 : chunk_[0];
  const std::int64_t step =
      std::min(std::max<std::int64_t>(visit_bytes / (row_bytes * chunk), 1) * chunk, rows);
  std::vector<std::byte> block(static_cast<std::size_t>(step * row_bytes));
  for (std::int64_t begin = 0; begin < rows; begin += step) {
    const std::int64_t end = std::min(begin + step, rows);
    const std::span<std::byte> part =
        std::span(block).first(static_cast<std::size_t>((end - begin) * row_bytes));
    if (shape.empty()) read_block({}, {}, part);
    else read_rows(begin, end, part);
    take(part);
  }
}

}  // namespace logpx::h5
