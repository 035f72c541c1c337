#include "formats/dataset_file.hpp"

#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace logpx::dataset_file_test {

using logpx::testing::ScratchFolder;
using logpx::testing::TinyDataset;

namespace {

// Writes in calls of `step` rows and returns the content hash.
std::string write_dataset(const std::string& path, const TinyDataset& data, std::int64_t step,
                          Workers* workers = nullptr) {
  OutputFile out(path, Overwrite::replace);
  DatasetWriter writer(out, data.info, workers);
  for (std::int64_t begin = 0; begin < data.info.n; begin += step)
    writer.append(testing::slice(data, begin, std::min(begin + step, data.info.n)));
  const std::string hash = writer.finish(data.info, Json::object().set("tool", "test"));
  out.commit();
  return hash;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_equal(const DatasetInfo& a, const DatasetInfo& b) {
  CHECK(a.name == b.name);
  CHECK(a.source_kind == b.source_kind);
  CHECK(a.content == b.content);
  CHECK(a.measure == b.measure);
  CHECK(a.element == b.element);
  CHECK(a.shape == b.shape);
  CHECK(a.n == b.n);
  CHECK(a.levels == b.levels);
  CHECK(a.value_min == b.value_min);
  CHECK(a.value_max == b.value_max);
  CHECK(a.entropy_nats == b.entropy_nats);
  CHECK(a.intrinsic_dim == b.intrinsic_dim);
  CHECK(a.licence == b.licence);
  CHECK(a.citation == b.citation);
  CHECK(a.has_labels == b.has_labels);
  CHECK(a.has_lengths == b.has_lengths);
  CHECK(a.has_true_logp == b.has_true_logp);
  CHECK(a.has_source_rows == b.has_source_rows);
  CHECK(a.column_names == b.column_names);
  CHECK(a.column_words == b.column_words);
  CHECK(a.column_forms == b.column_forms);
  CHECK(a.id_columns == b.id_columns);
  CHECK(a.standardisation == b.standardisation);
  CHECK(a.latent_dim == b.latent_dim);
  CHECK(a.label_names == b.label_names);
  CHECK(a.alphabet == b.alphabet);
  CHECK(a.tokens == b.tokens);
  CHECK(a.tokenizer == b.tokenizer);
  CHECK(a.lossy_source == b.lossy_source);
  CHECK(a.has_missing == b.has_missing);
  CHECK(a.notes == b.notes);
  REQUIRE(a.splits.size() == b.splits.size());
  for (std::size_t i = 0; i < a.splits.size(); ++i) {
    CHECK(a.splits[i].name == b.splits[i].name);
    CHECK(a.splits[i].begin == b.splits[i].begin);
    CHECK(a.splits[i].end == b.splits[i].end);
  }
}

void check_equal(const Rows& a, const Rows& b) {
  CHECK(a.count == b.count);
  CHECK(a.x == b.x);
  CHECK(a.y == b.y);
  CHECK(a.length == b.length);
  CHECK(a.true_logp == b.true_logp);
  CHECK(a.latent == b.latent);
  CHECK(a.source == b.source);
}

// The message that reading all rows of `data` ends with.
std::string reading_error(const TinyDataset& data) {
  const ScratchFolder folder;
  write_dataset(folder / "d.h5", data, data.info.n);
  try {
    DatasetFile file(folder / "d.h5");
    (void)file.read(0, file.info().n);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("dataset: /data/x says what its axes are") {
  const ScratchFolder folder;
  const auto axes_of = [&](const TinyDataset& data) {
    write_dataset(folder / "d.h5", data, 100);
    const ArtifactFile file(folder / "d.h5");
    return h5::find_attribute(file.file(), "/data/x", "axes").value().texts.front();
  };
  CHECK(axes_of(testing::tiny_images(3, 2, 2)) == "row,height,width,channel");
  CHECK(axes_of(testing::tiny_vectors(3, 2)) == "row,column");
  CHECK(axes_of(testing::tiny_text(3, 2)) == "row,position");
}

TEST_CASE("dataset: molecules come back, and parts that are none of their kind are data errors") {
  const ScratchFolder folder;
  TinyDataset data = testing::tiny_molecules();
  write_dataset(folder / "d.h5", data, data.info.n);
  DatasetFile file(folder / "d.h5");
  check_equal(file.read(0, 2), data.rows);
  check_equal(file.info(), data.info);
  data.rows.x[8] = std::byte{2};
  CHECK(reading_error(data).ends_with(
      "/data/x: row 1, element 2 holds 2, expected types of atoms below 2"));
  data = testing::tiny_molecules();
  data.rows.length[0] = 1;
  CHECK(reading_error(data).ends_with(
      "/data/x: row 0, element 1 holds 1, expected 255 behind the last atom"));
  data = testing::tiny_molecules();
  data.rows.length[0] = 4;
  CHECK(reading_error(data).ends_with("/data/length: row 0 holds 4, expected 1 to 3"));
  data = testing::tiny_molecules();
  data.info.notes[2].second = "C";
  CHECK(reading_error(data).find("@mol_types: line 1 is not ELEMENT") != std::string::npos);
}

TEST_CASE("dataset: names, means and deviations that fit no column are data errors") {
  TinyDataset data = testing::tiny_vectors(3, 2);
  data.info.column_names.pop_back();
  CHECK(reading_error(data).find("/columns: names: has 1 entries, expected 2") !=
        std::string::npos);
  data = testing::tiny_vectors(3, 2);
  data.info.standardisation.deviation[1] = 0;
  CHECK(reading_error(data).find("is not a number to divide by") != std::string::npos);
  data.info.standardisation.deviation.clear();
  CHECK(reading_error(data).find("comes without deviations") != std::string::npos);
  data = testing::tiny_vectors(3, 2);
  data.rows.source[1] = -1;
  CHECK(reading_error(data).find("row 1 holds -1, expected numbers from 0") != std::string::npos);
}

TEST_CASE("dataset: words that fit no column, and values without a word, are data errors") {
  TinyDataset data = testing::tiny_words(4, 3);
  data.info.column_words.counts = {3, 0, 4};
  CHECK(reading_error(data).find("/columns: word_count: holds 4, which is not") !=
        std::string::npos);
  data.info.column_words.counts = {3, 0, 2};
  CHECK(reading_error(data).find("/columns: words: has 6 entries, expected 5") !=
        std::string::npos);
  data.info.column_words.counts = {3, 3};
  CHECK(reading_error(data).find("/columns: word_count: has 2 entries, expected 3") !=
        std::string::npos);
  data = testing::tiny_words(4, 3);
  data.info.column_words.words[1] = "red";
  CHECK(reading_error(data).find("/columns: words: has a word twice in one column") !=
        std::string::npos);
  data = testing::tiny_words(4, 3);
  data.rows.values<std::int16_t>()[8] = 3;
  CHECK(reading_error(data).find("row 2 holds 3 in column 2, which has 3 words") !=
        std::string::npos);
  data.rows.values<std::int16_t>()[8] = 2;
  data.rows.values<std::int16_t>()[7] = 6;  // a column of numbers
  CHECK(reading_error(data).empty());
}

TEST_CASE("dataset: kinds, origins and steps that fit no column are data errors") {
  const auto refused = [](auto change) {
    TinyDataset data = testing::tiny_table(3);
    change(data.info);
    return reading_error(data);
  };
  const auto says = [](const std::string& error, const char* words) {
    INFO(error);
    CHECK(error.find(words) != std::string::npos);
  };
  for (const double bad : {0.0, -1.0, 1e-305, 1e305, double(NAN), double(INFINITY)})
    says(refused([&](auto& d) { d.column_forms[2].step = bad; }), "/columns: step: is ");
  for (const double bad : {double(NAN), -double(INFINITY), 1e301})
    says(refused([&](auto& d) { d.column_forms[2].origin = bad; }), "/columns: origin: is ");
  says(refused([](auto& d) { d.column_forms[0].origin = 1; }), "/columns: origin: is 1");
  says(refused([](auto& d) { d.column_forms[3].step = 2; }), "/columns: step: is 2");
  says(refused([](auto& d) { d.column_forms[2].decimals = 18; }), "decimals: holds 18");
  says(refused([](auto& d) { d.column_forms[1].form = "%q"; }),
       "form: '%q' is no form of a column");
  says(refused([](auto& d) { d.column_forms[2].form = "%Y"; }),
       "form: '%Y' is no form of a column");
  says(refused([](auto& d) { d.column_forms[2].kind = ColumnKind::id; }),
       "is no part of a table's");
  says(refused([](auto& d) { d.column_forms[1] = {.kind = ColumnKind::word}; }),
       "kinds: has word for a column of 0 words");
  says(refused([](auto& d) { d.column_forms[0].kind = ColumnKind::whole; }),
       "kinds: has whole for a column of 3 words");
  says(refused([](auto& d) { d.column_forms.pop_back(); }), "kinds: has 5 entries, expected 6");
}

TEST_CASE("dataset: a table of other words in a column does not fit") {
  const DatasetInfo known = testing::tiny_words(1, 3).info;
  DatasetInfo other = known;
  CHECK_NOTHROW(require_same_columns(other, known, "d.h5"));
  other.column_words.words[5] = "green";
  CHECK_THROWS_WITH_AS(require_same_columns(other, known, "d.h5"),
                       "d.h5: column 2 has the words ,\"blue, pale\",green, expected the words "
                       ",\"blue, pale\",red",
                       Error);
  other.column_words = {};
  other.column_words.add_column(std::vector<std::string>{"", "blue, pale", "red"});
  other.column_words.add_column({});
  other.column_words.add_column({});
  CHECK_THROWS_WITH_AS(require_same_columns(other, known, "d.h5"),
                       "d.h5: column 2 has numbers, expected the words ,\"blue, pale\",red", Error);
  other.column_words = {};
  CHECK_NOTHROW(require_same_columns(other, known, "d.h5"));
}

TEST_CASE("dataset: what was written is read back, whatever the content") {
  const ScratchFolder folder;
  for (const TinyDataset& data :
       {testing::tiny_images(700, 20, 20), testing::tiny_vectors(41, 3), testing::tiny_text(9, 16),
        testing::tiny_images(1, 1, 1), testing::tiny_words(30, 5), testing::tiny_tokens(9, 16),
        testing::tiny_table(30)}) {
    const std::string hash = write_dataset(folder / "d.h5", data, 17);
    DatasetFile file(folder / "d.h5");
    check_equal(file.info(), data.info);
    check_equal(file.read(0, data.info.n), data.rows);
    const std::int64_t middle = data.info.n / 2;
    check_equal(file.read(middle, data.info.n), testing::slice(data, middle, data.info.n));
    CHECK(file.read(middle, middle).count == 0);
    CHECK(file.content_hash() == hash);
    CHECK(file.provenance().at("tool").string() == "test");
    CHECK_NOTHROW(ArtifactFile(folder / "d.h5").check());
  }
}

TEST_CASE("dataset: the file depends neither on the cuts between appends nor on the workers") {
  const ScratchFolder folder;
  const TinyDataset data = testing::tiny_images(3000, 50, 50);  // several bundles of chunks
  const std::string hash = write_dataset(folder / "a.h5", data, 3000);
  Workers workers(3);
  CHECK(write_dataset(folder / "b.h5", data, 77, &workers) == hash);
  CHECK(bytes_of(folder / "a.h5") == bytes_of(folder / "b.h5"));
}

TEST_CASE("dataset: another byte, attribute or split gives another content hash") {
  const ScratchFolder folder;
  TinyDataset data = testing::tiny_images(30, 4, 4);
  const std::string hash = write_dataset(folder / "d.h5", data, 30);
  SUBCASE("byte") { data.rows.x[100] ^= std::byte{1}; }
  SUBCASE("attribute") { data.info.licence = "none"; }
  SUBCASE("split") { data.info.splits[0].name = "fit"; }
  SUBCASE("label") { data.rows.y[29] = 0; }
  CHECK(write_dataset(folder / "d.h5", data, 30) != hash);
}

TEST_CASE("dataset: a file without rows is written and read") {
  const ScratchFolder folder;
  const TinyDataset data = testing::tiny_vectors(0, 3);
  write_dataset(folder / "d.h5", data, 1);
  DatasetFile file(folder / "d.h5");
  CHECK(file.info().n == 0);
  CHECK(file.read(0, 0).count == 0);
  CHECK_NOTHROW(ArtifactFile(folder / "d.h5").check());
}

TEST_CASE("dataset: a value outside its domain is found when read; its row and column are named") {
  TinyDataset text = testing::tiny_text(9, 16);
  text.rows.x[5 * 16 + 3] = std::byte{27};
  CHECK(reading_error(text).find(
            "/data/x: row 5, element 3 holds 27, expected values below 27 (levels)") !=
        std::string::npos);
  TinyDataset vectors = testing::tiny_vectors(12, 3);
  vectors.rows.values<float>()[10 * 3] = std::numeric_limits<float>::infinity();
  vectors.rows.values<float>()[7 * 3 + 2] = std::numeric_limits<float>::quiet_NaN();
  CHECK(reading_error(vectors).find("/data/x: row 7, element 2 holds nan, expected finite") !=
        std::string::npos);
  TinyDataset images = testing::tiny_images(6, 2, 2);
  images.rows.y[4] = 2;
  CHECK(reading_error(images).find("/data/y: row 4 holds 2, expected labels below 2") !=
        std::string::npos);
}

TEST_CASE(
    "dataset: once all rows were read in order the content hash is compared, before it is not") {
  const ScratchFolder folder;
  const std::string path = folder / "d.h5";
  write_dataset(path, testing::tiny_images(60, 8, 8), 60);
  std::string bytes = bytes_of(path);
  const std::size_t at = bytes.find("evenodd");  // names of labels lie in no chunk
  REQUIRE(at != std::string::npos);
  bytes[at] = 'E';
  std::ofstream(path, std::ios::binary) << bytes;
  {
    DatasetFile file(path);
    CHECK(file.read(0, 20).count == 20);
    CHECK(file.read(30, 60).count == 30);  // not in order: nothing is known of the rows before
    CHECK(file.read(20, 30).count == 10);
    CHECK_THROWS_WITH_AS((void)file.read(30, 60), doctest::Contains("/labels/names"), Error);
  }
  CHECK_THROWS_WITH_AS((void)DatasetFile(path).read(0, 60), doctest::Contains("/labels/names"),
                       Error);
}

TEST_CASE("dataset: missing values need has_missing") {
  TinyDataset data = testing::tiny_text(4, 3);
  data.info.element = Element::i16;
  data.rows.x.assign(4 * 3 * sizeof(std::int16_t), std::byte{0});
  data.rows.values<std::int16_t>()[7] = -1;
  CHECK(reading_error(data).find("row 2, element 1 holds -1") != std::string::npos);
  data.info.has_missing = true;
  CHECK(reading_error(data) == "");
}

TEST_CASE("dataset: contradictions between attributes and shapes are refused on open") {
  const ScratchFolder folder;
  TinyDataset data = testing::tiny_text(5, 4);
  SUBCASE("split beyond the end") { data.info.splits = {{"train", 0, 6}}; }
  SUBCASE("split turned round") { data.info.splits = {{"train", 3, 2}}; }
  SUBCASE("too many levels") {
    data.info.levels = 257;
    data.info.alphabet.clear();
  }
  SUBCASE("alphabet of another size") { data.info.alphabet.pop_back(); }
  SUBCASE("tokens beside an alphabet") {
    data.info.tokens = testing::tiny_tokens(5, 4).info.tokens;
  }
  SUBCASE("an image of rank 1") { data.info.content = Content::image; }
  write_dataset(folder / "d.h5", data, 5);
  CHECK_THROWS_AS(DatasetFile(folder / "d.h5"), Error);
}

TEST_CASE("dataset: a name is a path, or a path and a split after the last colon") {
  const ScratchFolder folder;
  CHECK(parse_dataset_name("d.h5").split.empty());
  CHECK(parse_dataset_name("d.h5:test").path == "d.h5");
  CHECK(parse_dataset_name("d.h5:test").split == "test");
  CHECK(parse_dataset_name("-:valid").path == "-");
  CHECK(parse_dataset_name("a:b/d.h5").path == "a:b/d.h5");
  const std::string odd = folder / "d.h5:test";
  std::ofstream(odd) << "x";
  CHECK(parse_dataset_name(odd).path == odd);
  CHECK_THROWS_AS((void)parse_dataset_name("d.h5:"), Error);
}

TEST_CASE("dataset: rows are counted inside the split and the limit cuts after them") {
  const DatasetInfo info = testing::tiny_images(24, 1, 1).info;  // 20 train, 2 valid, 2 test
  const auto rows = [](std::int64_t begin, std::int64_t end) {
    return std::optional(RowRange{begin, end});
  };
  const auto selected = [&](const std::string& split, const std::string& usual,
                            std::optional<RowRange> range, std::optional<std::int64_t> limit) {
    const RowSelection selection = select_rows(info, {"a.h5", split}, usual, {range, limit});
    return std::pair(selection.begin, selection.end);
  };
  CHECK(selected("", "", {}, {}) == std::pair<std::int64_t, std::int64_t>(0, 24));
  CHECK(selected("", "test", {}, {}) == std::pair<std::int64_t, std::int64_t>(22, 24));
  CHECK(selected("", "absent", {}, {}) == std::pair<std::int64_t, std::int64_t>(0, 24));
  CHECK(selected("valid", "train", {}, {}) == std::pair<std::int64_t, std::int64_t>(20, 22));
  CHECK(selected("valid", "", rows(1, -1), {}) == std::pair<std::int64_t, std::int64_t>(21, 22));
  CHECK(selected("", "train", rows(5, 15), 3) == std::pair<std::int64_t, std::int64_t>(5, 8));
  CHECK(selected("", "", {}, 1000) == std::pair<std::int64_t, std::int64_t>(0, 24));
  CHECK_THROWS_WITH((void)selected("tets", "", {}, {}),
                    "a.h5: has no split 'tets' (did you mean test?); it has train, valid, test");
  CHECK_THROWS_WITH((void)selected("valid", "", rows(0, 3), {}),
                    "--rows: '0:3' is not inside the 2 rows of split 'valid'");
  CHECK_THROWS_AS((void)selected("", "", {}, 0), Error);
}

}  // namespace logpx::dataset_file_test
