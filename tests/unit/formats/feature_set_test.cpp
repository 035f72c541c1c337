#include "formats/feature_set.hpp"

#include "formats/import/container.hpp"
#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>

namespace logpx::feature_set_test {

using namespace logpx::testing;

namespace {

using Numbers = std::vector<double>;

ZipMember array(const std::string& name, const std::string& shape, const Numbers& values) {
  Bytes8 payload(values.size() * sizeof(double));
  std::memcpy(payload.data(), values.data(), payload.size());
  return {name + ".npy", npy("<f8", shape, payload)};
}

FeatureSet set_of(const std::vector<ZipMember>& members) {
  return feature_set_of(std::make_shared<const Container>(ByteSource("a.npz", zip(members))));
}

std::string error_of(const std::vector<ZipMember>& members) {
  try {
    (void)set_of(members);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "none";
}

const ZipMember rows = array("features", "(3, 2)", {1, 2, 3, 4, 5, 6});

}  // namespace

TEST_CASE("feature set: an npz holds features with logits, a lone array, or mu and sigma") {
  const FeatureSet both = set_of({rows, array("logits", "(3, 1)", {7, 8, 9})});
  CHECK(both.info.n == 3);
  CHECK(both.info.d == 2);
  CHECK(both.rows == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(both.info.classes == 1);
  CHECK(both.logits == Numbers{7, 8, 9});
  CHECK(set_of({array("arr_0", "(3, 2)", {1, 2, 3, 4, 5, 6})}).rows == both.rows);
  const FeatureSet statistics =
      set_of({array("mu", "(2,)", {1, 2}), array("sigma", "(2, 2)", {4, 1, 1, 3})});
  CHECK_FALSE(statistics.has_rows());
  CHECK(statistics.info.n == 0);
  CHECK(statistics.mean == Numbers{1, 2});
  CHECK(statistics.covariance == Numbers{4, 1, 1, 3});
}

TEST_CASE("feature set: what cannot be compared is refused with its place") {
  const ZipMember mu = array("mu", "(2,)", {1, 2});
  CHECK(error_of({array("a", "(1, 2)", {1, 2}), array("b", "(1, 2)", {1, 2})}) ==
        "a.npz: has neither features nor mu and sigma (has: a, b)");
  CHECK(error_of({mu, array("x", "(1, 1)", {1})}) == "a.npz: has mu without sigma");
  CHECK(error_of({mu, array("sigma", "(3, 3)", Numbers(9, 1))}) ==
        "a.npz: sigma: has shape [3, 3], expected [2, 2] since mu has 2 entries");
  CHECK(error_of({mu, array("sigma", "(2, 2)", {4, 1, 2, 3})}) ==
        "a.npz: sigma: is not symmetric: 2 at [1, 0] and 1 at [0, 1]");
  CHECK(error_of({mu, array("sigma", "(2, 2)", {0, 0, 0, 0})}) ==
        "a.npz: sigma: is 0 everywhere, so there is nothing to compare");
  CHECK(error_of({array("features", "(3, 2)", {1, 2, 3, NAN, 5, 6})}) ==
        "a.npz: features: row 1: holds a value that is not finite");
  CHECK(error_of({array("features", "(1, 2)", {1, 2})}) ==
        "a.npz: has one row, expected two or more");
  CHECK(error_of({array("features", "(2, 2)", {1, 2, 1, 2})}) ==
        "a.npz: all 2 rows are the same, so there is nothing to compare");
  CHECK(error_of({rows, array("logits", "(2, 1)", {1, 2})}) ==
        "a.npz: logits: has 2 rows, the features have 3");
}

TEST_CASE("feature set: rounding of single precision does not make a sigma asymmetric") {
  const FeatureSet set =
      set_of({array("mu", "(2,)", {1, 2}), array("sigma", "(2, 2)", {4, 1, 1 + 1e-7, 3})});
  CHECK(set.covariance[1] == set.covariance[2]);
}

TEST_CASE("feature set: what fuzzers begin with is read") {
  for (const auto& entry :
       std::filesystem::directory_iterator(LOGPX_SOURCE_DIR "/tests/fuzz/corpus/statistics"))
    CHECK(read_feature_set(entry.path().string()).info.d > 0);
}

}  // namespace logpx::feature_set_test
