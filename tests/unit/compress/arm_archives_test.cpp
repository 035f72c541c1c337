// Archives of models of orders, also some that were made earlier on another machine.
#include "formats/file/input.hpp"
#include "tests/support/archives.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace logpx::arm_archives_test {

using namespace logpx::testing;

// Written on x86-64 by tests/archives/arm/make: on another machine this proves the graph
// transformer, features of graphs, and the tables of orders and of numbers of atoms.
TEST_CASE("compress: archives of molecules, in every order, are opened on every machine") {
  std::istringstream sums(read_text_file(stored_archive("arm/sha256")));
  int opened = 0;
  for (std::string hash, name; sums >> hash >> name; ++opened)
    CHECK(hash_of_stored("arm/" + name + ".lpx") == hash);
  CHECK(opened == 3);
}

}  // namespace logpx::arm_archives_test
