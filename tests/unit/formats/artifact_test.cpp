#include "formats/artifact.hpp"

#include "formats/dataset_file.hpp"
#include "formats/file/input.hpp"
#include "formats/file/output.hpp"
#include "formats/h5/tensors.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace logpx::artifact_test {

using h5::Value;
using logpx::testing::ScratchFolder;
using logpx::testing::TinyDataset;

namespace {

const std::vector<float> weights{1, 2, 3, 4, 5, 6};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.message();
  }
  return "no error";
}

std::string read_bytes(const std::string& path) { return read_text_file(path); }

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void write_dataset(const std::string& path, const TinyDataset& data) {
  OutputFile out(path, Overwrite::replace);
  DatasetWriter writer(out, data.info);
  writer.append(data.rows);
  writer.finish(data.info, Json::object().set("tool", "test").set("seed", 1));
  out.commit();
}

// A change by an editor of HDF5 files, which keeps HDF5's own checksums right.
void edit_attribute(const std::string& path, const std::string& object, const std::string& name,
                    const std::string& old, const std::string& now) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t attribute = H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  std::string text(H5Tget_size(type), '\0');
  REQUIRE(H5Aread(attribute, type, text.data()) >= 0);
  H5Aclose(attribute);
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  text.replace(at, old.size(), now);
  REQUIRE(H5Adelete_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT) >= 0);
  attribute = H5Acreate_by_name(file, object.c_str(), name.c_str(), type, space, H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(H5Awrite(attribute, type, text.data()) >= 0);
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  REQUIRE(H5Fclose(file) >= 0);
}

// Everything that a reader of a dataset sees.
std::string seen_by_a_reader(const std::string& path) {
  ArtifactFile(path).check();
  DatasetFile file(path);
  const Rows rows = file.read(0, file.info().n);
  std::string seen = file.info().name + file.provenance().dump() + file.content_hash();
  seen.append(reinterpret_cast<const char*>(rows.x.data()), rows.x.size());
  for (const std::int32_t label : rows.y) seen += std::to_string(label) + ' ';
  for (const double logp : rows.true_logp) seen += std::to_string(logp) + ' ';
  for (const Split& split : file.info().splits) seen += split.name + std::to_string(split.end);
  return seen;
}

}  // namespace

TEST_CASE("artifact: the content hash is that of sorted lines, whatever the order of writing") {
  const ScratchFolder folder;
  const auto two_attributes = [](ArtifactWriter& writer) {
    writer.attribute("n", Value::scalar(std::int64_t{2}));
    writer.attribute("extractor", Value::text("pixels"));
  };
  OutputFile first(folder / "a.h5", Overwrite::refuse), second(folder / "b.h5", Overwrite::refuse);
  ArtifactWriter a(first, ArtifactKind::features), b(second, ArtifactKind::features);
  two_attributes(a);
  a.dataset("/names", {h5::ValueType::str, {2}, {}, {"x", ""}});
  a.dataset("/features", Value::of<float>(weights, {2, 3}));
  ArtifactColumn& column = b.column("/features", {.type = h5::ValueType::f32, .row_shape = {3}});
  const auto bytes = std::as_bytes(std::span(weights));
  column.append(bytes.first(12));
  b.dataset("/names", {h5::ValueType::str, {2}, {}, {"x", ""}});
  column.append(bytes.subspan(12));
  two_attributes(b);
  const std::string hash = a.finish(Json::object());
  CHECK(b.finish(Json::object().set("seed", 2)) == hash);

  // The definition, said again in other words.
  const std::int64_t n = 2;
  const std::string lines = "/features f32 2x3 " + sha256_hex(bytes) + "\n/names str 2 " +
                            sha256_hex(std::string_view("x\0\0", 3)) + "\n@extractor str  " +
                            sha256_hex(std::string_view("pixels\0", 7)) + "\n@kind str  " +
                            sha256_hex(std::string_view("features\0", 9)) + "\n@n i64  " +
                            sha256_hex(std::as_bytes(std::span(&n, 1))) + "\n@schema str  " +
                            sha256_hex(std::string_view("logpx.features/1\0", 17)) + "\n";
  CHECK(hash == sha256_hex(lines));

  first.commit();
  second.commit();
  CHECK(ArtifactFile(folder / "b.h5").compute_content_hash() == hash);
}

TEST_CASE("artifact: what was damaged is named, whether dataset or attribute") {
  const ScratchFolder folder;
  const std::string path = folder / "a.h5";
  OutputFile out(path, Overwrite::refuse);
  ArtifactWriter writer(out, ArtifactKind::features);
  writer.attribute("extractor", Value::text("pixels"));
  writer.attribute("a name", Value::text("spaces"));
  writer.dataset("/weights", Value::of<float>(weights, {2, 3}));
  writer.dataset("/words", {h5::ValueType::str, {2}, {}, {"first", "second"}});
  writer.finish(Json::object().set("tool", "test"));
  out.commit();
  const std::string whole = read_bytes(path);
  const auto subject = [&]() -> std::string {
    try {
      ArtifactFile(path).check();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      return error.subject().substr(path.size());
    }
    return "no error";
  };
  const auto with_bytes = [&](const std::string& old, const std::string& now) {
    std::string damaged = whole;
    const std::size_t at = damaged.find(old);
    REQUIRE(at != std::string::npos);
    write_bytes(path, damaged.replace(at, old.size(), now));
    return subject();
  };
  const auto with_attribute = [&](const std::string& object, const std::string& name,
                                  const std::string& old, const std::string& now) {
    write_bytes(path, whole);
    edit_attribute(path, object, name, old, now);
    return subject();
  };
  const auto bytes = std::as_bytes(std::span(weights));
  const std::string stored(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  CHECK(with_bytes(stored, stored.substr(1) + '\0') == ": /weights");
  CHECK(with_bytes("second", "Second") == ": /words");
  CHECK(with_bytes("\"test\"", "\"Test\"") == ": /provenance");
  CHECK(with_attribute("/", "extractor", "pixels", "pixelz") == ": @extractor");
  CHECK(with_attribute("/", "a name", "spaces", "space.") == ": @a name");
  CHECK(with_attribute("/provenance", "content", "f32", "f64") == ": /provenance@content");
  CHECK(with_attribute("/", "extractor", "pixels", "pixels") == "no error");
}

TEST_CASE("artifact: a file of before, without the lines of its hash, is checked by the hash") {
  const ScratchFolder folder;
  const std::string path = folder / "d.h5";
  write_dataset(path, testing::tiny_vectors(50, 3));
  const std::string hash = ArtifactFile(path).content_hash();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(H5Adelete_by_name(file, "/provenance", "content", H5P_DEFAULT) >= 0);
  REQUIRE(H5Fclose(file) >= 0);
  ArtifactFile(path).check();
  edit_attribute(path, "/", "content_hash", hash.substr(0, 1), hash[0] == '0' ? "1" : "0");
  CHECK(message_of([&] { ArtifactFile(path).check(); }).starts_with("content hash does not match"));
}

TEST_CASE("artifact: another kind or schema is refused with the tool that makes the right one") {
  const ScratchFolder folder;
  write_dataset(folder / "d.h5", testing::tiny_images(3, 2, 2));
  try {
    ArtifactFile(folder / "d.h5", ArtifactKind::samples);
    FAIL("took a dataset for samples");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.message() == "is a dataset, expected samples");
    CHECK(error.hint() == "samples are made by sample-model or sample-its");
  }
  const auto plant = [&](const std::string& kind, const std::string& schema) {
    OutputFile out(folder / "x.h5", Overwrite::replace);
    h5::File file = h5::File::create(out);
    if (!kind.empty()) h5::write_attribute(file, "/", "kind", Value::text(kind));
    h5::write_attribute(file, "/", "schema", Value::text(schema));
    file.close();
    out.commit();
    return message_of([&] { ArtifactFile(folder / "x.h5"); });
  };
  CHECK(plant("", "") == "is an HDF5 file, but not an artifact of logpx: it has no attribute kind");
  CHECK(plant("thing", "logpx.thing/1").find("unknown kind 'thing'") != std::string::npos);
  CHECK(plant("dataset", "logpx.dataset/2") ==
        "has schema logpx.dataset/2, expected logpx.dataset/1");
  CHECK(plant("model", "logpx.model/17") == "has schema logpx.model/17, expected logpx.model/1");
}

TEST_CASE("artifact: a flipped bit is found, or changes nothing that anyone reads") {
  const ScratchFolder folder;
  const std::string path = folder / "d.h5";
  write_dataset(path, testing::tiny_vectors(5, 3));
  const std::string whole = read_bytes(path), seen = seen_by_a_reader(path);
  std::size_t found = 0, harmless = 0;
  for (std::size_t at = 0; at < whole.size(); at += 11) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    write_bytes(path, damaged);
    std::string seen_now;
    try {
      seen_now = seen_by_a_reader(path);
    } catch (const Error&) {
      ++found;
      continue;
    }
    ++harmless;
    CAPTURE(at);
    CHECK(seen_now == seen);
  }
  CHECK(found > 0);
  CHECK(harmless > 0);  // HDF5 keeps room for more chunks
}

TEST_CASE("artifact: a flipped byte anywhere in a dataset fails the check") {
  const ScratchFolder folder;
  std::vector<std::byte> noise(256 * 64);  // few repeats: each bit of a deflated chunk counts
  Cursor words(Rng(1).stream(Stream::first_for_tests));
  for (std::byte& byte : noise) byte = static_cast<std::byte>(words.below(200));
  const auto pixels = std::span<const std::byte>(noise);
  OutputFile out(folder / "f.h5", Overwrite::refuse);
  ArtifactWriter writer(out, ArtifactKind::features);
  writer.dataset("/plain", h5::ValueType::u8, {256, 64}, pixels);
  writer.column("/packed", {.type = h5::ValueType::u8, .row_shape = {64}, .chunk_bytes = 4096})
      .append(pixels);
  writer.finish(Json::object());
  out.commit();
  const std::string whole = read_bytes(folder / "f.h5");
  const std::size_t plain =
      whole.find(std::string(reinterpret_cast<const char*>(pixels.data()), pixels.size()));
  REQUIRE(plain != std::string::npos);
  const std::size_t packed = whole.rfind("\x78\x5e");  // a zlib stream of level 4 begins
  REQUIRE(packed != std::string::npos);
  const auto check_flipped = [&](std::size_t at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    write_bytes(folder / "f.h5", damaged);
    CAPTURE(at);
    CHECK_THROWS_AS(ArtifactFile(folder / "f.h5").check(), Error);
  };
  for (std::size_t i = 0; i < pixels.size(); i += 31) check_flipped(plain + i);
  for (std::size_t i = 0; i < 3000; i += 7) check_flipped(packed + i);
}

TEST_CASE("artifact: a file cut at any length is an error, never a crash") {
  const ScratchFolder folder;
  const std::string path = folder / "d.h5";
  write_dataset(path, testing::tiny_images(40, 8, 8));
  const std::string whole = read_bytes(path);
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 64) {
    write_bytes(path, whole.substr(0, size));
    CAPTURE(size);
    CHECK_THROWS_AS(DatasetFile{path}, Error);
  }
}

TEST_CASE("artifact: a flipped byte of content or provenance fails the check with its reason") {
  const ScratchFolder folder;
  const std::string path = folder / "d.h5";
  write_dataset(path, testing::tiny_vectors(50, 3));
  const std::string whole = read_bytes(path);
  const auto damaged_at = [&](const std::string& text) {
    std::string damaged = whole;
    const std::size_t at = damaged.find(text);
    REQUIRE(at != std::string::npos);
    damaged[at + 1] = static_cast<char>(damaged[at + 1] ^ 1);
    write_bytes(path, damaged);
    return message_of([&] { ArtifactFile(path).check(); });
  };
  CHECK(damaged_at("\"tool\"") == "does not match its hash");
  const double logp = testing::tiny_vectors(50, 3).rows.true_logp[20];
  CHECK(damaged_at({reinterpret_cast<const char*>(&logp), sizeof logp})
            .starts_with("content hash does not match: stored "));
}

}  // namespace logpx::artifact_test
