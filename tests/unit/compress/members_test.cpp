// Files that share an archive: their size together, and each of them decoded alone.
#include "libcore/base/error.hpp"
#include "tests/support/sealed_archives.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <string>

namespace logpx::members_test {

using namespace logpx::archive;
using namespace logpx::compress;
using namespace logpx::testing;

TEST_CASE("compress: members share blocks and each comes back alone") {
  const auto vae = toy_vae();
  const std::vector<ByteVector> files = many_files(60);
  for (const auto& model : std::vector<std::shared_ptr<Model>>{nullptr, vae}) {
    const Sealed sealed = seal(model, files, model ? Methods::model : Methods::fallback, 3);
    CHECK(fate_of(sealed, sealed.bytes) == Fate::same);
    std::uint64_t blocks = 0;
    for (const auto& share : sealed.figures.coders) blocks += share.blocks;
    CHECK(blocks == 2);  // pictures, and the words
    Workers workers(2);
    for (const std::size_t asked : {0u, 7u, 8u, 30u, 65u}) {
      const auto one = testing::open_archive(
          sealed.bytes, model, workers, ~0ull, [&](const Member& member, std::uint64_t number) {
            CHECK(member.name == "file" + std::to_string(number - 1));
            return number == asked + 1;
          });
      REQUIRE(one.size() == 1);
      CHECK(one.front() == files[asked]);
    }
  }
}

TEST_CASE("compress: members larger than a run go on in the next") {
  const ByteVector large = words(17'000'000), small = words(3000);
  ByteVector pictures = array_header(MemberKind::idx, std::vector<std::int64_t>{36, 700, 701});
  for (int i = 0; i < 36 * 700; ++i)
    for (int x = 0; x < 701; ++x) pictures.push_back(static_cast<std::byte>(x / 90 + i % 3));
  const std::vector<ByteVector> files = {small, large, {}, pictures, small};
  for (const Methods methods : {Methods::store, Methods::fallback}) {
    const Sealed sealed = seal(nullptr, files, methods, 2);
    CHECK(opened(sealed, sealed.bytes, 2) == files);
  }
}

TEST_CASE("compress: a damaged member is named") {
  const Sealed sealed =
      seal(nullptr, {noise(700'000), noise(700'000, 2), noise(700'000, 3)}, Methods::store);
  const auto refusal = [&](std::size_t at) -> std::string {
    ByteVector bytes = sealed.bytes;
    bytes[at] ^= std::byte{1};
    try {
      (void)opened(sealed, bytes);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal(300'000).find("file0 to file1: block 1: checksum differs") != std::string::npos);
  CHECK(refusal(1'800'000).find("file1 to file2: block 2: checksum differs") != std::string::npos);
  CHECK(refusal(sealed.bytes.size() - 1000).find("file2: block 3") != std::string::npos);
}

namespace {

// As tar(1) makes it from the same files.
ByteVector tar_of(const std::vector<MemoryFile>& files) {
  ByteVector tar;
  for (const MemoryFile& file : files) {
    std::string head(512, '\0');
    const auto put = [&](std::size_t at, const std::string& text) {
      head.replace(at, text.size(), text);
    };
    std::array<char, 12> size{};
    (void)std::snprintf(size.data(), size.size(), "%011zo", file.bytes.size());
    put(0, file.name);
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, size.data());
    put(136, "15101234567");
    put(156, "0");
    put(257, std::string("ustar") + '\0' + "00root");
    put(297, "root");
    unsigned sum = 8 * ' ';
    for (const char c : head) sum += static_cast<unsigned char>(c);
    (void)std::snprintf(size.data(), size.size(), "%06o", sum);
    put(148, std::string(size.data()) + '\0' + ' ');
    const ByteView bytes = bytes_of(head);
    tar.insert(tar.end(), bytes.begin(), bytes.end());
    tar.insert(tar.end(), file.bytes.begin(), file.bytes.end());
    tar.resize((tar.size() + 511) / 512 * 512);
  }
  tar.resize((tar.size() + 1024 + 10239) / 10240 * 10240);
  return tar;
}

std::size_t archive_size(const std::shared_ptr<Model>& model, const std::vector<MemoryFile>& files,
                         double* bound_bytes = nullptr) {
  Workers workers(1);
  const Coding coding = testing::coding_of(model, {}, workers);
  Figures figures;
  const ByteVector bytes = testing::make_archive(
      coding, files, model ? Methods::model : Methods::fallback, workers, &figures, Score::on);
  if (bound_bytes != nullptr) *bound_bytes = figures.bound_bits / 8;
  return bytes.size();
}

}  // namespace

TEST_CASE("compress: many like files take little more than their bound and less than their tar") {
  const auto vae = toy_vae();
  const auto text = text_model();
  for (const std::size_t count : {1u, 2u, 10u, 50u, 200u}) {
    const ByteVector bits = drawn_bits(*vae, static_cast<std::int64_t>(60 * count));
    std::vector<MemoryFile> pictures, texts, noises, of_all_sizes;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "set/picture-" + std::to_string(10000 + i);
      const auto samples = ByteView(bits).subspan(16 + 960 * i, 960);
      ByteVector file = from_text("P5\n4 240\n255\n");
      file.insert(file.end(), samples.begin(), samples.end());
      pictures.push_back({name + ".pgm", file});
      const ByteVector all = words(40'000);
      const auto part = ByteView(all).subspan(i * 100, 300 + i);
      texts.push_back({name + ".txt", {part.begin(), part.end()}});
      noises.push_back({name, noise(100, static_cast<std::uint32_t>(i))});
      const std::size_t height = 5 + i % 17, width = 9 + i % 13;
      ByteVector ramp =
          from_text("P5 " + std::to_string(width) + ' ' + std::to_string(height) + " 255\n");
      for (std::size_t p = 0; p < width * height; ++p)
        ramp.push_back(static_cast<std::byte>(3 * (p % width) + 5 * (p / width) + i));
      of_all_sizes.push_back({name + ".pgm", std::move(ramp)});
    }
    CAPTURE(count);
    double bound = 0;
    const std::size_t size = archive_size(vae, pictures, &bound);
    CHECK(bound > 0);
    CHECK(static_cast<double>(size) <= 1.05 * bound + 24.0 * static_cast<double>(count) + 400);
    CHECK(size <= archive_size(vae, {{"all.tar", tar_of(pictures)}}));
    CHECK(archive_size(text, texts) <= archive_size(text, {{"all.tar", tar_of(texts)}}));
    for (const auto& files : {pictures, texts, noises, of_all_sizes})
      CHECK(archive_size(nullptr, files) <= archive_size(nullptr, {{"all.tar", tar_of(files)}}));
  }
}

TEST_CASE("compress: a file without a model costs a hundred bytes more than its content") {
  CHECK(archive_size(nullptr, {{"name", {}}}) <= 100);
  CHECK(archive_size(nullptr, {{"name", noise(1000)}}) <= 1120);
}

TEST_CASE("compress: rasters of 0 and 1 are coded as bits also without a model") {
  const auto vae = toy_vae();
  ByteVector bits = array_header(MemberKind::idx, std::vector<std::int64_t>{40, 60, 60});
  for (int i = 0; i < 40; ++i)
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 60; ++x)
        bits.push_back(
            static_cast<std::byte>((x - 30) * (x - 30) + (y - 29) * (y - 29) < 99 + 9 * i));
  const Sealed sealed = seal(nullptr, {bits}, Methods::fallback);
  CHECK(opened(sealed, sealed.bytes) == sealed.contents);
  const Sealed by_model = seal(vae, {bits}, Methods::fallback);
  CHECK(sealed.bytes.size() < by_model.bytes.size());
  CHECK(sealed.bytes.size() < bits.size() / 40);
}

}  // namespace logpx::members_test
