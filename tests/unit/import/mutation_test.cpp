// Every parser on damaged bytes: 1,000 random flips and cuts of a small good file each. Each run
// ends in rows or in an Error; sanitizers check the rest.
#include "formats/import/raster.hpp"
#include "formats/mol/chemistry.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/containers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

namespace logpx::mutation_test {

using namespace logpx::testing;

namespace {

Bytes8 damaged(Bytes8 bytes, Cursor& random) {
  const auto below = [&random](std::size_t m) {
    return random.below(static_cast<std::uint32_t>(m));
  };
  for (std::uint32_t flips = below(6); flips > 0 && !bytes.empty(); --flips)
    bytes[below(bytes.size())] ^= static_cast<std::byte>(1u << below(8));
  for (std::uint32_t sets = below(3); sets > 0 && !bytes.empty(); --sets)
    bytes[below(bytes.size())] = static_cast<std::byte>(below(2) == 0 ? 0xff : below(256));
  if (below(4) == 0) bytes.resize(below(bytes.size() + 1));
  if (below(8) == 0) append(bytes, ramp(below(20)));
  return bytes;
}

// How many of the damaged files were refused.
int refused(const std::string& format, const Bytes8& good, const ImportOptions& options = {}) {
  REQUIRE(error_of(format, good, options) == "");
  const std::vector<Choice> choices = format_choices();
  const auto number = std::ranges::find(choices, format, &Choice::word) - choices.begin();
  Cursor random(Rng(20).stream(Stream::test, static_cast<std::uint32_t>(number)));
  int errors = 0;
  for (int i = 0; i < 1000; ++i) {
    try {
      (void)pack(format, damaged(good, random), options);
    } catch (const Error& error) {
      CHECK_FALSE(std::string(error.what()).empty());
      ++errors;
    }
  }
  return errors;
}

}  // namespace

TEST_CASE("mutation: damaged lists and tables of SMILES end in rows or in an error") {
  if (!has_chemistry()) return;
  (void)refused("smiles", bytes_of("CCO\nc1ccccc1 benzene\n[NH3+]CC(=O)[O-]\n"));
  ImportOptions options;
  options.column = "2";
  CHECK(refused("smiles", bytes_of("a,b\n1,\"CC\"\n2,C#N\n"), options) > 100);
}

TEST_CASE("mutation: damaged files end in rows or in an error") {
  ImportOptions options;
  SUBCASE("idx") { CHECK(refused("idx", idx(8, {3, 4, 5}, ramp(60))) > 100); }
  SUBCASE("idx of doubles") { CHECK(refused("idx", idx(0x0e, {3, 4}, Bytes8(96))) > 100); }
  SUBCASE("gzip") { CHECK(refused("idx", gzip(idx(8, {3, 4, 5}, ramp(60)))) > 900); }
  SUBCASE("cifar10") { CHECK(refused("cifar10", Bytes8(2 * 3073)) > 100); }
  SUBCASE("npy") { CHECK(refused("npy", npy("<f4", "(3, 4)", Bytes8(48))) > 100); }
  SUBCASE("npy in Fortran order") {
    CHECK(refused("npy", npy(">i2", "(3, 4, 2)", Bytes8(48), "True")) > 100);
  }
  SUBCASE("npz") {
    const Bytes8 x = npy("|u1", "(2, 3, 4)", ramp(24));
    CHECK(refused("npz", zip({{"x.npy", x, true}, {"y.npy", x, false, true}})) > 100);
  }
  SUBCASE("zip and tar of pictures") {
    const std::vector<Filed> files = {{"d/1.pgm", pgm(5, 4, ramp(20))},
                                      {"d/2.pgm", pgm(5, 4, ramp(20))}};
    CHECK(refused("images", archive_of(files, "zip")) > 100);
    CHECK(refused("images", archive_of(files, "pax")) > 100);
    CHECK(refused("images", archive_of(files, "gnutar", "xz")) > 500);
    CHECK(refused("images", archive_of(files, "ustar", "zstd")) > 100);
    CHECK(refused("images", archive_of(files, "ustar", "bzip2")) > 500);
  }
  SUBCASE("csv") {
    options.missing = Missing::keep;
    options.label_column = "kind";
    CHECK(refused("csv", bytes_of("x,kind\n1,\"a\"\n-2e3,b\n\"3\",a\n"), options) > 100);
  }
  SUBCASE("text") {
    options.alphabet = "auto";
    CHECK(refused("text", bytes_of("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z\n"), options) > 100);
  }
  SUBCASE("text8") {
    options.normalize = Normalize::text8;
    (void)refused("text", bytes_of("In 1984, na\xc3\xafve \xef\xac\x81sh\n"), options);
  }
  SUBCASE("bytes") { (void)refused("bytes", ramp(600)); }
  SUBCASE("png") { CHECK(refused("images", png(5, 4, 8, 2, ramp(60))) > 100); }
  SUBCASE("png of 16 bits with alpha") {
    options.to_8bit = true;
    options.alpha = Alpha::white;
    CHECK(refused("images", png(3, 4, 16, 6, ramp(96)), options) > 100);
  }
  SUBCASE("pgm") { CHECK(refused("images", pgm(5, 4, ramp(20), 252)) > 100); }
#if LOGPX_HAVE_MATIO
  SUBCASE("mat level 5") {
    CHECK(refused("mat",
                  mat5({{"X", 9, 2, {2, 2, 3, 4}, ramp(48)}, {"y", 6, 2, {4, 1}, ramp(4)}})) > 100);
  }
  SUBCASE("mat level 5 compressed") {
    CHECK(refused("mat", mat5({{"X", 9, 2, {2, 2, 3, 4}, ramp(48)}}, true)) > 500);
  }
#endif
  SUBCASE("whatever auto takes it for") {
    CHECK(refused("auto", idx(8, {3, 4, 5}, ramp(60))) > 100);
  }
}

TEST_CASE(
    "mutation: Huffman tables that are too long for the decoder are refused before it sees them") {
  const auto with_table = [](unsigned a, unsigned b, const Bytes8& before) {
    Bytes8 file = bytes_of("\xff\xd8");
    append(file, before);
    append(file, bytes_of("\xff\xc4"));
    const unsigned length = 19 + a + b;
    append(file, {std::byte(length >> 8), std::byte(length & 0xff)});
    Bytes8 table(17 + a + b);
    table[8] = std::byte(a), table[16] = std::byte(b);
    append(file, table);
    return file;
  };
  const auto reason = [](const Bytes8& file) {
    try {
      static_cast<void>(decode_picture(file, Depth::refuse_16, "a"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Bytes8 comment = bytes_of(std::string_view("\xff\xfe\x00\x04xy", 6));
  for (const Bytes8& before : {Bytes8(), comment}) {
    CHECK(reason(with_table(200, 57, before)).find("Huffman") != std::string::npos);
    CHECK(reason(with_table(200, 56, before)).find("Huffman") == std::string::npos);
    // The file ends within the table, whose missing bytes count as 0.
    Bytes8 cut = with_table(255, 57, before);
    cut.resize(before.size() + 2 + 4 + 17);
    CHECK(reason(cut).find("Huffman") != std::string::npos);
  }
}

TEST_CASE("mutation: damaged JPEG and BMP pictures end in pixels or in an error") {
  // A BMP of 3 x 2, 24 bits; and the head of a JPEG, which no test can write.
  Bytes8 bmp = bytes_of("BM");
  for (const std::uint32_t word : {78u, 0u, 54u, 40u, 3u, 2u}) append(bmp, little_endian(word, 4));
  append(bmp, little_endian(1, 2));
  append(bmp, little_endian(24, 2));
  append(bmp, Bytes8(24));
  append(bmp, ramp(24));
  REQUIRE(decode_picture(bmp, Depth::refuse_16, "a").pixels.size() == 18);
  using std::string_view_literals::operator""sv;
  const Bytes8 jpeg = bytes_of(
      "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xc0\x00\x0b\x08\x00"
      "\x08\x00\x08\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x12\x34\xff\xd9"sv);
  Cursor random(Rng(21).stream(Stream::test));
  int errors = 0;
  for (const Bytes8& good : {bmp, jpeg})
    for (int i = 0; i < 1000; ++i) {
      try {
        const Raster picture = decode_picture(damaged(good, random), Depth::refuse_16, "a");
        const auto size = picture.width * picture.height * picture.channels;
        CHECK(static_cast<std::int64_t>(picture.pixels.size()) == size);
      } catch (const Error&) {
        ++errors;
      }
    }
  CHECK(errors > 1000);
}

TEST_CASE("mutation: damaged tables with words, dates and ids end in rows or in an error") {
  const ImportOptions options;
  CHECK(refused("csv", bytes_of("\"\",a,b,c\n0,\"1,234\",x,2024-01-05\n1,?,y,2024-02-29\n"),
                options) > 10);
}

TEST_CASE("mutation: the stored corpora end in rows or in an error") {
  for (const auto& [format, name] :
       {std::pair{"images", "images"}, {"npz", "npz"}, {"csv", "csv"}}) {
    const std::string folder = std::string(LOGPX_SOURCE_DIR "/tests/fuzz/corpus/") + name;
    for (const auto& seed : std::filesystem::directory_iterator(folder)) {
      CAPTURE(seed.path().string());
      std::vector<Input> inputs;
      inputs.emplace_back(seed.path().string());
      const bool good = seed.path().extension() != ".jpg";  // those are Huffman tables too long
      CHECK((error_of(format, std::move(inputs)) == "") == good);
    }
  }
}

}  // namespace logpx::mutation_test
