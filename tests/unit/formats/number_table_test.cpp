#include "formats/number_table.hpp"

#include "formats/density_file.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace logpx::number_table_test {
namespace {

NumberTable table_of(const std::string& text) {
  return read_number_table(ByteSource("t.csv", testing::bytes_of(text)));
}

template <typename T>
testing::Bytes8 payload(const std::vector<T>& numbers) {
  testing::Bytes8 bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

NumberTable npy_table(const std::string& descr, const std::string& shape,
                      const testing::Bytes8& bytes, const std::string& fortran_order = "False") {
  return read_number_table(ByteSource("t.npy", testing::npy(descr, shape, bytes, fortran_order)));
}

std::string message_of(const std::string& text, DensityColumn column = DensityColumn::density) {
  try {
    (void)density_of(table_of(text), column);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "none";
}

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("number table: CSV with and without names, with any delimiter, knows its lines") {
  const NumberTable plain = table_of("0,1\n\n2.5, -3e2\n");
  CHECK(plain.column_names.empty());
  CHECK(plain.rows == 2);
  CHECK(plain.columns == 2);
  CHECK(plain.values == Numbers{0, 1, 2.5, -300});
  CHECK(plain.place(0) == "t.csv:1");
  CHECK(plain.place(1) == "t.csv:3");
  const NumberTable named = table_of("z;p\n1;inf\n2;\n");
  CHECK(named.column_names == std::vector<std::string>{"z", "p"});
  CHECK(named.place(1) == "t.csv:3");
  CHECK(named.at(0, 1) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(named.at(1, 1)));
  CHECK(table_of("").rows == 0);
  CHECK(table_of("7\n").shape_text() == "[1, 1]");
}

TEST_CASE("number table: npy of any numbers, one or two dimensions, in either order") {
  CHECK(npy_table("<f8", "(3,)", payload<double>({1, 2, 3})).columns == 1);
  const NumberTable rows = npy_table("<f4", "(2, 3)", payload<float>({1, 2, 3, 4, 5, 6}));
  CHECK(rows.at(1, 0) == 4);
  CHECK(rows.place(1) == "t.npy: row 1");
  CHECK(npy_table("<f4", "(2, 3)", payload<float>({1, 4, 2, 5, 3, 6}), "True").values ==
        rows.values);
  CHECK(npy_table(">i2", "(2,)", testing::big_endian(0x00010002, 4)).values == Numbers{1, 2});
  CHECK_THROWS_AS((void)npy_table("<f8", "(1, 1, 1)", payload<double>({1})), Error);
  CHECK_THROWS_AS((void)npy_table("<f8", "(3,)", payload<double>({1, 2})), Error);
  CHECK_THROWS_AS((void)npy_table("<f8", "(1,)", payload<double>({1, 2})), Error);
}

TEST_CASE("number table: what is no table of numbers is a data error that says where") {
  for (const auto& [text, place] :
       std::vector<std::pair<std::string, std::string>>{{"1,2\n3\n", "t.csv:2"},
                                                        {"1,2\n3,4\n5,x\n", "t.csv:3"},
                                                        {"{\"a\": 1}\n", "t.csv"},
                                                        {std::string("\0\1\2\3", 4), "t.csv"},
                                                        {"\x89HDF\r\n\x1a\n", "t.csv"}}) {
    CAPTURE(text);
    try {
      (void)table_of(text);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      CHECK(error.subject() == place);
    }
  }
}

TEST_CASE("density file: densities, logarithms and counts come out with 1 as their largest") {
  const DensityTable plain = density_of(table_of("0,1\n1,4\n3,0\n"), DensityColumn::density);
  CHECK(plain.z == Numbers{0, 1, 3});
  CHECK(plain.density == Numbers{0.25, 1, 0});
  const DensityTable logarithms =
      density_of(table_of("0,1000\n1,-inf\n3,999\n"), DensityColumn::logarithm);
  CHECK(logarithms.density == Numbers{1, 0, std::exp(-1.0)});
  for (const char* last : {"", "0", "nan"}) {
    const DensityTable bars =
        density_of(table_of("0,30\n1,10\n3," + std::string(last) + "\n"), DensityColumn::counts);
    CHECK(bars.z == Numbers{0, 1, 3});
    CHECK(bars.density == Numbers{1, 10 / 30.0});
  }
}

TEST_CASE("density file: among more columns the named ones are taken") {
  const NumberTable table = table_of("q,log_density,z,density\n7,0,1,2\n7,-1,2,3\n");
  CHECK(density_of(table, DensityColumn::density).z == Numbers{1, 2});
  CHECK(density_of(table, DensityColumn::density).density == Numbers{2 / 3.0, 1});
  CHECK(density_of(table, DensityColumn::logarithm).density == Numbers{1, std::exp(-1.0)});
  CHECK(message_of("a,b,c\n1,2,3\n4,5,6\n", DensityColumn::counts) ==
        "t.csv: has no column edge (columns: a, b, c)");
  CHECK(message_of("1,2,3\n4,5,6\n") ==
        "t.csv: has shape [2, 3], expected two columns, z and density");
}

TEST_CASE("density file: what is no density is a data error that names the line") {
  CHECK(message_of("0,1\n1,-2\n") == "t.csv:2: density is -2, expected at least 0");
  CHECK(message_of("0,1\n1,inf\n") == "t.csv:2: density is inf, expected finite");
  CHECK(message_of("0,nan\n1,1\n") == "t.csv:1: density is missing, expected finite");
  CHECK(message_of("nan,1\n1,1\n") == "t.csv:1: z is missing, expected finite");
  CHECK(message_of("z,p\n1,1\n1,1\n") == "t.csv:3: z is 1, expected above 1 of the row before");
  CHECK(message_of("0,1\n") == "t.csv: has 1 row, expected at least two");
  CHECK(message_of("") == "t.csv: has 0 rows, expected at least two");
  CHECK(message_of("0,0\n1,0\n") == "t.csv: has no mass: every density is 0");
  CHECK(message_of("0,-inf\n1,-inf\n", DensityColumn::logarithm) ==
        "t.csv: has no mass: every log density is -inf");
  CHECK(message_of("0,inf\n1,0\n", DensityColumn::logarithm) ==
        "t.csv:1: log density is inf, expected finite");
  CHECK(message_of("0,1\n1,2\n", DensityColumn::counts) ==
        "t.csv:2: count is 2 beside the last edge, where no bar begins");
  CHECK(message_of("-1e308,1\n1e308,2\n") ==
        "t.csv: z goes from -1e+308 to 1e+308: too wide an interval");
  CHECK(message_of("0,1\n1e-300,2\n") == "t.csv: z goes from 0 to 1e-300: too narrow an interval");
}

}  // namespace logpx::number_table_test
