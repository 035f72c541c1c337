// Real datasets, where LOGPX_DATA_DIR (environment, else the CMake variable) names their folder;
// each test says so and skips without it.
#include "formats/import/csv_records.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace logpx::real_data_test {

using namespace logpx::testing;

namespace {

// The path of NAME, or nothing: then the reason has been told.
std::optional<std::string> real_file(const std::string& name) {
  const char* const set = std::getenv("LOGPX_DATA_DIR");
  const std::string folder = set != nullptr ? set : LOGPX_DATA_DIR;
  if (folder.empty()) {
    MESSAGE("skipped: LOGPX_DATA_DIR is not set");
    return std::nullopt;
  }
  const std::string path = folder + "/" + name;
  if (std::filesystem::exists(path)) return path;
  MESSAGE("skipped: there is no " << name);
  return std::nullopt;
}

std::vector<Input> input(const std::string& path) {
  std::vector<Input> inputs;
  inputs.emplace_back(path);
  return inputs;
}

Bytes8 inflated(const std::string& path) {
  ByteSource source(path);
  return read_whole(source, std::uint64_t{1} << 30);
}

}  // namespace

TEST_CASE("real data: MNIST comes out as the uncompressed file less its header") {
  for (const char* name :
       {"mnist/train-images-idx3-ubyte.gz", "fashion-mnist/train-images-idx3-ubyte.gz"})
    if (const auto path = real_file(name)) {
      const Packed packed = pack("idx", input(*path));
      CHECK(packed.info.n == 60000);
      CHECK(packed.info.shape == std::vector<std::int64_t>{28, 28, 1});
      const Bytes8 plain = inflated(*path);
      CHECK(
          std::equal(packed.rows.x.begin(), packed.rows.x.end(), plain.begin() + 16, plain.end()));
      CHECK(packed.record.sources.at(0).sha256_uncompressed == sha256_hex(plain));
    }
}

TEST_CASE("real data: CIFAR-10 begins with a frog and two trucks") {
  if (const auto path = real_file("cifar10/data_batch_1.first3000.bin")) {
    const Packed packed = pack("cifar10", input(*path));
    CHECK(packed.info.n == 3000);
    CHECK(std::vector<std::int32_t>(packed.rows.y.begin(), packed.rows.y.begin() + 10) ==
          std::vector<std::int32_t>{6, 9, 9, 4, 1, 1, 2, 7, 8, 3});
    std::vector<int> counts(10);
    for (const std::int32_t label : packed.rows.y) ++counts.at(static_cast<std::size_t>(label));
    CHECK(counts == std::vector<int>{299, 287, 322, 285, 311, 279, 312, 297, 308, 300});
  }
}

TEST_CASE("real data: Kodak gives 6912 tiles of 32 and 1728 of 64") {
  if (const auto path = real_file("kodak")) {
    ImportOptions options;
    options.tile = 32;
    CHECK(pack("images", input(*path), options).info.n == 6912);
    options.tile = 64;
    CHECK(pack("images", input(*path), options).info.n == 1728);
  }
}

TEST_CASE("real data: Omniglot is read out of its zip, a class each character") {
  if (const auto path = real_file("omniglot/images_background_small1.zip")) {
    ImportOptions options;
    options.labels_from = LabelsFrom::dir;
    const DatasetInfo info = pack("images", input(*path), options).info;
    CHECK(info.n == 2720);
    CHECK(info.label_names.size() == 136);
    CHECK(info.label_names.front() == "Balinese/character01");
  }
}

TEST_CASE("real data: the ORL faces are 300 of 92 x 112, by subject") {
  if (const auto path = real_file("orl-faces")) {
    ImportOptions options;
    options.skip_bad = true;  // there is a README among them
    options.labels_from = LabelsFrom::dir;
    const Packed packed = pack("images", input(*path), options);
    CHECK(packed.info.n == 300);
    CHECK(packed.info.shape == std::vector<std::int64_t>{112, 92, 1});
    CHECK(packed.info.label_names.size() == 30);
    CHECK(std::count(packed.rows.y.begin(), packed.rows.y.end(), 7) == 10);
  }
}

TEST_CASE("real data: text27 has 27 symbols, and --normalize text8 makes it from the books") {
  const auto train = real_file("text/text27.train.txt.gz"), books = real_file("text/books8.txt.gz");
  if (!train || !books) return;
  ImportOptions options;
  options.alphabet = "auto";
  options.block = 10000;
  const Packed packed = pack("text", input(*train), options);
  CHECK(packed.info.levels == 27);
  CHECK(packed.info.n == 900);
  options.alphabet = "text27";
  options.normalize = Normalize::text8;
  const Packed made = pack("text", input(*books), options);
  CHECK(made.info.n > 900);
  CHECK(std::equal(packed.rows.x.begin(), packed.rows.x.end(), made.rows.x.begin()));
}

TEST_CASE("real data: the ZINC table is one trimmed field a record") {
  const auto path = real_file("smiles/zinc250k_valid.csv");
  if (!path) return;
  CsvReader reader{ByteSource(*path)};
  int records = 0;
  for (CsvRecord record; reader.next(record); ++records) {
    REQUIRE(record.fields.size() == 1);
    REQUIRE_FALSE(record.fields[0].empty());
    REQUIRE(record.fields[0].find_first_of(" \n\r\"") == std::string::npos);
  }
  CHECK(records == 24445 + 1);  // and a header
}

TEST_CASE("real data: the Calgary corpus is 3141622 bytes in its 14 usual files") {
  const auto folder = real_file("calgary");
  if (!folder) return;
  std::vector<Input> inputs;
  for (const char* name : {"bib", "book1", "book2", "geo", "news", "obj1", "obj2", "paper1",
                           "paper2", "pic", "progc", "progl", "progp", "trans"})
    inputs.emplace_back(*folder + "/" + name);
  const Packed packed = pack("bytes", std::move(inputs));
  CHECK(packed.info.n == (3141622 + 255) / 256);
  CHECK(packed.rows.length.back() == 3141622 % 256);
}

}  // namespace logpx::real_data_test
