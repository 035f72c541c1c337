// Archives of circuits that another machine wrote earlier.   [pc/README 10.2]
#include "formats/file/input.hpp"
#include "tests/support/archives.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace logpx::pc_archives_test {

using namespace logpx::testing;

// Written on x86-64 by tests/archives/pc/make: on another machine this checks the filters of
// sequences, which carry their state from one window to the next, and of trees, with and without
// contexts beside them.
TEST_CASE(
    "compress: archives of circuits, of a text and of pictures, are opened on every machine") {
  std::istringstream sums(read_text_file(stored_archive("pc/sha256")));
  int opened = 0;
  for (std::string hash, name; sums >> hash >> name; ++opened)
    CHECK(hash_of_stored("pc/" + name + ".lpx") == hash);
  CHECK(opened == 4);
}

}  // namespace logpx::pc_archives_test
