#include "formats/file/input.hpp"
#include "formats/h5/errors.hpp"
#include "formats/h5/file.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>

#if LOGPX_HAVE_MATIO
#include <hdf5.h>
#include <matio.h>

namespace logpx::mat_test {

using namespace logpx::testing;

namespace {

constexpr std::uint32_t side = 4, channels = 3, count = 5;
constexpr std::size_t image_size = side * side * channels;

// Pixel (y, x, c) of picture n, different everywhere.
int pixel(std::size_t y, std::size_t x, std::size_t c, std::size_t n) {
  return static_cast<int>((y + 4 * x + 16 * c + 48 * n) % 251);
}

// SVHN's order: [h, w, c, n] with h fastest.
Bytes8 svhn_pixels() {
  Bytes8 values;
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t x = 0; x < side; ++x)
        for (std::size_t y = 0; y < side; ++y)
          values.push_back(static_cast<std::byte>(pixel(y, x, c, n)));
  return values;
}

const Bytes8 digits = {std::byte{1}, std::byte{10}, std::byte{3}, std::byte{10}, std::byte{9}};

std::vector<MatArray> svhn_arrays() {
  return {{"X", 9, 2, {side, side, channels, count}, svhn_pixels()},
          {"y", 6, 2, {count, 1}, digits}};  // doubles stored as bytes, as MATLAB does
}

// The same two arrays by libmatio, in either version.
void write_by_matio(const std::string& path, mat_ft version, matio_compression compression) {
  h5::prepare_library();  // before libmatio does
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  REQUIRE(file != nullptr);
  Bytes8 pixels = svhn_pixels();
  std::size_t sizes[4] = {side, side, channels, count}, label_sizes[2] = {count, 1};
  double labels[count];
  for (std::size_t i = 0; i < count; ++i) labels[i] = std::to_integer<int>(digits[i]);
  matvar_t* x = Mat_VarCreate("X", MAT_C_UINT8, MAT_T_UINT8, 4, sizes, pixels.data(), 0);
  matvar_t* y = Mat_VarCreate("y", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, label_sizes, labels, 0);
  CHECK(Mat_VarWrite(file, x, compression) == 0);
  CHECK(Mat_VarWrite(file, y, compression) == 0);
  Mat_VarFree(x);
  Mat_VarFree(y);
  Mat_Close(file);
}

void check_svhn(const Packed& packed) {
  CHECK(packed.info.content == Content::image);
  CHECK(packed.info.shape == std::vector<std::int64_t>{side, side, channels});
  CHECK(packed.rows.y == std::vector<std::int32_t>{1, 0, 3, 0, 9});
  REQUIRE(packed.rows.x.size() == count * image_size);
  std::size_t at = 0;
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x)
        for (std::size_t c = 0; c < channels; ++c)
          REQUIRE(std::to_integer<int>(packed.rows.x[at++]) == pixel(y, x, c, n));
}

std::vector<Input> file_input(const std::string& path) {
  std::vector<Input> inputs;
  inputs.emplace_back(path);
  return inputs;
}

}  // namespace

TEST_CASE("mat: an SVHN-shaped file gives the same rows in both versions, compressed or not") {
  for (const bool compressed : {false, true}) {
    const Packed packed = pack("mat", mat5(svhn_arrays(), compressed));
    check_svhn(packed);
    CHECK(packed.record.notes.at(0) == "label 10 means digit 0 here (SVHN): stored as 0");
  }
  check_svhn(pack("mat", gzip(mat5(svhn_arrays()))));
  const ScratchFolder folder;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73})
    for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
      const std::string path = folder / "svhn.mat";
      write_by_matio(path, version, compression);
      check_svhn(pack("mat", file_input(path)));
      check_svhn(pack("auto", file_input(path)));
    }
}

TEST_CASE("mat: --axes, --shape and --label-map say what arrays are") {
  // Frey Face: [d, n], a column is a picture of 2 x 3.
  const Bytes8 file = mat5({{"ff", 9, 2, {6, 4}, ramp(24)}, {"kind", 6, 2, {1, 4}, ramp(4)}});
  ImportOptions options;
  options.var = "ff";
  options.axes = "dn";
  options.shape = {2, 3, 1};
  const Packed frames = pack("mat", file, options);
  CHECK(frames.info.shape == std::vector<std::int64_t>{2, 3, 1});
  CHECK(frames.rows.x == ramp(24));
  CHECK_FALSE(frames.info.has_labels);
  options.label_var = "kind";
  options.label_map = {"7:70", "21:-1"};
  CHECK(pack("mat", file, options).rows.y == std::vector<std::int32_t>{0, 70, 14, -1});
  options.axes = "nd";
  CHECK(error_of("mat", file, options) ==
        "data|a: an example has 4 values, --shape 2 x 3 x 1 wants 6|");
  options.shape.clear();
  CHECK(error_of("mat", file, options) == "data|6 images in ff, but 4 labels in kind|");
  options.label_var.clear();
  const Packed rows = pack("mat", file, options);
  CHECK(rows.info.content == Content::vector);
  CHECK(rows.reals()[1] == 42);  // row 0, column 1 lies 6 places on
  options.axes = "nn";
  CHECK(error_of("mat", file, options) ==
        "usage|--axes: 'nn' is not made of the letters n h w c d, with an n among them|");
}

TEST_CASE("mat: a double array of small whole numbers holds pixels, other values do not") {
  Bytes8 values;
  for (int i = 0; i < 8; ++i) {
    const double value = i * 30;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, 8);
    append(values, little_endian(bits, 8));
  }
  ImportOptions options;
  options.var = "images";
  MatArray array{"images", 6, 9, {2, 2, 2}, values};
  CHECK(pack("mat", mat5({array}), options).x() ==
        std::vector<int>{0, 60, 30, 90, 120, 180, 150, 210});
  array.values[7] = std::byte{0xbf};  // the first becomes negative
  array.values[6] = std::byte{0xf0};
  CHECK(pack("mat", mat5({array}), options).info.content == Content::vector);
}

TEST_CASE("mat: what is no real dense array is skipped with a note, or refused by name") {
  const Bytes8 file =
      mat5({{"X", 9, 2, {2, 3}, ramp(6)}, {"words", 4, 16, {1, 2}, bytes_of("ab")}});
  const Packed packed = pack("mat", file);
  CHECK(packed.info.n == 2);
  CHECK(packed.record.notes.at(0) == "variable words skipped (char)");
  ImportOptions options;
  options.var = "words";
  CHECK(error_of("mat", file, options) == "data|a: variable words is char, expected a real array|");
}

TEST_CASE("mat: a cut or damaged level-5 file is never read as if it were whole") {
  for (const bool compressed : {false, true}) {
    const Bytes8 whole = mat5(svhn_arrays(), compressed);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes8 cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string error = error_of("mat", cut);
      CAPTURE(compressed);
      CAPTURE(size);
      // Cut exactly between the two variables only the labels are missing.
      if (error.empty()) CHECK(size > 128 + image_size * count / 2);
      else CHECK(error.starts_with("data|"));
    }
  }
  Bytes8 flipped = mat5(svhn_arrays(), true);
  flipped[flipped.size() - 2] ^= std::byte{1};
  CHECK(error_of("mat", flipped) == "data|a: a compressed variable is damaged|");
  Bytes8 longer = mat5(svhn_arrays());
  longer.push_back(std::byte{0});
  CHECK(error_of("mat", longer) == "data|a: ends inside a variable|");
}

TEST_CASE("mat: a small file that declares a huge array is refused before anything is read") {
  Bytes8 file = mat5({{"X", 9, 2, {2, 2, 2, 2}, ramp(16)}});
  const std::size_t sizes_at = 128 + 8 + 16 + 8;
  for (const std::size_t axis : {0u, 1u, 2u}) {
    const Bytes8 large = little_endian(4000, 4);
    std::copy(large.begin(), large.end(),
              file.begin() + static_cast<std::ptrdiff_t>(sizes_at + 4 * axis));
  }
  CHECK(error_of("mat", file) == "data|a: the header of a variable is damaged|");
}

TEST_CASE("mat: after a level-5 file HDF5's reasons still come to us") {
  // libmatio sets a handler of its own for the errors of the whole process.
  const ScratchFolder folder;
  const auto reason = [&] {
    std::ofstream(folder / "notes.h5") << "hello, world, this is text";
    try {
      SeekableInput text(folder / "notes.h5");
      (void)h5::File::open(text);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("none");
  };
  const hid_t nothing = H5I_INVALID_HID;
  const auto stack_reason = [&] {  // on a file that was open before
    (void)H5Fflush(nothing, H5F_SCOPE_LOCAL);
    try {
      h5::fail_from_stack("x", h5::Access::reading);
    } catch (const Error& error) {
      return error.message();
    }
  };
  h5::prepare_library();
  const std::string before = stack_reason();
  CHECK(before.starts_with("is damaged: "));
  check_svhn(pack("mat", mat5(svhn_arrays())));
  CHECK(stack_reason() == before);
  CHECK(reason() == "is text, not an HDF5 file");
}

#endif

}  // namespace logpx::mat_test
