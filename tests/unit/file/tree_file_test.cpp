#include "formats/file/tree_file.hpp"

#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <span>

namespace logpx::tree_file_test {

using testing::ScratchFolder;
namespace fs = std::filesystem;

namespace {

void write_words(const std::string& root, const std::string& relative, Overwrite overwrite) {
  TreeFile file(root, relative, overwrite);
  file.write(std::as_bytes(std::span("words", 5)));
  file.commit();
}

}  // namespace

TEST_CASE("tree file: folders on the way are made, and nothing is left without commit") {
  const ScratchFolder scratch;
  write_words(scratch / ".", "a/b/c", Overwrite::refuse);
  CHECK(fs::file_size(scratch / "a/b/c") == 5);
  { const TreeFile dropped(scratch / ".", "a/d", Overwrite::refuse); }
  CHECK(std::distance(fs::directory_iterator(scratch / "a"), fs::directory_iterator()) == 1);
}

TEST_CASE("tree file: no link is followed, and one at the end is replaced itself") {
  const ScratchFolder scratch;
  fs::create_directory(scratch / "elsewhere");
  fs::create_directory(scratch / "root");
  fs::create_directory_symlink("../elsewhere", scratch / "root/way");
  fs::create_symlink("../elsewhere/file", scratch / "root/last");
  for (const Overwrite overwrite : {Overwrite::refuse, Overwrite::replace})
    CHECK_THROWS_AS(write_words(scratch / "root", "way/file", overwrite), Error);
  CHECK_THROWS_AS(write_words(scratch / "root", "last", Overwrite::refuse), Error);
  write_words(scratch / "root", "last", Overwrite::replace);
  CHECK(fs::is_regular_file(fs::symlink_status(scratch / "root/last")));
  CHECK(fs::is_empty(scratch / "elsewhere"));
}

}  // namespace logpx::tree_file_test
