// Round trips of idx, cifar10, npy and npz: what a test writes is what comes out.
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cstring>

namespace logpx::arrays_test {

using namespace logpx::testing;

namespace {

std::vector<int> ints(const Bytes8& bytes) {
  std::vector<int> values;
  for (const std::byte byte : bytes) values.push_back(std::to_integer<int>(byte));
  return values;
}

template <typename T>
Bytes8 numbers(const std::vector<T>& values, bool big) {
  Bytes8 bytes;
  for (const T value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    append(bytes, big ? big_endian(bits, sizeof value) : little_endian(bits, sizeof value));
  }
  return bytes;
}

}  // namespace

TEST_CASE("idx: bytes of rank 3 and 4 are images, gzip or not") {
  const Bytes8 pixels = ramp(3 * 4 * 5);
  const Bytes8 file = idx(8, {3, 4, 5}, pixels);
  for (const Bytes8& bytes : {file, gzip(file)}) {
    const Packed packed = pack("idx", bytes);
    CHECK(packed.info.content == Content::image);
    CHECK(packed.info.shape == std::vector<std::int64_t>{4, 5, 1});
    CHECK(packed.info.levels == 256);
    CHECK(packed.info.value_max == 255);
    CHECK(packed.info.n == 3);
    CHECK(packed.x() == ints(pixels));
  }
  CHECK(pack("idx", idx(8, {2, 2, 5, 3}, pixels)).info.shape == std::vector<std::int64_t>{2, 5, 3});
}

TEST_CASE("idx: the five other types become vectors of float32") {
  const std::vector<float> expected = {1, -2, 3, -4, 5, -6};
  const auto check = [&](int type, const Bytes8& payload) {
    const Packed packed = pack("idx", idx(type, {2, 3}, payload));
    CAPTURE(type);
    CHECK(packed.info.content == Content::vector);
    CHECK(packed.info.measure == Measure::lebesgue);
    CHECK(packed.info.shape == std::vector<std::int64_t>{3});
    CHECK(packed.reals() == expected);
  };
  check(0x09, numbers<std::int8_t>({1, -2, 3, -4, 5, -6}, true));
  check(0x0b, numbers<std::int16_t>({1, -2, 3, -4, 5, -6}, true));
  check(0x0c, numbers<std::int32_t>({1, -2, 3, -4, 5, -6}, true));
  check(0x0d, numbers<float>({1, -2, 3, -4, 5, -6}, true));
  check(0x0e, numbers<double>({1, -2, 3, -4, 5, -6}, true));
}

TEST_CASE("idx: labels come from a file of their own, one for each input") {
  const ScratchFolder folder;
  write_bytes(folder / "l1", idx(8, {2}, ramp(2)));
  write_bytes(folder / "l2", gzip(idx(8, {1}, {std::byte{9}})));
  std::vector<Input> inputs;
  inputs.emplace_back("a", idx(8, {2, 1, 1}, ramp(2)));
  inputs.emplace_back("b", idx(8, {1, 1, 1}, ramp(1)));
  ImportOptions options;
  options.labels = {folder / "l1", folder / "l2"};
  const Packed packed = pack("idx", std::move(inputs), options);
  CHECK(packed.rows.y == std::vector<std::int32_t>{0, 7, 9});
  CHECK(packed.info.n == 3);
  CHECK(packed.record.sources.size() == 4);
}

TEST_CASE("idx: --shape makes images of anything that holds pixels") {
  ImportOptions options;
  options.shape = {2, 3, 1};
  const Packed packed =
      pack("idx", idx(0x0d, {1, 6}, numbers<float>({0, 1, 2, 3, 4, 255}, true)), options);
  CHECK(packed.info.content == Content::image);
  CHECK(packed.x() == std::vector<int>{0, 1, 2, 3, 4, 255});
  CHECK(error_of("idx", idx(0x0d, {1, 6}, numbers<float>({0, 1, 2, 3, 4, .5F}, true)), options) ==
        "data|a: row 0, element 5: '0.5' is not a whole number in 0..255|");
  options.shape = {7};
  CHECK(error_of("idx", idx(8, {1, 6}, ramp(6)), options) == "usage|--shape: takes H,W or H,W,C|");
}

TEST_CASE("cifar10: planes become pixels, and the label byte the label") {
  Bytes8 record = {std::byte{6}};
  for (int plane = 0; plane < 3; ++plane)
    for (int i = 0; i < 1024; ++i) record.push_back(static_cast<std::byte>((plane * 80 + i) % 256));
  Bytes8 file = record;
  record[0] = std::byte{9};
  append(file, record);
  const Packed packed = pack("cifar10", gzip(file));
  CHECK(packed.info.shape == std::vector<std::int64_t>{32, 32, 3});
  CHECK(packed.rows.y == std::vector<std::int32_t>{6, 9});
  REQUIRE(packed.rows.x.size() == 2 * 3072);
  for (std::size_t i = 0; i < 1024; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      REQUIRE(std::to_integer<std::size_t>(packed.rows.x[3 * i + c]) == (c * 80 + i) % 256);
}

TEST_CASE("cifar10: two label bytes are CIFAR-100, fine or coarse") {
  Bytes8 file;
  for (const int fine : {49, 33}) {
    append(file, {std::byte{11}, static_cast<std::byte>(fine)});
    append(file, ramp(3072));
  }
  CHECK(pack("cifar10", file).rows.y == std::vector<std::int32_t>{49, 33});
  ImportOptions options;
  options.coarse = true;
  CHECK(pack("cifar10", file, options).rows.y == std::vector<std::int32_t>{11, 11});
}

TEST_CASE("npy: every type in either byte order") {
  const std::vector<float> expected = {1, 2, 3, 4, 5, 6};
  const auto check = [&](const std::string& type, auto example) {
    using T = decltype(example);
    for (const bool big : {false, true}) {
      const std::string descr = (sizeof(T) == 1 ? "|" : big ? ">" : "<") + type;
      const Bytes8 file =
          npy(descr, "(2, 3)", numbers<T>({1, 2, 3, 4, 5, 6}, big), "False", big ? 1 : 2);
      CAPTURE(descr);
      ImportOptions options;
      options.content = Reading::vector;
      CHECK(pack("npy", file, options).reals() == expected);
    }
  };
  check("u1", std::uint8_t{});
  check("i1", std::int8_t{});
  check("i2", std::int16_t{});
  check("i4", std::int32_t{});
  check("i8", std::int64_t{});
  check("f4", float{});
  check("f8", double{});
}

TEST_CASE("npy: bytes of rank 3 are images, and Fortran order is put right") {
  // Element (i, j, k) of [2, 3, 4] is 12 i + 4 j + k.
  Bytes8 c_order, fortran;
  for (int e = 0; e < 24; ++e) c_order.push_back(static_cast<std::byte>(e));
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) fortran.push_back(static_cast<std::byte>(12 * i + 4 * j + k));
  const Packed straight = pack("npy", npy("|u1", "(2, 3, 4)", c_order));
  CHECK(straight.info.shape == std::vector<std::int64_t>{3, 4, 1});
  CHECK(straight.x() == ints(c_order));
  CHECK(pack("npy", npy("|u1", "(2, 3, 4)", fortran, "True")).x() == ints(c_order));
}

TEST_CASE("npy: --content symbols takes --levels as the alphabet") {
  ImportOptions options;
  options.content = Reading::symbols;
  options.levels = 300;
  const Packed packed =
      pack("npy", npy("<i2", "(1, 3)", numbers<std::int16_t>({0, 299, 7}, false)), options);
  CHECK(packed.info.element == Element::u16);
  CHECK(packed.info.levels == 300);
  CHECK(packed.rows.values<std::uint16_t>()[1] == 299);
  options.levels = 299;
  CHECK(error_of("npy", npy("<i2", "(1, 3)", numbers<std::int16_t>({0, 299, 7}, false)), options) ==
        "data|a: row 0, element 1: '299' is not a whole number in 0..298|");
}

TEST_CASE("npy: integers stay integers where a dataset can hold them") {
  const auto file = [](std::vector<std::int16_t> values) {
    return npy("<i2", "(2, 2)", numbers<std::int16_t>(std::move(values), false));
  };
  const Packed small = pack("npy", file({3, 0, 4, 1}));
  CHECK(small.info.content == Content::symbols);
  CHECK(small.info.measure == Measure::counting);
  CHECK(small.info.element == Element::u8);
  CHECK(small.info.levels == 5);
  CHECK(small.x() == std::vector<int>{3, 0, 4, 1});
  CHECK(pack("npz", zip({{"x.npy", file({3, 0, 4, 1})}})).x() == small.x());
  const Packed wide = pack("npy", file({3, 0, 400, 1}));
  CHECK(wide.info.element == Element::u16);
  CHECK(wide.info.levels == 401);
  CHECK(wide.rows.values<std::uint16_t>()[2] == 400);
  ImportOptions options;
  options.levels = 10;
  CHECK(pack("npy", file({3, 0, 4, 1}), options).info.levels == 10);
  const Packed negative = pack("npy", file({3, -1, 4, 1}));
  CHECK(negative.reals() == std::vector<float>{3, -1, 4, 1});
  CHECK(negative.record.warnings ==
        std::vector<std::string>{"whole numbers from -1 to 4 become "
                                 "real numbers: a dataset keeps only 0 to 65535 as whole numbers"});
  CHECK(pack("npy", npy("<f4", "(1, 2)", numbers<float>({1, 2}, false))).info.content ==
        Content::vector);
}

TEST_CASE("npy: integers that float32 cannot hold, and infinities, are refused") {
  const auto error = [](std::int32_t last) {
    return error_of("npy", npy("<i4", "(2, 1)", numbers<std::int32_t>({16777216, last}, false)));
  };
  CHECK(error(16777218).empty());
  CHECK(error(16777217) ==
        "data|a: row 1, element 0: '16777217' is a whole number that float32 does not hold|");
  CHECK(error_of("npy", npy("<f8", "(2, 1)", numbers<double>({1, 1e300}, false))) ==
        "data|a: row 1, element 0: '1e+300' is not a finite float32|");
}

TEST_CASE("npz: stored, deflated and zip64 members by key, with labels") {
  const Bytes8 x = npy("|u1", "(2, 2, 2)", ramp(8)),
               y = npy("<i8", "(2,)", numbers<std::int64_t>({3, 4}, false));
  for (const bool deflate : {false, true})
    for (const bool zip64 : {false, true}) {
      ImportOptions options;
      options.key = "images";
      options.label_key = "labels";
      const Packed packed =
          pack("npz", zip({{"images.npy", x, deflate, zip64}, {"labels.npy", y, deflate, zip64}}),
               options);
      CHECK(packed.x() == ints(ramp(8)));
      CHECK(packed.rows.y == std::vector<std::int32_t>{3, 4});
      CHECK(packed.record.sources.size() == 1);
    }
}

TEST_CASE("npz: a missing key and what is no archive are data errors") {
  const Bytes8 x = npy("|u1", "(2, 2, 2)", ramp(8));
  CHECK(error_of("npz", zip({{"train.npy", x}, {"test.npy", x}})) ==
        "data|a: no array x (has: test, train)|--key test");
  CHECK(error_of("npz", ramp(50)).starts_with("data|a: not npz (first bytes 00 07 0e 15)"));
}

}  // namespace logpx::arrays_test
