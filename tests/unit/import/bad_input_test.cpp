// Bad input: kind of error (which decides the exit code), message and hint, all of them exact.
// [data/README 6.3]
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tests/support/foreign_files.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

namespace logpx::bad_input_test {

using namespace logpx::testing;

namespace {

std::vector<Input> path(const std::string& name) {
  std::vector<Input> inputs;
  inputs.emplace_back(name);
  return inputs;
}

Bytes8 first(const Bytes8& bytes, std::size_t count) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

Bytes8 plus(Bytes8 bytes, const Bytes8& more) {
  append(bytes, more);
  return bytes;
}

}  // namespace

TEST_CASE("bad input: a missing file") {
  const ScratchFolder folder;
  const std::string missing = folder / "a.gz";
  for (const ImportFormat& format : import_formats())
    CHECK(error_of(std::string(format.word), path(missing)) == "io|" + missing + ": no such file|");
}

TEST_CASE("bad input: damaged gzip") {
  const Bytes8 packed = gzip(idx(8, {100, 28, 28}, ramp(78400)));
  CHECK(error_of("idx", first(packed, packed.size() - 8)) ==
        "data|a: gzip stream ends early after 78416 bytes|");
  Bytes8 wrong = packed;
  wrong[wrong.size() - 6] ^= std::byte{4};
  CHECK(error_of("idx", wrong) == "data|a: gzip checksum does not match|");
  CHECK(error_of("idx", plus(packed, bytes_of("trailing bit"))) ==
        "data|a: 12 bytes after the end of the gzip stream|");
  CHECK(error_of("idx", plus(packed, Bytes8(12))) == "");
}

TEST_CASE("bad input: no IDX, wrong payload, wrong sizes") {
  CHECK(error_of("idx", png(1, 1, 8, 0, ramp(1))) ==
        "data|a: not IDX (first bytes 89 50 4e 47)|this looks like a PNG picture; try: pack-data "
        "images FILE -o OUT.h5");
  const Bytes8 whole = idx(8, {60, 28, 28}, ramp(47040));
  const std::string needs = "data|a: 60 x 28 x 28 needs 47040 bytes, has ";
  CHECK(error_of("idx", first(whole, whole.size() - 1)) == needs + "47039|");
  CHECK(error_of("idx", gzip(first(whole, whole.size() - 1))) == needs + "47039|");
  CHECK(error_of("idx", plus(whole, Bytes8(2))) == needs + "47042|");
  CHECK(error_of("idx", gzip(plus(whole, Bytes8(2)))) == needs + "47042|");
  CHECK(error_of("idx", idx(8, {60, 0, 28}, {})) == "data|a: dimension 2 is 0|");
  CHECK(error_of("idx", idx(8, {4294967295U, 1, 1}, {})) == "data|a: dimension 1 is 4294967295|");
  CHECK(error_of("idx", idx(8, {1U << 31, 1U << 31, 1U << 31, 1U << 31}, {})) ==
        "data|a: 2147483648 x 2147483648 x 2147483648 x 2147483648 is too large|");
  CHECK(error_of("idx", Bytes8()) == "data|a: is empty|");
}

TEST_CASE("bad input: as many labels as images") {
  const ScratchFolder folder;
  write_bytes(folder / "labels", idx(8, {10}, ramp(10)));
  ImportOptions options;
  options.labels = {folder / "labels"};
  CHECK(error_of("idx", idx(8, {60, 1, 1}, ramp(60)), options) ==
        "data|60 images in a, but 10 labels in " + folder / "labels" + "|");
}

TEST_CASE("bad input: CIFAR sizes and labels") {
  Bytes8 file(3 * 3073);
  CHECK(error_of("cifar10", first(file, file.size() - 1)) ==
        "data|a: 9218 bytes is not a multiple of 3073 (remainder 3072)|");
  CHECK(error_of("cifar10", gzip(first(file, file.size() - 1))) ==
        "data|a: 9218 bytes is not a multiple of 3073 (remainder 3072)|");
  file[2 * 3073] = std::byte{255};
  CHECK(error_of("cifar10", file) == "data|a: label 255 at record 2|");
}

TEST_CASE("bad input: pictures of two sizes, no pictures, no files") {
  const ScratchFolder folder;
  for (const char* sub : {"d", "e", "x"}) std::filesystem::create_directory(folder / sub);
  const std::string a = folder / "d/a.png", b = folder / "d/b.png", x = folder / "x/x.txt";
  write_bytes(a, png(64, 64, 8, 0, Bytes8(64 * 64)));
  write_bytes(b, png(92, 112, 8, 0, Bytes8(92 * 112)));
  CHECK(error_of("images", path(folder / "d")) ==
        "data|" + b + ": is 92x112 (1 of 2 pictures), 1 is 64x64 (" + a +
            ")|--size 64x64 --fit crop, or --size 64x64 --fit reject to leave the others out");
  write_bytes(x, bytes_of("some words"));
  CHECK(error_of("images", path(folder / "x")) ==
        "data|" + x + ": no known image format|--skip-bad");
  ImportOptions options;
  options.skip_bad = true;
  CHECK(error_of("images", path(folder / "x"), options) ==
        "data|" + folder / "x" + ": no images, 1 file that is not a picture left out|");
  CHECK(error_of("images", path(folder / "e")) == "data|" + folder / "e" + ": no images|");
  CHECK(error_of("images", Bytes8()) == "data|a: no images|");
}

#if LOGPX_HAVE_MATIO
TEST_CASE("bad input: a MATLAB variable that is not there") {
  CHECK(error_of("mat",
                 mat5({{"train_x", 9, 2, {2, 2}, ramp(4)}, {"train_y", 9, 2, {2, 1}, ramp(2)}})) ==
        "data|a: no variable X (has: train_x, train_y)|--var train_x");
}
#endif

TEST_CASE("bad input: npy of objects, and of a wrong length") {
  CHECK(error_of("npy", npy("|O", "(3,)", ramp(24))) ==
        "data|a: type '|O' is not supported|store it as one of u1 i1 i2 i4 i8 f4 f8");
  CHECK(error_of("npy", npy("<f4", "(3, 2)", ramp(23))) == "data|a: 3 x 2 needs 24 bytes, has 23|");
  CHECK(error_of("npy", npy("<f4", "(3, 2)", ramp(25), "True")) ==
        "data|a: 3 x 2 needs 24 bytes, has 25|");
}

TEST_CASE("bad input: a ragged table") {
  CHECK(error_of("csv", bytes_of("a,b,c\n1,2,3\n\n4,5\n")) == "data|a:4: 2 fields, expected 3|");
}

TEST_CASE("bad input: a symbol outside the alphabet") {
  const std::string hint =
      "|--normalize text8 makes small letters and spaces of all, or --alphabet auto keeps each "
      "character";
  CHECK(error_of("text", bytes_of("caf\xc3\xa9")) ==
        "data|a:1: byte 0xc3 at offset 3 is not in alphabet text27" + hint);
  CHECK(error_of("text", gzip(bytes_of("line\n"))) ==
        "data|a:1: byte 0x0a at offset 4 is not in alphabet text27" + hint);
}

TEST_CASE("bad input: an option of another format is refused by name") {
  ImportOptions options;
  Fields fields;
  options.describe(fields);
  fields.find_key("tile")->read("32", "--tile", Origin::option);
  CHECK_THROWS_WITH_AS(check_used(fields, *find_format("npy")),
                       "--tile is not an option of npy (idx, cifar10, images have it)", Error);
  CHECK_NOTHROW(check_used(fields, *find_format("idx")));
  CHECK_NOTHROW(check_used(fields, *find_format("images")));
  fields.find_key("block")->read("8", "--block", Origin::option);
  CHECK_THROWS_WITH_AS(check_used(fields, *find_format("images")),
                       "--block is not an option of images (text, bytes have it)", Error);
}

TEST_CASE("formats: help lists every option under the formats that take it") {
  ImportOptions options;
  Fields fields;
  options.describe(fields);
  std::set<std::string> described, taken;
  for (const Field& field : fields.all()) {
    CHECK(field.group() == join_text(formats_with(field.name()), ", "));
    described.insert(field.name());
  }
  for (const ImportFormat& format : import_formats())
    taken.insert(format.options.begin(), format.options.end());
  CHECK(taken == described);
}

TEST_CASE("auto: the first bytes decide, whatever the name") {
  const auto detected = [](const Bytes8& bytes) {
    Input input("x.csv", bytes);
    return detect_format(input).word;
  };
  CHECK(detected(idx(8, {1, 1, 1}, ramp(1))) == "idx");
  CHECK(detected(gzip(idx(0x0d, {1}, ramp(4)))) == "idx");
  CHECK(detected(png(1, 1, 8, 0, ramp(1))) == "images");
  CHECK(detected(pgm(1, 1, ramp(1))) == "images");
  CHECK(detected(npy("|u1", "(1,)", ramp(1))) == "npy");
  CHECK(detected(zip({{"x.npy", npy("|u1", "(1,)", ramp(1))}})) == "npz");
  CHECK(detected(mat5({})) == "mat");
  CHECK_THROWS_WITH_AS((void)detected(bytes_of("a,b\n1,2\n")),
                       "x.csv: is a table (CSV), which auto does not take", Error);
  CHECK_THROWS_WITH_AS((void)detected(bytes_of("MMORPG, and other words\nof text\n")),
                       "x.csv: is text, which auto does not take", Error);
  CHECK_THROWS_WITH_AS((void)detected(bytes_of(std::string("MM\0*", 4))),
                       "x.csv: is a TIFF picture, which auto does not take", Error);
  CHECK_THROWS_WITH_AS((void)detected(bytes_of("\1\2\3\4")),
                       "x.csv: no known format (first bytes 01 02 03 04)", Error);
  CHECK(error_of("auto", bytes_of("\1\2\3\4")) ==
        "data|a: no known format (first bytes 01 02 03 04)|name it: pack-data cifar10, csv, text "
        "or bytes");
  CHECK(pack("auto", gzip(idx(8, {1, 1, 1}, ramp(1)))).info.n == 1);
}

}  // namespace logpx::bad_input_test
