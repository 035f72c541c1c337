// Inputs that change while they are coded.
#include "tools/archives/source_file.hpp"

#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tools/archives/member_input.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <vector>

namespace logpx::source_file_test {

using namespace logpx::compress;
using testing::ScratchFolder;
namespace fs = std::filesystem;

namespace {

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The message of removing after `change`, which gets the file's path once it has been read.
template <typename Change>
std::vector<std::string> removal_after(const std::string& path, const Change& change) {
  write_file(path, "words");
  SourceFile file(path, SourceFile::Links::refuse);
  archive::ByteVector bytes(8);
  CHECK(file.read(bytes) == 5);
  change();
  std::vector<std::string> warnings;
  file.removal()([&](const std::string& text) { warnings.push_back(text); });
  return warnings;
}

}  // namespace

TEST_CASE("compress: only the file that was read is removed") {
  const ScratchFolder scratch;
  const std::string path = scratch / "a";
  CHECK(removal_after(path, [] {}).empty());
  CHECK_FALSE(fs::exists(path));

  const std::vector<std::string> grown =
      removal_after(path, [&] { std::ofstream(path, std::ios::app) << "more"; });
  REQUIRE(grown.size() == 1);
  CHECK(grown[0].ends_with("changed since it was read, so it stays"));
  CHECK(fs::file_size(path) == 9);

  // The same size at another time.
  const auto later = fs::file_time_type::clock::now() + std::chrono::hours(1);
  CHECK(removal_after(path, [&] { fs::last_write_time(path, later); }).size() == 1);
  CHECK(fs::exists(path));

  // Another file of this name was never an input.
  CHECK(removal_after(path, [&] {
          write_file(path + "2", "other");
          fs::rename(path + "2", path);
        }).empty());
  CHECK(fs::exists(path));
}

TEST_CASE("compress: a picture that grows while it is read is refused") {
  const ScratchFolder scratch;
  const std::string path = scratch / "a.png";
  write_file(path, "\x89PNG\r\n\x1a\nand no picture");
  auto file = std::make_unique<SourceFile>(path, SourceFile::Links::refuse);
  std::ofstream(path, std::ios::app) << "more";
  CHECK_THROWS_WITH_AS((void)recognise(std::move(file), {.units = {}}),
                       (path + ": changed while it was read").c_str(), Error);
}

}  // namespace logpx::source_file_test
