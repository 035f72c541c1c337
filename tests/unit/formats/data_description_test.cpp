#include "formats/data_description.hpp"

#include "libcore/base/error.hpp"
#include "tests/support/tiny_datasets.hpp"

#include <doctest/doctest.h>

using namespace logpx;
using namespace logpx::testing;

namespace {

void check_known(const DatasetInfo& a, const DatasetInfo& b) {
  CHECK(a.shape == b.shape);
  CHECK(a.levels == b.levels);
  CHECK(a.value_min == b.value_min);
  CHECK(a.value_max == b.value_max);
  CHECK(a.content == b.content);
  CHECK(a.measure == b.measure);
  CHECK(a.element == b.element);
  CHECK(a.column_names == b.column_names);
  CHECK(a.standardisation == b.standardisation);
}

}  // namespace

TEST_CASE("data description: a model file and an archive keep the same of what a model reads") {
  for (const TinyDataset& data : {tiny_images(3, 2, 2), tiny_vectors(4, 3), tiny_text(3, 5)}) {
    check_known(data_of(data_attributes(data.info)), data.info);
    check_known(data_of(data_json(data.info)), data.info);
  }
}

TEST_CASE("data description: what makes no sense is a data error in either form") {
  const DatasetInfo info = tiny_vectors(4, 2).info;
  const auto refused = [&](const DatasetInfo& wrong, const char* words) {
    CHECK_THROWS_WITH_AS((void)data_of(data_json(wrong)), doctest::Contains(words), Error);
    CHECK_THROWS_WITH_AS((void)data_of(data_attributes(wrong)), doctest::Contains(words), Error);
  };
  DatasetInfo wrong = info;
  wrong.shape = {1LL << 40, 1LL << 40};
  refused(wrong, "shape: has a side of");
  wrong = info;
  wrong.standardisation.mean.pop_back();
  refused(wrong, "mean: has 1 entries, expected 2");
  wrong = info;
  wrong.standardisation.deviation[0] = -1;
  refused(wrong, "deviation: is no number to divide by");
  Attributes attributes = data_attributes(info);
  attributes[1].second = h5::Value::text("many");
  CHECK_THROWS_WITH_AS((void)data_of(attributes), doctest::Contains("data_levels: is str"), Error);
  attributes.erase(attributes.begin());
  CHECK_THROWS_WITH_AS((void)data_of(attributes), "shape: is missing", Error);
}
