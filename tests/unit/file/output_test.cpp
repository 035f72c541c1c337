#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

using namespace logpx;
using testing::ScratchFolder;
namespace fs = std::filesystem;

namespace {

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ErrorKind refusal(const std::string& target, Overwrite overwrite) {
  try {
    OutputFile out(target, overwrite);
    write_text_file(out, "text");
    out.commit();
  } catch (const Error& error) {
    return error.kind();
  }
  FAIL("no error");
  return ErrorKind::io;
}

std::size_t entries(const ScratchFolder& scratch) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(scratch / "")) count += !entry.path().empty();
  return count;
}

}  // namespace

TEST_CASE("output: a file below /dev is a file like any other") {
  const std::string folder = "/dev/shm/logpx-output-test." + std::to_string(getpid());
  if (!fs::is_directory("/dev/shm") || !fs::create_directory(folder)) return;
  const std::string target = folder + "/keep";
  CHECK_FALSE(is_stream(target));
  write_file(target, "precious and long");
  CHECK(refusal(target, Overwrite::refuse) == ErrorKind::refused);
  CHECK(read_file(target) == "precious and long");
  OutputFile out(target, Overwrite::replace);
  write_text_file(out, "short");
  out.commit();
  CHECK(read_file(target) == "short");
  fs::remove_all(folder);
  CHECK(is_stream("/dev/null"));
  for (const char* name : {"-", "/dev/stdin", "/dev/stdout", "/dev/fd/9", "/proc/self/fd/9"})
    CHECK(names_stream(name));
  CHECK_FALSE(names_stream("/dev/shm/stdout"));
}

TEST_CASE("output: the place of a file is the same by every spelling") {
  const ScratchFolder scratch;
  fs::create_directory(scratch / "a");
  fs::create_symlink("a", scratch / "b");
  fs::create_symlink("absent", scratch / "a/dangling");
  CHECK(place_of(scratch / "a/x") == place_of(scratch / "b/../a/./x"));
  CHECK(place_of(scratch / "b/dangling") == place_of(scratch / "a/absent"));
  CHECK(place_of(scratch / "a/x") != place_of(scratch / "a/y"));
}

TEST_CASE("output: nothing appears before commit, everything after it") {
  const ScratchFolder scratch;
  {
    OutputFile out(scratch / "a", Overwrite::refuse);
    write_text_file(out, "whole");
    CHECK_FALSE(fs::exists(scratch / "a"));
    out.commit();
    CHECK(out.bytes() == 5);
  }
  CHECK(read_file(scratch / "a") == "whole");
  CHECK(entries(scratch) == 1);
}

TEST_CASE("output: without commit nothing is left behind") {
  const ScratchFolder scratch;
  { OutputFile out(scratch / "a", Overwrite::refuse); }
  CHECK(entries(scratch) == 0);
}

TEST_CASE("output: an existing file is refused, also when it appears meanwhile") {
  const ScratchFolder scratch;
  write_file(scratch / "a", "old");
  CHECK(refusal(scratch / "a", Overwrite::refuse) == ErrorKind::refused);
  OutputFile out(scratch / "b", Overwrite::refuse);
  write_text_file(out, "mine");
  write_file(scratch / "b", "theirs");
  CHECK_THROWS_AS(out.commit(), Error);
  CHECK(read_file(scratch / "b") == "theirs");
}

TEST_CASE("output: replacing keeps the mode, follows links, and is whole") {
  const ScratchFolder scratch;
  write_file(scratch / "real", "old");
  fs::permissions(scratch / "real", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", scratch / "link");
  OutputFile out(scratch / "link", Overwrite::replace);
  write_text_file(out, "replaced");
  CHECK(read_file(scratch / "real") == "old");
  out.commit();
  CHECK(read_file(scratch / "real") == "replaced");
  CHECK(fs::is_symlink(fs::symlink_status(scratch / "link")));
  struct stat status {};
  REQUIRE(stat((scratch / "real").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("output: a folder, a missing folder and an empty name are refused") {
  const ScratchFolder scratch;
  CHECK(refusal(scratch / "", Overwrite::replace) == ErrorKind::usage);
  CHECK(refusal(scratch / "no/a", Overwrite::replace) == ErrorKind::io);
  CHECK(refusal("", Overwrite::replace) == ErrorKind::usage);
}
