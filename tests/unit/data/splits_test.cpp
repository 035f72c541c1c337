#include "libcore/data/splits.hpp"

#include "libcore/base/error.hpp"

#include <doctest/doctest.h>

namespace logpx::splits_test {
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
                       "--split needs 71 rows, the data have 60", Error);
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
                       "--split needs 10 rows, the data have 9", Error);
  CHECK_THROWS_AS((void)parse_splits("train:5-3", 9), Error);
  CHECK_THROWS_AS((void)parse_splits("train:-3", 9), Error);
}

TEST_CASE("splits: shares are cut where they end, so that nothing is lost between them") {
  CHECK(text_of(parse_splits("train:80%,test:rest", 9)) == "train[0,7)test[7,9)");
  CHECK(text_of(parse_splits("a:50%,b:50%", 3)) == "a[0,2)b[2,3)");
  CHECK(text_of(parse_splits("a:33.3%,b:33.3%,c:33.4%", 100)) == "a[0,33)b[33,67)c[67,100)");
  CHECK(text_of(parse_splits("test:10,train:50%", 100)) == "test[0,10)train[10,60)");
  CHECK_THROWS_WITH_AS((void)parse_splits("train:80%,test:30%", 60),
                       "--split needs 66 rows, the data have 60", Error);
  for (const char* wrong : {"train:101%", "train:-1%", "train:%", "train:x%"})
    CHECK_THROWS_WITH_AS((void)parse_splits(wrong, 60),
                         doctest::Contains("is not NAME:COUNT, NAME:SHARE% or NAME:A-B"), Error);
}

TEST_CASE("splits: a class that one split lacks and another has is worth a warning") {
  DatasetInfo info;
  info.has_labels = true;
  info.splits = parse_splits("train:4,test:rest", 6);
  CHECK(lacking_classes(info, std::vector<std::int32_t>{0, 1, 0, 1, 1, 0}).empty());
  info.label_names = {"cat", "dog", "hen"};
  CHECK(lacking_classes(info, std::vector<std::int32_t>{0, 1, 2, 1, 0, 0}) ==
        std::vector<std::string>{
            "split test has no row of class 1 (dog) and 1 more, which other splits have"});
  info.splits = parse_splits("train:6,test:rest", 6);
  CHECK(lacking_classes(info, std::vector<std::int32_t>{0, 1, 2, 1, 0, 0}).empty());
}

TEST_CASE("splits: the default is ten, one and one of twelve") {
  CHECK(text_of(default_splits(12000)) == "train[0,10000)valid[10000,11000)test[11000,12000)");
  CHECK(text_of(default_splits(1)) == "train[0,1)valid[1,1)test[1,1)");
}

}  // namespace logpx::splits_test
