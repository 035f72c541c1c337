#include "formats/features_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_artifacts.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace logpx::features_file_test {

using namespace logpx::testing;

TEST_CASE("features: rows, logits and labels come back, whatever the batches were") {
  const ScratchFolder folder;
  const std::string hash = write_tiny_features(folder / "f.h5");
  const FeaturesFile file(folder / "f.h5");
  CHECK(file.content_hash() == hash);
  CHECK(file.has_rows());
  CHECK(file.info().n == 3);
  CHECK(file.info().d == 2);
  CHECK(file.info().classes == 3);
  CHECK(file.info().extractor == "pca:2");
  CHECK(file.info().params.at("k").integer() == 2);
  const FeatureRows rows = file.read(1, 3);
  CHECK(rows.features == std::vector<float>{3, 4, 5, 6});
  CHECK(rows.logits == std::vector<float>{3, 4, 5, 6, 7, 8});
  CHECK(rows.labels == std::vector<std::int32_t>{0, 2});
}

TEST_CASE("features: a flipped byte is found before anything is read") {
  const ScratchFolder folder;
  write_tiny_statistics(folder / "f.h5");
  flip_in(folder / "f.h5", 0.25);
  CHECK_THROWS_WITH(FeaturesFile(folder / "f.h5"),
                    doctest::Contains("/cov: content hash does not match"));
}

TEST_CASE("features: statistics may stand alone") {
  const ScratchFolder folder;
  write_tiny_statistics(folder / "f.h5");
  const FeaturesFile file(folder / "f.h5");
  CHECK(!file.has_rows());
  CHECK(file.info().n == 100);
  CHECK(file.mean() == std::vector<double>{0.5, 1});
  CHECK(file.covariance() == std::vector<double>{1, 0.25, 0.25, 2});
}

TEST_CASE("features: a value that is not finite is found when read and its row is named") {
  const ScratchFolder folder;
  OutputFile out(folder / "f.h5", Overwrite::refuse);
  FeaturesWriter writer(
      out, {.extractor = "pixels", .params = Json::object(), .source_hash = "", .d = 2});
  writer.append({.count = 2,
                 .features = {1, 2, std::numeric_limits<float>::quiet_NaN(), 4},
                 .logits = {},
                 .labels = {}});
  writer.finish(Json::object());
  out.commit();
  const FeaturesFile file(folder / "f.h5");
  CHECK(file.read(0, 1).features == std::vector<float>{1, 2});
  CHECK_THROWS_WITH((void)file.read(0, 2),
                    doctest::Contains("/features: row 1 holds a value that is not finite"));
}

}  // namespace logpx::features_file_test
