#include "libcore/data/dataset.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

using namespace logpx;

namespace {

std::string text_of(const std::vector<Split>& splits) {
  std::string text;
  for (const Split& split : splits)
    text += split.name + '[' + std::to_string(split.begin) + ',' + std::to_string(split.end) + ')';
  return text;
}

}  // namespace

TEST_CASE("splits: counts are cut in order, the last may take the rest") {
  CHECK(text_of(parse_splits("train:5,valid:2", 9)) == "train[0,5)valid[5,7)");
  CHECK(text_of(parse_splits("train:5,test:rest", 9)) == "train[0,5)test[5,9)");
  CHECK_THROWS_WITH_AS((void)parse_splits("train:70,test:1", 60),
                       "--split wants 71 rows, the data have 60", Error);
  CHECK_THROWS_AS((void)parse_splits("train:rest,test:1", 60), Error);
  CHECK_THROWS_AS((void)parse_splits("train:1,train:1", 60), Error);
  CHECK_THROWS_AS((void)parse_splits("train", 60), Error);
  CHECK_THROWS_AS((void)parse_splits(":3", 60), Error);
}

TEST_CASE("splits: ranges lie anywhere, and share rows only when that is allowed") {
  CHECK(text_of(parse_splits("test:6-9,train:0-6", 9)) == "test[6,9)train[0,6)");
  CHECK(text_of(parse_splits("head:0-2,rest:3", 9)) == "head[0,2)rest[2,5)");
  CHECK_THROWS_WITH_AS((void)parse_splits("train:6,small:0-2", 9),
                       "--split: 'train' and 'small' share rows", Error);
  CHECK(text_of(parse_splits("train:6,small:0-2", 9, Overlap::allow)) == "train[0,6)small[0,2)");
  CHECK_THROWS_WITH_AS((void)parse_splits("train:0-10", 9),
                       "--split wants 10 rows, the data have 9", Error);
  CHECK_THROWS_AS((void)parse_splits("train:5-3", 9), Error);
  CHECK_THROWS_AS((void)parse_splits("train:-3", 9), Error);
}

TEST_CASE("splits: the default is ten, one and one of twelve") {
  CHECK(text_of(default_splits(12000)) == "train[0,10000)valid[10000,11000)test[11000,12000)");
  CHECK(text_of(default_splits(1)) == "train[0,1)valid[1,1)test[1,1)");
}
