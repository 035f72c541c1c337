#include "formats/number_stream.hpp"

#include "formats/file/input.hpp"
#include "formats/number_table.hpp"
#include "formats/samples_file.hpp"
#include "formats/uniforms_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::number_stream_test {

using namespace logpx::testing;

namespace {

using Numbers = std::vector<double>;

void write_numbers(const std::string& path, const NumberLayout& layout, const Numbers& numbers,
                   std::size_t step) {
  Workers workers(2);
  NumberStream out(path, Overwrite::replace, layout);
  for (std::size_t i = 0; i < numbers.size(); i += step)
    out.append(std::span(numbers).subspan(i, std::min(step, numbers.size() - i)), workers);
  out.commit();
}

Numbers thirds(std::size_t count) {
  Numbers x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i) / 3 - 1e-20;
  return x;
}

std::string message_of(const std::string& path, std::int64_t dims,
                       std::optional<std::int64_t> rows = {}) {
  try {
    (void)read_uniforms(path, dims, rows);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.message();
  }
  return "none";
}

}  // namespace

TEST_CASE("number stream: numbers come back the same, however they were cut into calls") {
  const ScratchFolder folder;
  const Numbers numbers = thirds(30000);
  for (const NumberFormat form : {NumberFormat::npy, NumberFormat::csv}) {
    const std::string path = folder / "z";
    write_numbers(path, {.form = form, .rows = 30000}, numbers, 30000);
    const std::string whole = read_text_file(path);
    CHECK(read_number_table(path).values == numbers);
    write_numbers(path, {.form = form, .rows = 30000}, numbers, 777);
    CHECK(read_text_file(path) == whole);
  }
}

TEST_CASE("number stream: rows of several numbers have a shape, or names with their places") {
  const ScratchFolder folder;
  const NumberLayout layout{.form = NumberFormat::csv, .rows = 2, .row_shape = {2, 2}};
  write_numbers(folder / "z.csv", layout, {0.5, 1, 2, 3, 4, 5, 6, 1e300}, 4);
  CHECK(read_text_file(folder / "z.csv") == "z_1_1,z_1_2,z_2_1,z_2_2\n0.5,1,2,3\n4,5,6,1e+300\n");
  write_numbers(folder / "z.npy", {.rows = 2, .row_shape = {2}}, {1, 2, 3, 4}, 2);
  const std::string npy = read_text_file(folder / "z.npy");
  CHECK(npy.size() == 128 + 32);
  CHECK(npy.find("'shape': (2, 2), }") != std::string::npos);
  write_numbers(folder / "one.npy", {.rows = 3}, {1, 2, 3}, 3);
  CHECK(read_text_file(folder / "one.npy").find("'shape': (3,), }") != std::string::npos);
}

TEST_CASE("uniforms file: npy, CSV and the numbers of samples are read alike") {
  const ScratchFolder folder;
  const Numbers u = {0, 0.25, 1, 0.5, 0.125, 0.75};
  write_numbers(folder / "u.npy", {.rows = 3, .row_shape = {2}}, u, 6);
  write_numbers(folder / "u.csv", {.form = NumberFormat::csv, .rows = 3, .row_shape = {2}}, u, 6);
  {
    OutputFile out(folder / "u.h5", Overwrite::refuse);
    SamplesWriter writer(out, DatasetInfo{});
    writer.code("u", {2}).append(std::as_bytes(std::span(u)));
    Rows rows;
    rows.count = 3;
    writer.append(rows);
    DatasetInfo info;
    info.n = 3;
    writer.finish(
        info, {.family = "density", .model_hash = std::string(64, '0'), .sampler = Json::object()},
        {}, Json::object());
    out.commit();
  }
  for (const char* name : {"u.npy", "u.csv", "u.h5"}) {
    CAPTURE(name);
    const UniformsFile file = read_uniforms(folder / name, 2, 3);
    CHECK(file.rows == 3);
    CHECK(file.u == u);
    CHECK(message_of(folder / name, 3) == "has shape [3, 2], expected [N, 3]");
    CHECK(message_of(folder / name, 1, 6) == "has shape [3, 2], expected [6]");
  }
  write_numbers(folder / "one.csv", {.form = NumberFormat::csv, .rows = 2}, {0.5, 1.5}, 2);
  CHECK(message_of(folder / "one.csv", 1) == "1.5 is not in [0,1]");
  write_numbers(folder / "nan.npy", {.rows = 1}, {NAN}, 1);
  CHECK(message_of(folder / "nan.npy", 1) == "nan is not in [0,1]");
}

}  // namespace logpx::number_stream_test
