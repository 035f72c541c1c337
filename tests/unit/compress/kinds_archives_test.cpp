// Archives of every kind of content, of every version of the format that is read.
#include "formats/archive/reader.hpp"
#include "formats/file/input.hpp"
#include "libcore/base/hash.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace logpx::kinds_archives_test {

using namespace logpx::archive;
using namespace logpx::testing;

namespace {

std::string bytes_of_stored(const std::string& name) {
  return read_text_file(stored_archive(name));
}

std::set<int> kinds_in(const std::string& name) {
  const std::string bytes = bytes_of_stored(name);
  std::set<int> kinds;
  ArchiveReader reader([left = bytes_of(bytes)](std::span<std::byte> out) mutable {
    const std::size_t count = std::min(out.size(), left.size());
    std::copy_n(left.begin(), count, out.begin());
    left = left.subspan(count);
    return count;
  });
  while (const auto item = reader.next())
    if (const auto* block = std::get_if<Block>(&*item))
      if (block->coder == BlockCoder::adaptive) kinds.insert(block->form.kind);
  return kinds;
}

}  // namespace

// Written on x86-64 by tests/archives/kinds/make: on another machine this checks every kind of
// contexts at both levels, small blocks and such as fill all tables.
TEST_CASE("compress: archives of all versions and kinds are opened on every machine") {
  const std::map<std::string, std::set<int>> versions = {
      {"2.4", {1, 3, 4, 5, 6, 7, grey_block_of_2_5}},
      {"2.6", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14}}};
  for (const auto& [version, kinds] : versions) {
    std::istringstream sums(read_text_file(stored_archive(version + "/sha256")));
    std::set<int> normal, best;
    for (std::string hash, name; sums >> hash >> name;) {
      CAPTURE(name);
      if (testing::sanitized && name.ends_with("-best")) continue;  // takes half of the time
      const std::string path = version + "/" + name + ".lpx", bytes = bytes_of_stored(path);
      CHECK(bytes.size() <= 100'000);
      Workers workers(1);
      Sha256 out;
      for (const ByteVector& member : open_archive(bytes_of(bytes), nullptr, workers))
        out.update(member);
      CHECK(out.hex() == hash);
      (name.ends_with("-best") ? best : normal).merge(kinds_in(path));
    }
    CHECK(normal == kinds);
    CHECK((testing::sanitized || best == kinds));
  }
}

}  // namespace logpx::kinds_archives_test
