// Zip and tar archives: they are read as a folder would be; an error is a data error that names
// archive and member.
#include "formats/import/container.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/containers.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>

namespace logpx::container_test {

using namespace logpx::testing;

namespace {

const std::vector<std::pair<std::string, std::string>> kinds = {
    {"zip", ""},        {"ustar", ""},    {"gnutar", "gzip"}, {"pax", "xz"},
    {"gnutar", "zstd"}, {"pax", "bzip2"}, {"v7tar", ""}};

// Two classes; the order is not that of the names, and there are files that no folder shows.
std::vector<Filed> pictures(const std::string& folder = "") {
  return {{folder + "cat/2.pgm", pgm(2, 1, bytes_of("cd"))},
          {folder + "cat/1.pgm", pgm(2, 1, bytes_of("ab"))},
          {folder + "caf\xc3\xa9/1.pgm", pgm(2, 1, bytes_of("ef"))},
          {folder + "B/9.png", png(2, 1, 8, 0, bytes_of("gh"))},
          {folder + "cat/.DS_Store", bytes_of("x")},
          {folder + "__MACOSX/._1.pgm", bytes_of("x")}};
}

Packed pack_folder(const std::vector<Filed>& files, const ImportOptions& options) {
  const ScratchFolder folder;
  for (const Filed& file : files) {
    const std::filesystem::path path = folder / ("faces/" + file.name);
    std::filesystem::create_directories(path.parent_path());
    write_bytes(path.string(), file.bytes);
  }
  std::vector<Input> inputs;
  inputs.emplace_back(folder / "faces");
  return pack("images", std::move(inputs), options);
}

void check_same(const Packed& packed, const Packed& wanted) {
  CHECK(packed.rows.x == wanted.rows.x);
  CHECK(packed.rows.y == wanted.rows.y);
  CHECK(packed.info.label_names == wanted.info.label_names);
}

// The end of a test archive, whose numbers are not checked.
Bytes8 cut(Bytes8 bytes, std::size_t size) {
  bytes.resize(size);
  return bytes;
}

}  // namespace

TEST_CASE("containers: a folder, a zip and a tar of the same pictures give the same dataset") {
  ImportOptions options;
  options.labels_from = LabelsFrom::dir;
  const Packed wanted = pack_folder(pictures(), options);
  CHECK(text_of(wanted.rows.x) == "ghefabcd");
  CHECK(wanted.rows.y == std::vector<std::int32_t>{0, 1, 2, 2});
  for (const auto& [format, filter] : kinds)
    for (const char* outer : {"", "faces/", "./"}) {
      CAPTURE(format);
      CAPTURE(outer);
      const Packed packed = pack("images", archive_of(pictures(outer), format, filter), options);
      check_same(packed, wanted);
      REQUIRE(packed.record.sources.size() == 1);
      CHECK(packed.record.sources[0].files == 4);
      CHECK(packed.record.notes.at(0) == "a: 2 hidden files and files in __MACOSX folders skipped");
    }
}

TEST_CASE("containers: one class in an archive keeps its name") {
  ImportOptions options;
  options.labels_from = LabelsFrom::dir;
  const Filed picture{"ann/1.pgm", pgm(1, 1, bytes_of("a"))};
  const Packed packed = pack("images", archive_of({picture}, "zip"), options);
  CHECK(packed.info.label_names == std::vector<std::string>{"ann"});
}

TEST_CASE("containers: --members chooses files by a pattern, and says when none has such a name") {
  ImportOptions options;
  options.members = "*.pgm";
  CHECK(text_of(pack("images", archive_of(pictures(), "ustar"), options).rows.x) == "efabcd");
  options.members = "*.bin";
  Bytes8 batch(2 * 3073);
  const Bytes8 cifar = archive_of(
      {{"c/readme.html", bytes_of("<html>")}, {"c/data_batch_1.bin", batch}}, "gnutar", "gzip");
  CHECK(pack("cifar10", cifar, options).info.n == 2);
  CHECK(error_of("cifar10", cifar)
            .ends_with("(remainder 6)|the batches alone: --members "
                       "'*.bin'"));
  options.members = "*.npy";
  CHECK(error_of("cifar10", cifar, options) ==
        "data|a: none of its 2 files is called *.npy|one of them: --members c/data_batch_1.bin");
}

TEST_CASE("containers: arrays, tables and IDX files are read out of archives") {
  const Bytes8 x = npy("|u1", "(2, 2, 2)", ramp(8)), y = npy("|u1", "(1, 2, 2)", ramp(4));
  for (const auto& [format, filter] : kinds) {
    CAPTURE(format);
    const Bytes8 arrays = archive_of({{"b.npy", y}, {"a.npy", x}}, format, filter);
    const Packed packed = pack("npy", arrays);
    CHECK(packed.info.n == 3);
    CHECK(packed.x()[4] == 28);
    CHECK(packed.record.sources.size() == 1);
    ImportOptions options;
    options.key = "b";
    CHECK(pack("npz", arrays, options).info.n == 1);
    const Bytes8 digits = archive_of({{"t.gz", gzip(idx(8, {3, 2, 2}, ramp(12)))}}, format, filter);
    CHECK(pack("auto", digits).info.n == 3);
    const Bytes8 tables = archive_of(
        {{"1.csv", bytes_of("a,b\n1,2\n")}, {"2.csv", bytes_of("a,b\n3,4\n")}}, format, filter);
    CHECK(pack("csv", tables).reals() == std::vector<float>{1, 2, 3, 4});
  }
}

TEST_CASE("containers: auto looks at the first file; bytes leaves an archive as it is") {
  const auto detected = [](const Bytes8& bytes) {
    Input input("x.csv", bytes);
    return detect_format(input).word;
  };
  const Filed array{"x.npy", npy("|u1", "(1,)", ramp(1))}, picture{"1.pgm", pgm(1, 1, ramp(1))};
  CHECK(detected(archive_of({array}, "zip")) == "npz");
  CHECK(detected(archive_of({array}, "gnutar", "xz")) == "npy");
  CHECK(detected(archive_of({picture}, "zip")) == "images");
  CHECK(detected(archive_of({picture}, "v7tar")) == "images");
  const Bytes8 file = archive_of({picture}, "zip");
  ImportOptions options;
  options.block = static_cast<std::int64_t>(file.size());
  CHECK(pack("bytes", file, options).rows.x == file);
}

TEST_CASE("containers: hard links are files, other links are left out and counted") {
  const Filed picture{"b.pgm", pgm(1, 1, bytes_of("b"))};
  const Bytes8 file = archive_of({picture,
                                  {"a.pgm", {}, "", "b.pgm"},
                                  {"c.pgm", {}, "/etc/passwd"},
                                  {"d.pgm", {}, "", "nowhere"}},
                                 "ustar");
  const Packed packed = pack("images", file);
  CHECK(text_of(packed.rows.x) == "bb");
  CHECK(packed.record.left_out == std::vector<std::string>{"2 links and devices in a"});
  CHECK(packed.record.warnings == std::vector<std::string>{"left out: 2 links and devices in a"});
}

TEST_CASE("containers: of two files with one name the later one counts") {
  const Bytes8 file = archive_of({{"a.pgm", pgm(1, 1, bytes_of("1"))},
                                  {"b.pgm", pgm(1, 1, bytes_of("2"))},
                                  {"./a.pgm", pgm(1, 1, bytes_of("3"))}},
                                 "gnutar");
  CHECK(text_of(pack("images", file).rows.x) == "32");
}

TEST_CASE("containers: names go nowhere and are shown without control characters") {
  const Bytes8 file = archive_of({{"../../etc/\x1b[31mx", bytes_of("words")}}, "gnutar");
  CHECK(error_of("images", file) ==
        "data|a: ../../etc/\\x1b[31mx: no known image format|--skip-bad");
}

TEST_CASE("containers: archives in archives are not opened") {
  const Bytes8 inner = archive_of(pictures(), "zip");
  CHECK(error_of("images", archive_of({{"in.zip", inner}}, "gnutar")) ==
        "data|a: in.zip: no known image format|--skip-bad");
  CHECK(error_of("npy", archive_of({{"in.zip", inner}}, "zip")) ==
        "data|a: in.zip: not npy (first bytes 50 4b 03 04)|this is an archive in an archive; "
        "unpack it");
}

TEST_CASE("containers: a cut archive is a data error, wherever it is cut") {
  for (const auto& [format, filter] : kinds) {
    const Bytes8 whole = archive_of(pictures(), format, filter);
    std::size_t data = whole.size();  // a tar ends with zeros, of which some may be missing
    while (filter.empty() && whole[data - 1] == std::byte{0}) --data;
    for (std::size_t size = 512; size < data; size += 37) {
      CAPTURE(format);
      CAPTURE(size);
      CHECK(error_of("images", cut(whole, size)).starts_with("data|a"));
    }
  }
}

TEST_CASE("containers: a member with a wrong checksum, an encrypted one and other methods") {
  const Bytes8 x = npy("|u1", "(2, 2, 2)", ramp(8));
  const Bytes8 good = zip({{"x.npy", x}});
  Bytes8 file = good;
  file[30 + 5 + x.size() - 1] ^= std::byte{1};
  CHECK(error_of("npy", file).starts_with("data|a: x.npy: archive is damaged (ZIP bad CRC"));
  const std::size_t directory = 30 + 5 + x.size();
  file = good;
  file[6] |= std::byte{1}, file[directory + 8] |= std::byte{1};
  CHECK(error_of("npz", file) == "data|a: x.npy: is encrypted|unpack it first");
  file = good;
  file[8] = file[directory + 10] = std::byte{14};
  CHECK(error_of("npz", file).starts_with("data|a: x.npy: is compressed by lzma|"));
}

TEST_CASE("containers: what would grow beyond bounds is refused before it is unpacked") {
  Bytes8 file = archive_of({{"a.npy", bytes_of("x")}}, "ustar");
  // The size of a header is octal, and the header's sum knows it.
  const Bytes8 size = bytes_of("77777777777");
  unsigned sum = 0;
  std::copy(size.begin(), size.end(), file.begin() + 124);
  std::fill_n(file.begin() + 148, 8, std::byte{' '});
  for (std::size_t i = 0; i < 512; ++i) sum += std::to_integer<unsigned>(file[i]);
  for (std::size_t i = 6; i-- > 0; sum /= 8) file[148 + i] = static_cast<std::byte>('0' + sum % 8);
  file[154] = std::byte{0};
  CHECK(error_of("npy", file) == "data|a: a.npy: archive grows to more than 1100 times its size|");
}

TEST_CASE("containers: a compressed file that is no tar says so, and text is no archive") {
  const Bytes8 file = archive_of({{"a", bytes_of("x")}}, "gnutar", "xz");
  CHECK(packing_of(file) == Packing::xz);
  CHECK(packing_of(bytes_of("#mtree\n./a type=file\n")) == Packing::none);
  CHECK(packing_of(Bytes8(512)) == Packing::none);
  CHECK(pack("csv", bytes_of("#mtree\n1\n")).info.n == 1);
  CHECK(error_of("images", bytes_of("PK\x05\x06")) == "data|a: holds no files|");
  CHECK(error_of("images", bytes_of("PK\x03\x04....")) ==
        "data|a: zip directory is missing or damaged|");
}

TEST_CASE(
    "containers: an xz that asks for a dictionary of gigabytes is refused before it gets it") {
  Bytes8 file = archive_of({{"a.pgm", pgm(1, 1, ramp(1))}}, "gnutar", "xz");
  // After the stream's header of 12 bytes: size, flags, then filter 21, one property, its code.
  REQUIRE(file[14] == std::byte{0x21});
  CHECK(xz_dictionary(file) == std::uint64_t{8} << 20);
  file[16] = std::byte{38};
  CHECK(
      error_of("images", file) ==
      "data|a: asks for a dictionary of 2 GiB, at most 128 MiB allowed|pack it anew: xz -dc FILE | "
      "xz > SMALLER");
}

}  // namespace logpx::container_test
