#include "formats/reference_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace logpx::reference_file_test {

using namespace logpx::testing;

namespace {

std::string write(const std::string& path, const ReferenceContents& contents) {
  OutputFile out(path, Overwrite::replace);
  std::string hash = write_reference(out, contents, tiny_provenance());
  out.commit();
  return hash;
}

TEST_CASE("reference file: what was written is read back") {
  const ScratchFolder folder;
  const ReferenceContents written = tiny_reference();
  const std::string hash = write(folder / "r.h5", written);
  const ReferenceFile file(folder / "r.h5");
  CHECK(file.content_hash() == hash);
  CHECK(file.contents().chemistry == written.chemistry);
  CHECK(file.contents().parts == written.parts);
  CHECK(file.contents().n == written.n);
  for (const auto& [name, value] : written.numbers) {
    REQUIRE(file.numbers(name) != nullptr);
    CHECK(*file.numbers(name) == value);
  }
  REQUIRE(file.counts("pieces") != nullptr);
  CHECK(*file.counts("pieces") == written.counts.front().second);
  CHECK(file.numbers("nothing") == nullptr);
}

TEST_CASE("reference file: numbers that are not finite and counts below 1 are refused") {
  const ScratchFolder folder;
  ReferenceContents broken = tiny_reference();
  broken.numbers.emplace_back("bad", h5::Value::scalar(std::numeric_limits<double>::infinity()));
  write(folder / "i.h5", broken);
  CHECK_THROWS_WITH_AS(ReferenceFile(folder / "i.h5"), doctest::Contains("is not finite"), Error);
  broken = tiny_reference();
  broken.counts.front().second["CCO"] = 0;
  write(folder / "c.h5", broken);
  CHECK_THROWS_WITH_AS(ReferenceFile(folder / "c.h5"), doctest::Contains("is no count"), Error);
}

}  // namespace
}  // namespace logpx::reference_file_test
