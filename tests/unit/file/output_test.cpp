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

namespace logpx::output_test {

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

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
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
  CHECK(mode_of(scratch / "real") == 0600);
}

TEST_CASE("output: two at once on one target, and each renames what it wrote itself") {
  const ScratchFolder scratch;
  OutputFile first(scratch / "a", Overwrite::replace);
  write_text_file(first, "first");
  OutputFile second(scratch / "a", Overwrite::replace);
  write_text_file(second, "half of the sec");
  first.commit();
  CHECK(read_file(scratch / "a") == "first");
  write_text_file(second, "ond");
  second.commit();
  CHECK(read_file(scratch / "a") == "half of the second");
  CHECK(entries(scratch) == 1);
}

TEST_CASE("output: what was put in the temporary's place is not renamed") {
  const ScratchFolder scratch;
  {
    OutputFile out(scratch / "a", Overwrite::replace);
    write_text_file(out, "mine");
    fs::remove(out.path());
    SUBCASE("nothing") {}
    SUBCASE("another file") { write_file(out.path(), "theirs"); }
    SUBCASE("a link") { fs::create_symlink("elsewhere", out.path()); }
    CHECK_THROWS_AS(out.commit(), Error);
    CHECK_FALSE(fs::exists(scratch / "a"));
  }
  CHECK(entries(scratch) <= 1);  // what others put there is theirs
}

TEST_CASE("output: a leftover of the same target goes when nobody holds its lock") {
  const ScratchFolder scratch;
  const std::string dead = scratch / ".a.tmp.0123456789abcdef";
  write_file(dead, "left by a killed run");
  const std::string others[] = {scratch / ".b.tmp.0123456789abcdef",
                                scratch / ".a.tmp.0123456789abcdef0",
                                scratch / ".a.tmp.b.tmp.0123456789abcdef", scratch / ".a.tmp.1234"};
  for (const std::string& other : others) write_file(other, "");
  fs::create_symlink("precious", scratch / ".a.tmp.00000000000000ff");
  write_file(scratch / "precious", "kept");
  const OutputFile living(scratch / "a", Overwrite::refuse);
  CHECK_FALSE(fs::exists(dead));
  { const OutputFile next(scratch / "a", Overwrite::refuse); }
  CHECK(fs::exists(living.path()));
  for (const std::string& other : others) CHECK(fs::exists(other));
  CHECK(read_file(scratch / "precious") == "kept");
}

TEST_CASE("output: is written after a signal too, as a checkpoint is") {
  const ScratchFolder scratch;
  stop::on_signal(SIGHUP);
  {
    OutputFile out(scratch / "a", Overwrite::refuse);
    write_text_file(out, "saved");
    out.commit();
  }
  stop::reset();
  CHECK(read_file(scratch / "a") == "saved");
}

TEST_CASE("output: for its owner alone until commit gives it its mode") {
  const ScratchFolder scratch;
  const mode_t mask = umask(0);
  umask(mask);
  OutputFile out(scratch / "a", Overwrite::refuse);
  CHECK(mode_of(out.path()) == 0600);
  out.commit();
  CHECK(mode_of(scratch / "a") == (0666U & ~mask));
  OutputFile restored(scratch / "b", Overwrite::refuse);
  restored.commit(FileAttributes{.mode = 0777, .mtime = 1, .mtime_ns = 2});
  CHECK(mode_of(scratch / "b") == (0777U & ~mask));
}

TEST_CASE("output: names of up to 255 bytes work, longer ones are refused at once") {
  const ScratchFolder scratch;
  for (const std::size_t size : {237, 238, 243, 255}) {
    const std::string target = scratch / std::string(size, 'n');
    write_file(scratch / ('.' + fit_name(std::string(size, 'n'), 233) + ".tmp.0123456789abcdef"),
               "");
    OutputFile out(target, Overwrite::refuse);
    write_text_file(out, "text");
    out.commit();
    CHECK(read_file(target) == "text");
  }
  CHECK(entries(scratch) == 4);
  CHECK_THROWS_AS(OutputFile::check_target(scratch / std::string(256, 'n'), Overwrite::refuse),
                  Error);
}

TEST_CASE("output: a long name is cut between characters, and two long names stay apart") {
  const std::string umlauts = [] {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "\u00e4";
    return text;
  }();
  CHECK(fit_name("short", 20) == "short");
  for (const std::size_t room : {40, 41, 42, 43}) {
    const std::string cut = fit_name(umlauts, room);
    CHECK(cut.size() <= room);
    CHECK(cut.find('~') % 2 == 0);
    CHECK(cut != fit_name(umlauts + "x", room));
  }
}

TEST_CASE("output: a folder, a missing folder and an empty name are refused") {
  const ScratchFolder scratch;
  CHECK(refusal(scratch / "", Overwrite::replace) == ErrorKind::usage);
  CHECK(refusal(scratch / "no/a", Overwrite::replace) == ErrorKind::io);
  CHECK(refusal("", Overwrite::replace) == ErrorKind::usage);
}

}  // namespace logpx::output_test
