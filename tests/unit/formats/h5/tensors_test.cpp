#include "formats/h5/tensors.hpp"

#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/h5/column.hpp"
#include "formats/h5/walk.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>

// HDF5's own, which its headers leave out.
extern "C" std::uint32_t H5_checksum_metadata(const void* bytes, std::size_t count,
                                              std::uint32_t start);

namespace logpx::tensors_test {

using h5::Value;
using h5::ValueType;
using logpx::testing::ScratchFolder;

namespace {

void write_file(const std::string& path, const std::function<void(h5::File&)>& fill) {
  OutputFile out(path, Overwrite::replace);
  h5::File file = h5::File::create(out);
  fill(file);
  file.close();
  out.commit();
}

h5::File open_file(const std::string& path) {
  SeekableInput input(path);
  return h5::File::open(input);
}

template <typename T>
Value counting(const h5::Shape& shape) {
  std::vector<T> elements(static_cast<std::size_t>(h5::element_count(shape)));
  std::iota(elements.begin(), elements.end(), T{3});
  return Value::of(std::span<const T>(elements), shape);
}

}  // namespace

TEST_CASE("h5: every type and rank is read back as it was written, as dataset and attribute") {
  const ScratchFolder folder;
  std::vector<std::pair<std::string, Value>> values;
  for (const h5::Shape& shape : {h5::Shape{}, h5::Shape{4}, h5::Shape{2, 1, 3}, h5::Shape{0, 5}}) {
    const std::string suffix = "/rank" + std::to_string(values.size());
    values.emplace_back("/u8" + suffix, counting<std::uint8_t>(shape));
    values.emplace_back("/i8" + suffix, counting<std::int8_t>(shape));
    values.emplace_back("/u16" + suffix, counting<std::uint16_t>(shape));
    values.emplace_back("/i16" + suffix, counting<std::int16_t>(shape));
    values.emplace_back("/u32" + suffix, counting<std::uint32_t>(shape));
    values.emplace_back("/i32" + suffix, counting<std::int32_t>(shape));
    values.emplace_back("/u64" + suffix, counting<std::uint64_t>(shape));
    values.emplace_back("/i64" + suffix, counting<std::int64_t>(shape));
    values.emplace_back("/f32" + suffix, counting<float>(shape));
    values.emplace_back("/f64" + suffix, counting<double>(shape));
  }
  values.emplace_back("/text", Value::text("naïve ψ"));
  values.emplace_back("/empty", Value::text(""));
  values.emplace_back("/texts", Value{ValueType::str, {3}, {}, {"a", "", "long text"}});
  values.emplace_back("/no_texts", Value{ValueType::str, {0}, {}, {}});
  values.emplace_back("/large", Value::text(std::string(70 << 10, 'x')));
  write_file(folder / "a.h5", [&](h5::File& file) {
    for (const auto& [path, value] : values) {
      h5::write(file, path, value);
      h5::write_attribute(file, path, "same", value);
    }
  });
  const h5::File file = open_file(folder / "a.h5");
  for (const auto& [path, value] : values) {
    CAPTURE(path);
    CHECK(h5::read(file, path) == value);
    CHECK(h5::find_attribute(file, path, "same") == value);
    CHECK(h5::describe(file, path).type == value.type);
    CHECK(h5::describe(file, path).shape == value.shape);
  }
  CHECK(!h5::find_attribute(file, "/", "same"));
  CHECK(h5::attribute_names(file, "/text") == std::vector<std::string>{"same"});
}

TEST_CASE("h5: blocks are cut from anywhere in a dataset") {
  const ScratchFolder folder;
  const Value whole = counting<std::int32_t>({6, 4, 5});
  write_file(folder / "a.h5", [&](h5::File& file) { h5::write(file, "/x", whole); });
  const h5::File file = open_file(folder / "a.h5");
  const h5::Dataset dataset(file, "/x");
  std::vector<std::int32_t> block(2 * 1 * 3);
  dataset.read_block({3, 2, 1}, {2, 1, 3}, std::as_writable_bytes(std::span(block)));
  std::size_t at = 0;
  for (std::size_t i = 3; i < 5; ++i)
    for (std::size_t k = 1; k < 4; ++k)
      CHECK(block[at++] == whole.as<std::int32_t>()[(i * 4 + 2) * 5 + k]);
}

TEST_CASE("h5: a column has its exact size, however many chunks it took") {
  const ScratchFolder folder;
  for (const auto filter : {h5::Filter::deflate, h5::Filter::shuffle_deflate})
    for (const std::int64_t rows : {0, 1, 7, 8, 9, 100}) {
      const Value value = counting<float>({rows, 3});
      write_file(folder / "a.h5", [&](h5::File& file) {
        h5::Column column(
            file, "/deep/down/x",
            {.type = ValueType::f32, .row_shape = {3}, .chunk_bytes = 8 * 12, .filter = filter});
        CHECK(column.rows_per_chunk() == 8);
        column.append(std::span(value.bytes).first(value.bytes.size() / 24 * 12));
        column.flush();
        column.append(std::span(value.bytes).subspan(value.bytes.size() / 24 * 12));
        column.finish();
      });
      CHECK(h5::read(open_file(folder / "a.h5"), "/deep/down/x") == value);
    }
}

TEST_CASE("h5: a chunk that does not shrink is stored as it is") {
  const ScratchFolder folder;
  std::vector<std::uint8_t> noise(5000);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : noise) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  for (const auto filter : {h5::Filter::deflate, h5::Filter::shuffle_deflate}) {
    write_file(folder / "a.h5", [&](h5::File& file) {
      h5::Column column(
          file, "/x",
          {.type = ValueType::u8, .row_shape = {}, .chunk_bytes = 100, .filter = filter});
      column.append(std::as_bytes(std::span(noise)));
      column.finish();
    });
    const h5::File file = open_file(folder / "a.h5");
    const Value value = h5::read(file, "/x");
    CHECK(std::equal(noise.begin(), noise.end(), value.as<std::uint8_t>().begin()));
    CHECK(h5::describe(file, "/x").stored_bytes == 5000 + 50 * 4);  // checksums
  }
}

TEST_CASE("h5: a changed byte of any chunk fails its checksum, whatever its length and filter") {
  const ScratchFolder folder;
  const auto column_of = [&](std::span<const std::byte> bytes, h5::Filter filter) {
    write_file(folder / "a.h5", [&](h5::File& file) {
      h5::Column column(
          file, "/x",
          {.type = ValueType::u8, .row_shape = {}, .chunk_bytes = 1 << 16, .filter = filter});
      column.append(bytes);
      column.finish();
    });
    return read_text_file(folder / "a.h5");
  };
  for (const std::size_t size : {1, 2, 719, 720, 721, 1441, 5000}) {
    for (const int step : {0, 255, 31}) {  // zeros, 65535 and what lies between
      std::vector<std::byte> bytes(size);
      for (std::size_t i = 0; i < size; ++i)
        bytes[i] =
            static_cast<std::byte>(step == 31 ? i * 31 + i / 256 : static_cast<unsigned>(step));
      CAPTURE(size);
      CAPTURE(step);
      for (const auto filter : {h5::Filter::none, h5::Filter::deflate}) {
        (void)column_of(bytes, filter);
        CHECK(h5::read(open_file(folder / "a.h5"), "/x").bytes == bytes);
      }
      const std::string file = column_of(bytes, h5::Filter::none);
      const std::size_t at =
          file.rfind(std::string(reinterpret_cast<const char*>(bytes.data()), size));
      REQUIRE(at != std::string::npos);
      for (std::size_t i = 0; i < size; i += 1 + size / 16) {
        std::string damaged = file;
        damaged[at + i] = static_cast<char>(damaged[at + i] ^ 0x10);
        std::ofstream(folder / "a.h5", std::ios::binary) << damaged;
        try {
          (void)h5::read(open_file(folder / "a.h5"), "/x");
          FAIL("was read");
        } catch (const Error& error) {
          CHECK(error.kind() == ErrorKind::data);
          CHECK(error.subject() == folder / "a.h5" + ": /x");
        }
      }
    }
  }
}

TEST_CASE("h5: the walk lists groups and datasets by path") {
  const ScratchFolder folder;
  write_file(folder / "a.h5", [](h5::File& file) {
    h5::write(file, "/b/c/x", Value::scalar(1.0));
    h5::write(file, "/a", Value::scalar(2.0));
    h5::write(file, "/b/d", Value::scalar(3.0));
  });
  std::string listing;
  for (const h5::Object& object : h5::list_objects(open_file(folder / "a.h5")))
    listing += object.path + (object.kind == h5::ObjectKind::group ? "/ " : " ");
  CHECK(listing == "/a /b/ /b/c/ /b/c/x /b/d ");
}

TEST_CASE(
    "h5: a file that says it has more names than are there, or none, is read for those there") {
  const ScratchFolder folder;
  write_file(folder / "a.h5", [](h5::File& file) {
    for (int i = 0; i < 20; ++i) {
      h5::write(file, "/many/" + std::to_string(i), Value::scalar(1.0));
      h5::write_attribute(file, "/", "a" + std::to_string(i), Value::scalar(2.0));
    }
  });
  std::string bytes = read_text_file(folder / "a.h5");
  for (const std::uint64_t claim : {70000, 0}) {
    int indices = 0;
    // An index of names: 26 bytes, how many there are, and a checksum of all that.
    for (std::size_t at = bytes.find("BTHD"); at != std::string::npos;
         at = bytes.find("BTHD", at + 4), ++indices) {
      std::memcpy(bytes.data() + at + 26, &claim, 8);
      const std::uint32_t sum = H5_checksum_metadata(bytes.data() + at, 34, 0);
      std::memcpy(bytes.data() + at + 34, &sum, 4);
    }
    CHECK(indices == 2);
    std::ofstream(folder / "a.h5", std::ios::binary) << bytes;
    const h5::File file = open_file(folder / "a.h5");
    CHECK(h5::attribute_names(file, "/").size() == 20);
    CHECK(h5::list_objects(file).size() == 21);
  }
}

TEST_CASE("h5: what is not there and what was written twice is named by file and path") {
  const ScratchFolder folder;
  const std::string path = folder / "a.h5";
  write_file(path, [](h5::File& file) {
    h5::write(file, "/x", Value::scalar(1.0));
    CHECK_THROWS_AS(h5::write(file, "/x", Value::scalar(2.0)), Error);
    CHECK_THROWS_AS(h5::write(file, "/x/below", Value::scalar(2.0)), Error);
  });
  const h5::File file = open_file(path);
  CHECK(file.has("/"));
  CHECK(file.has("/x"));
  CHECK(!file.has("/y"));
  CHECK(!file.has("/no/group"));
  try {
    (void)h5::read(file, "/y");
    FAIL("read what is not there");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.subject() == path + ": /y");
  }
}

}  // namespace logpx::tensors_test
