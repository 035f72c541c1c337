// Archives of tables of words that were made before a column had no other values than its words.
#include "formats/file/input.hpp"
#include "tests/support/archives.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace logpx::words_archives_test {

using namespace logpx::testing;

// Columns of three and of two words in a table of six levels; their models gave each column all
// six. They were made then, by train-vae, fit-prior and train-arm --preset tiny --numerics det and
// bits-back-encode --dataset --embed-model --effort fast, and cannot be made again.
TEST_CASE("compress: archives that gave a column all levels of its table are opened for ever") {
  std::istringstream sums(read_text_file(stored_archive("words/sha256")));
  int opened = 0;
  for (std::string hash, name; sums >> hash >> name; ++opened)
    CHECK(hash_of_stored("words/" + name + ".lpx") == hash);
  CHECK(opened == 3);
}

}  // namespace logpx::words_archives_test
