// Archives with blocks of the adaptive coder: round trips, damage, and too little memory.
#include "formats/archive/small_archive.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/sealed_archives.hpp"
#include "tools/archives/coding_model.hpp"
#include "tools/archives/packed_rows.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

namespace logpx::effort_test {

using namespace logpx::archive;
using namespace logpx::compress;
using namespace logpx::testing;

namespace {

ByteVector raster_file(std::string_view header, std::size_t width, std::size_t height,
                       std::size_t channels) {
  ByteVector file = from_text(header);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width * channels; ++x)
      file.push_back(static_cast<std::byte>(3 * (x / channels) + 2 * y + 60 * (x % channels)));
  return file;
}

std::vector<ByteVector> files_of_all_kinds() {
  const auto vae = toy_vae();
  return {{},
          from_text("x"),
          noise(3000),
          words(3000),
          drawn_bits(*vae, 400),
          raster_file("P5\n40 30\n255\n", 40, 30, 1),
          raster_file("P6\n20 30\n255\n", 20, 30, 3),
          ByteVector(70'000)};
}

ByteVector made(std::shared_ptr<Model> model, const std::vector<ByteVector>& contents,
                Effort effort, int threads = 1, Figures* figures = nullptr) {
  Workers workers(threads);
  Coding coding = testing::coding_of(std::move(model), {}, workers);
  coding.parameters.units.effort = effort;
  std::vector<MemoryFile> files;
  for (const ByteVector& bytes : contents)
    files.push_back({"file" + std::to_string(files.size()), bytes});
  return testing::make_archive(coding, files, Methods::model, workers, figures);
}

std::vector<ByteVector> opened_again(const ByteVector& bytes, std::shared_ptr<Model> model) {
  Workers workers(1);
  return testing::open_archive(bytes, std::move(model), workers);
}

}  // namespace

TEST_CASE("effort: what goes in comes out at any effort and any number of threads") {
  for (const auto& model : std::vector<std::shared_ptr<Model>>{nullptr, toy_vae(), text_model()}) {
    std::vector<ByteVector> files = files_of_all_kinds();
    if (model != nullptr) files.resize(5);  // the model of bits refuses other rasters
    for (const Effort effort : {Effort::fast, Effort::normal, Effort::best}) {
      if (model != nullptr && effort == Effort::best) continue;
      const ByteVector bytes = made(model, files, effort);
      CHECK(made(model, files, effort, 3) == bytes);
      CHECK(opened_again(bytes, model) == files);
    }
  }
}

TEST_CASE("effort: the adaptive coder takes what it codes shorter, and nothing is coded longer") {
  Figures figures;
  const ByteVector text = words(20'000);
  const ByteVector normal = made(nullptr, {text}, Effort::normal, 1, &figures);
  CHECK(figures.coders[static_cast<std::size_t>(archive::BlockCoder::adaptive)].blocks == 1);
  CHECK(normal.size() < made(nullptr, {text}, Effort::fast).size());
  const ByteVector grain = noise(5000);
  CHECK(made(nullptr, {grain}, Effort::normal).size() <=
        made(nullptr, {grain}, Effort::fast).size());
  for (const ByteVector& tiny : {ByteVector(), from_text("x")})
    CHECK(made(nullptr, {tiny}, Effort::normal).size() <=
          made(nullptr, {tiny}, Effort::fast).size());
}

TEST_CASE("effort: best is never above normal, not by a byte") {
  std::vector<ByteVector> files = files_of_all_kinds();
  // Columns that few rows show, and a text of few words.
  std::string table;
  for (int i = 0; i < 60; ++i)
    table += std::to_string(7 * i % 13) + (i % 3 == 0 ? "\tred\t" : "\tgreen\t") +
             std::to_string(i) + "\n";
  files.push_back(from_text(table));
  for (const std::size_t size : {40u, 120u, 400u, 900u, 1500u, 2500u, 80'000u})
    files.push_back(words(size));
  for (const ByteVector& file : files)
    CHECK(made(nullptr, {file}, Effort::best).size() <=
          made(nullptr, {file}, Effort::normal).size());
}

TEST_CASE("effort: every flipped bit and every truncation of adaptive blocks is refused") {
  Sealed sealed{.bytes = made(nullptr, {words(150), from_text("a cat")}, Effort::normal),
                .contents = {words(150), from_text("a cat")},
                .model = nullptr,
                .figures = {}};
  REQUIRE(fate_of(sealed, sealed.bytes) == Fate::same);
  for (std::size_t bit = 0; bit < sealed.bytes.size() * 8; bit += testing::step_of_many) {
    ByteVector bytes = sealed.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CAPTURE(bit);
    CHECK(fate_of(sealed, bytes) == Fate::refused);
  }
  for (std::size_t size = 0; size < sealed.bytes.size(); size += testing::step_of_many)
    CHECK(fate_of(sealed, ByteView(sealed.bytes).first(size)) == Fate::refused);
}

TEST_CASE("effort: bytes that are struck, cut, swapped or spliced are refused or change nothing") {
  const std::vector<ByteVector> contents = {words(900), noise(200), from_text("a short line\n")};
  Sealed sealed{.bytes = made(nullptr, contents, Effort::normal),
                .contents = contents,
                .model = nullptr,
                .figures = {}};
  const char* asked = std::getenv("LOGPX_CORRUPTIONS");
  const int count = asked == nullptr ? 400 : std::atoi(asked);
  Cursor random(Rng(11).stream(Stream::test, 513));
  const auto place = [&](const ByteVector& bytes) {
    return static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(bytes.size())));
  };
  for (int i = 0; i < count; ++i) {
    ByteVector bytes = sealed.bytes;
    const int way = static_cast<int>(random.below(4));
    const std::ptrdiff_t a = place(bytes), b = place(bytes);
    if (way == 0) bytes[static_cast<std::size_t>(a)] = static_cast<std::byte>(random.below(256));
    if (way == 1) std::swap(bytes[static_cast<std::size_t>(a)], bytes[static_cast<std::size_t>(b)]);
    if (way == 2) bytes.erase(bytes.begin() + std::min(a, b), bytes.begin() + std::max(a, b));
    if (way == 3) bytes.insert(bytes.begin() + a, sealed.bytes.begin(), sealed.bytes.begin() + b);
    CAPTURE(i);
    CHECK((fate_of(sealed, bytes) == Fate::refused) == (bytes != sealed.bytes));
  }
}

TEST_CASE("effort: an archive of one small file is at most 30 bytes longer than what is coded") {
  const std::size_t name = std::string("file0").size();
  for (const std::size_t size : {1u, 1000u, 5000u, 65'536u})
    for (const Effort effort : {Effort::fast, Effort::normal, Effort::best})
      for (const ByteVector& file : {words(size), noise(size)}) {
        Figures figures;
        const ByteVector bytes = made(nullptr, {file}, effort, 1, &figures);
        CAPTURE(size);
        const std::size_t lengths = size < 16'384 ? 0 : 2;  // two that take a byte more
        CHECK(bytes.size() - figures.coded_bytes() <= 30 + lengths + name);
        CHECK(opened_again(bytes, nullptr) == std::vector<ByteVector>{file});
      }
  const ByteVector larger = made(nullptr, {words(65'537)}, Effort::normal);
  CHECK(opened_again(larger, nullptr) == std::vector<ByteVector>{words(65'537)});
}

TEST_CASE("effort: small archives of every kind come back, also among others") {
  const std::vector<ByteVector> files = files_of_all_kinds();
  const ByteVector all = made(nullptr, files, Effort::normal);
  ByteVector joined;
  std::vector<ByteVector> expected;
  std::size_t small = 0;
  for (const ByteVector& file : files) {
    const ByteVector alone = made(nullptr, {file}, Effort::normal);
    CHECK(opened_again(alone, nullptr) == std::vector<ByteVector>{file});
    small += (alone[12] & std::byte{small_flag}) != std::byte{0} ? 1 : 0;
    joined.insert(joined.end(), alone.begin(), alone.end());
    joined.insert(joined.end(), all.begin(), all.end());
    expected.push_back(file);
    expected.insert(expected.end(), files.begin(), files.end());
  }
  CHECK(small == files.size() - 1);  // one has over 64 KiB
  CHECK(opened_again(joined, nullptr) == expected);
}

TEST_CASE("effort: every flipped bit and every cut of a small archive is refused") {
  Sealed sealed{.bytes = made(nullptr, {words(150)}, Effort::normal),
                .contents = {words(150)},
                .model = nullptr,
                .figures = {}};
  REQUIRE(fate_of(sealed, sealed.bytes) == Fate::same);
  for (std::size_t bit = 0; bit < sealed.bytes.size() * 8; bit += testing::step_of_many) {
    ByteVector bytes = sealed.bytes;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    CAPTURE(bit);
    CHECK(fate_of(sealed, bytes) == Fate::refused);
  }
  for (std::size_t size = 0; size < sealed.bytes.size(); size += testing::step_of_many)
    CHECK(fate_of(sealed, ByteView(sealed.bytes).first(size)) == Fate::refused);
}

TEST_CASE("effort: files like one that is read first become small, and need that very file") {
  Workers workers(1);
  const ByteVector before = noise(20'000), text(before.begin() + 9000, before.begin() + 12'000);
  Coding coding = testing::coding_of(nullptr, {}, workers);
  coding.parameters.units.effort = Effort::normal;
  const auto make = [&] {
    return testing::make_archive(coding, {{"file0", text}}, Methods::model, workers, nullptr);
  };
  const ByteVector plain = make();
  coding.prime = before;
  coding.parameters.prime = std::string(archive::prime_digits, 'a');
  const ByteVector primed = make();
  CHECK(primed.size() + 2500 < plain.size());
  CHECK_THROWS_WITH_AS((void)opened_again(primed, nullptr),
                       doctest::Contains("after a file or folder of SHA-256 aaaaaaaa"), Error);
}

TEST_CASE("effort: blocks that no encoder makes are refused as data") {
  CodingUnits units;
  units.effort = Effort::normal;
  const compress::BlockCoder coder({}, units);
  const ByteVector text = words(500);
  const BlockView view = view_of_bytes(text.size());
  BlockFigures figures;
  const Block good = coder.encode(text, view, 0, figures);
  REQUIRE(good.coder == archive::BlockCoder::adaptive);
  CHECK(coder.decode(good, view, 0) == text);
  const BlockForm strange[] = {{0, 1, 0}, {2, 501, 0},
                               {2, 0, 0}, {4, 5, 501},
                               {6, 2, 0}, {good.form.kind, 0, 0, !good.form.reads_before}};
  for (const BlockForm& form : strange) {
    Block bad = good;
    bad.form = form;
    CHECK_THROWS_AS((void)coder.decode(bad, view, 0), Error);
  }
  Block packed = good;
  packed.two_levels = true;
  CHECK_THROWS_AS((void)coder.decode(packed, view, 0), Error);
}

TEST_CASE("effort: a block that takes more memory than allowed is refused on both sides") {
  CodingUnits units;
  units.effort = Effort::best;
  const ByteVector text = words(500);
  const BlockView view = view_of_bytes(text.size());
  BlockFigures figures;
  const compress::BlockCoder coder({}, units), short_of_memory({.memory = 1 << 19}, units);
  const Block block = coder.encode(text, view, 0, figures);
  const auto kind_of = [](const auto& act) {
    try {
      (void)act();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::usage;
  };
  CHECK(kind_of([&] { return short_of_memory.encode(text, view, 0, figures); }) ==
        ErrorKind::refused);
  CHECK(kind_of([&] { return short_of_memory.decode(block, view, 0); }) == ErrorKind::refused);
}

TEST_CASE("effort: rows of bits are packed from a byte of their own and come back") {
  BlockView view{.bytes = 2 * 3 * 5 + 4 * 9, .rasters = {{{3, 5, 1}, 2}, {{4, 9, 1}, 1}}};
  ByteVector samples(view.bytes);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<std::byte>(i * i / 3 % 2);
  REQUIRE(can_be_packed(view));
  CHECK(packed_bytes(view) == 2 * 3 + 4 * 2);
  CHECK(unpack_rows(pack_rows(samples, view), view) == samples);
  view.bytes += 1;
  CHECK_FALSE(can_be_packed(view));
}

}  // namespace logpx::effort_test
