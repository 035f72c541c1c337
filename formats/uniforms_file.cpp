#include "formats/uniforms_file.hpp"

#include "formats/artifact.hpp"
#include "formats/file/input.hpp"
#include "formats/file/signature.hpp"
#include "formats/number_table.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <functional>
#include <utility>

namespace logpx {
namespace {

constexpr const char* codes_path = "/codes/u";

// "[N]" or "[N, 3]", N as a number if it is known.
std::string expected_shape(std::int64_t dims, std::optional<std::int64_t> rows) {
  const std::string n = rows ? std::to_string(*rows) : "N";
  return '[' + n + (dims == 1 ? "]" : ", " + std::to_string(dims) + ']');
}

struct Shape {
  std::int64_t rows, dims;
  std::string text;
};

void check_shape(const std::string& subject, const Shape& shape, std::int64_t dims,
                 std::optional<std::int64_t> rows) {
  if (shape.dims != dims || shape.rows < 1 || (rows && *rows != shape.rows))
    fail(ErrorKind::data, subject,
         "has shape " + shape.text + ", expected " + expected_shape(dims, rows));
}

void check_values(const UniformsFile& file, std::int64_t dims,
                  const std::function<std::string(std::int64_t)>& place) {
  for (std::size_t i = 0; i < file.u.size(); ++i)
    if (!(file.u[i] >= 0 && file.u[i] <= 1))
      fail(ErrorKind::data, place(static_cast<std::int64_t>(i) / dims),
           to_text(file.u[i]) + " is not in [0,1]");
}

UniformsFile read_artifact(const ArtifactFile& artifact, std::int64_t dims,
                           std::optional<std::int64_t> rows) {
  const std::string subject = artifact.file().subject(codes_path);
  if (!artifact.has(codes_path))
    fail(ErrorKind::data, subject, "is missing: the file holds no uniform numbers");
  const h5::Value value = artifact.read(codes_path, h5::ValueType::f64);
  const std::int64_t count = value.shape.empty() ? 1 : value.shape.front();
  const std::int64_t elements = h5::element_count(value.shape);
  check_shape(subject, {count, count > 0 ? elements / count : 0, h5::shape_text(value.shape)}, dims,
              rows);
  const std::span<const double> u = value.as<double>();
  UniformsFile file{count, {u.begin(), u.end()}, artifact.content_hash()};
  check_values(file, dims,
               [&](std::int64_t row) { return subject + ": row " + std::to_string(row); });
  return file;
}

// Spooled input keeps its name in messages.
ByteSource open_again(const SeekableInput& input, const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  if (input.path() == path) return ByteSource(path);
  ByteSource copy(input.path().string());
  return ByteSource(input.name(), read_whole(copy, most));
}

}  // namespace

UniformsFile read_uniforms(const std::string& path, std::int64_t dims,
                           std::optional<std::int64_t> rows) {
  SeekableInput input(path);
  ByteSource source = open_again(input, path);
  if (begins_with(source.peek(hdf5_magic.size()), hdf5_magic))
    return read_artifact(ArtifactFile(std::move(input)), dims, rows);
  NumberTable table = read_number_table(std::move(source));
  check_shape(table.name, {table.rows, table.columns, table.shape_text()}, dims, rows);
  UniformsFile file{table.rows, std::move(table.values), {}};
  check_values(file, dims, [&](std::int64_t row) { return table.place(row); });
  return file;
}

}  // namespace logpx
