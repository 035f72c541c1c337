#include "formats/import/row_stages.hpp"

#include "libcore/base/error.hpp"
#include "tests/support/foreign_files.hpp"
#include "tests/support/scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

namespace logpx::row_stages_test {

using namespace logpx::testing;

namespace {

// Rows 0..n-1 of one byte with the row's number as label, handed out `step` at a time.
class CountingRows final : public RowStream {
 public:
  CountingRows(std::int64_t n, std::int64_t step) : n_(n), step_(step) {
    info_.shape = {1, 1, 1};
    info_.levels = 256;
    info_.value_max = 255;
    info_.has_labels = true;
  }
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    for (; rows.count < step_ && at_ < n_; ++at_, ++rows.count) {
      rows.x.push_back(static_cast<std::byte>(at_ % 256));
      rows.y.push_back(static_cast<std::int32_t>(at_));
    }
    info_.n = at_;
    return rows.count > 0;
  }

 private:
  std::int64_t n_, step_, at_ = 0;
  DatasetInfo info_;
};

std::vector<std::int32_t> labels_of(RowStream& stream) {
  std::vector<std::int32_t> labels;
  for (Rows rows; stream.next(rows);) {
    REQUIRE(rows.x.size() == rows.y.size());
    for (std::size_t i = 0; i < rows.y.size(); ++i)
      REQUIRE(rows.x[i] == static_cast<std::byte>(rows.y[i] % 256));
    labels.insert(labels.end(), rows.y.begin(), rows.y.end());
  }
  CHECK(stream.info().n == static_cast<std::int64_t>(labels.size()));
  return labels;
}

}  // namespace

TEST_CASE("row stages: --rows and --limit choose the same rows however the stream is cut") {
  for (const std::int64_t step : {1, 3, 100}) {
    const auto chosen = [&](std::optional<RowRange> rows, std::optional<std::int64_t> limit) {
      CountingRows source(10, step);
      ChosenRows stage(source, {rows, limit});
      return labels_of(stage);
    };
    CHECK(chosen(RowRange{3, 6}, {}) == std::vector<std::int32_t>{3, 4, 5});
    CHECK(chosen(RowRange{7, -1}, {}) == std::vector<std::int32_t>{7, 8, 9});
    CHECK(chosen(RowRange{3, 9}, 2) == std::vector<std::int32_t>{3, 4});
    CHECK(chosen({}, 100).size() == 10);
    CHECK_THROWS_WITH_AS((void)chosen(RowRange{5, 11}, {}),
                         "--rows 5:11 reaches beyond the 10 rows", Error);
    CHECK_THROWS_WITH_AS((void)chosen(RowRange{10, -1}, {}),
                         "--rows 10: reaches beyond the 10 rows", Error);
  }
  CountingRows source(10, 1);
  CHECK_THROWS_WITH_AS(ChosenRows(source, {RowRange{4, 4}}), "--rows and --limit leave no rows",
                       Error);
}

TEST_CASE("row stages: a shuffle is the permutation of its seed, and leaves no file") {
  const ScratchFolder folder;
  const Substream bits = Rng(7).stream(Stream::shuffle);
  CountingRows source(5000, 64);
  ShuffledRows stage(source, bits, folder / "");
  const std::vector<std::int32_t> labels = labels_of(stage);
  const std::vector<std::uint32_t> order = permutation(5000, bits);
  CHECK(std::equal(
      labels.begin(), labels.end(), order.begin(), order.end(),
      [](std::int32_t a, std::uint32_t b) { return static_cast<std::uint32_t>(a) == b; }));
  {
    CountingRows again(10, 1);
    const ShuffledRows other(again, bits, folder / "");
    CHECK(std::distance(std::filesystem::directory_iterator(folder / ""), {}) == 2);
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder / ""), {}) == 1);
}

TEST_CASE("row stages: rows that are chosen or shuffled keep their number in the source") {
  const ScratchFolder folder;
  const auto sources = [](RowStream& stream) {
    std::vector<std::int64_t> all;
    for (Rows rows; stream.next(rows);) {
      if (stream.info().has_source_rows)
        CHECK(std::equal(rows.source.begin(), rows.source.end(), rows.y.begin(), rows.y.end()));
      all.insert(all.end(), rows.source.begin(), rows.source.end());
    }
    CHECK(stream.info().has_source_rows == !all.empty());
    return all.size();
  };
  CountingRows whole(10, 3), head(10, 3), shuffled(10, 3), both(10, 3);
  ChosenRows first(whole, {{}, 4}), later(head, {RowRange{2, 7}});
  CHECK(sources(first) == 0);
  CHECK(sources(later) == 5);
  const Substream bits = Rng(7).stream(Stream::shuffle);
  ShuffledRows mixed(shuffled, bits, folder / "");
  CHECK(sources(mixed) == 10);
  ChosenRows chosen(both, {RowRange{2, 7}});
  ShuffledRows twice(chosen, bits, folder / "");
  CHECK(sources(twice) == 5);
}

TEST_CASE("row stages: binarised rows have two levels and follow the rules of libcore") {
  CountingRows source(300, 7), drawn(300, 7);
  BinarisedRows threshold(source, parse_binarisation("threshold:100"));
  BinarisedRows fixed(drawn, parse_binarisation("static"));
  CHECK(threshold.info().levels == 2);
  CHECK(threshold.info().value_max == 1);
  Rows rows;
  std::vector<std::uint8_t> expected(300);
  for (std::size_t i = 0; i < 300; ++i) expected[i] = static_cast<std::uint8_t>(i % 256);
  binarise_by_draw(expected, 0, evaluation_bits());
  for (std::size_t at = 0; threshold.next(rows); at += static_cast<std::size_t>(rows.count))
    for (std::size_t i = 0; i < rows.x.size(); ++i)
      REQUIRE(std::to_integer<int>(rows.x[i]) == ((at + i) % 256 >= 100 ? 1 : 0));
  for (std::size_t at = 0; fixed.next(rows); at += static_cast<std::size_t>(rows.count))
    for (std::size_t i = 0; i < rows.x.size(); ++i)
      REQUIRE(std::to_integer<int>(rows.x[i]) == expected[at + i]);
  CHECK_THROWS_AS(BinarisedRows(source, parse_binarisation("dynamic")), Error);
}

}  // namespace logpx::row_stages_test
