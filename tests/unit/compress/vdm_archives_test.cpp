// Stored archives of diffusion models, from another day and machine.
#include "formats/file/input.hpp"
#include "tests/support/archives.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace logpx::vdm_archives_test {

using namespace logpx::testing;

// Written on x86-64 by tests/archives/vdm/make: on another machine this proves the networks, the
// schedule and its fitted grid, and the tables of every level.
TEST_CASE("compress: archives of diffusion models, in both orders, are opened on every machine") {
  std::istringstream sums(read_text_file(stored_archive("vdm/sha256")));
  int opened = 0;
  for (std::string hash, name; sums >> hash >> name; ++opened)
    CHECK(hash_of_stored("vdm/" + name + ".lpx") == hash);
  CHECK(opened == 2);
}

}  // namespace logpx::vdm_archives_test
