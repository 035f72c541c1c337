#include "libcore/data/row_store.hpp"

#include "libcore/base/rng.hpp"
#include "libcore/model/task_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

namespace logpx::row_store_test {
namespace {

constexpr std::int64_t count = 23;

DatasetInfo numbered_info() {
  DatasetInfo info;
  info.content = Content::vector;
  info.element = Element::u16;
  info.levels = 65536;
  info.shape = {2};
  info.n = count;
  info.has_labels = true;
  return info;
}

// Row r is (r, 100 r) with label -r, and a latent that training does not read.
class NumberedRows final : public RowSource {
 public:
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) override {
    ++reads;
    Rows rows;
    rows.count = end - begin;
    rows.x.resize(static_cast<std::size_t>(rows.count) * info_.row_bytes());
    for (std::int64_t row = begin; row < end; ++row) {
      const auto place = static_cast<std::size_t>(2 * (row - begin));
      rows.values<std::uint16_t>()[place] = static_cast<std::uint16_t>(row);
      rows.values<std::uint16_t>()[place + 1] = static_cast<std::uint16_t>(100 * row);
      rows.y.push_back(static_cast<std::int32_t>(-row));
      rows.latent.push_back(0.5F);
    }
    return rows;
  }
  int reads = 0;

 private:
  DatasetInfo info_ = numbered_info();
};

bool is_row(const RowPlace& place, std::int64_t row) {
  const auto x = place.rows.values<std::uint16_t>();
  const auto at = static_cast<std::size_t>(place.from);
  return x[2 * at] == row && x[2 * at + 1] == 100 * row && place.rows.y[at] == -row;
}

}  // namespace

TEST_CASE("row store: the rows of a step are those of the source, held or in chunks") {
  for (const RowChunks chunks : {RowChunks{}, RowChunks{.rows = 4, .held = 2}}) {
    CAPTURE(chunks.held);
    NumberedRows source;
    RowStore store(source, {.info = source.info(), .first = 3, .count = 19}, chunks);
    for (std::uint32_t step = 0; step < 20; ++step) {
      std::vector<std::int64_t> rows;
      for (const std::uint32_t row : permutation(19, Rng(1).stream(Stream::test, step)))
        if (rows.size() < 5) rows.push_back(row);
      store.hold(rows);
      for (const std::int64_t row : rows) CHECK(is_row(store.at(row), 3 + row));
    }
    const Rows some = store.read(7, 11);
    CHECK(some.count == 4);
    for (std::int64_t i = 0; i < 4; ++i) CHECK(is_row({some, i}, 3 + 7 + i));
  }
}

TEST_CASE("row store: rows that are held are read once, and not before one is needed") {
  NumberedRows source;
  RowStore store(source, {.info = source.info(), .first = 0, .count = count}, {});
  CHECK(store.bytes() == count * 4);
  CHECK(source.reads == 0);
  store.hold({});
  CHECK(store.read(0, 2).count == 2);
  CHECK(store.all().count == count);
  CHECK(source.reads == 1);
}

TEST_CASE("row store: a walk through all chunks says how far it is") {
  NumberedRows source;
  RowStore store(source, {.info = source.info(), .first = 2, .count = 9}, {.rows = 4, .held = 2});
  std::vector<std::int64_t> told, seen;
  store.tell_of_walks([&](std::int64_t rows) { told.push_back(rows); });
  TaskRows(store).visit([&](const Examples& part) {
    for (std::int64_t i = 0; i < part.rows.count; ++i)
      CHECK(is_row({part.rows, i}, part.first + i));
    seen.push_back(part.first);
  });
  CHECK(seen == std::vector<std::int64_t>{2, 6, 10});
  CHECK(told == std::vector<std::int64_t>{4, 8, 9});
}

TEST_CASE("row store: chunks that were used last stay") {
  NumberedRows source;
  RowStore store(source, {.info = source.info(), .first = 0, .count = count},
                 {.rows = 4, .held = 2});
  const auto reads_for = [&](std::vector<std::int64_t> rows) {
    const int before = source.reads;
    store.hold(rows);
    return source.reads - before;
  };
  CHECK(reads_for({0, 5, 3}) == 2);
  CHECK(reads_for({7, 1}) == 0);
  CHECK(reads_for({22}) == 1);  // in place of the chunk of 7
  CHECK(reads_for({1, 21}) == 0);
  CHECK(reads_for({7}) == 1);
}

TEST_CASE("row store: rows beyond a third of memory come in chunks that take no more than it") {
  DatasetInfo info = numbered_info();
  info.shape = {std::int64_t{1} << 15};  // 64 KiB, and a label
  constexpr std::int64_t rows = 300;
  const std::int64_t bytes = bytes_of_rows(info, rows);
  CHECK(bytes == rows * 65540);
  CHECK(chunks_within(info, rows, 3 * bytes) == RowChunks{});
  for (const std::int64_t memory : {3 * bytes - 1, bytes, bytes / 10}) {
    const RowChunks chunks = chunks_within(info, rows, memory);
    CHECK(chunks.rows == 4);
    const std::int64_t held = bytes_of_rows(info, chunks.rows * chunks.held);
    CHECK(3 * held <= memory);
    CHECK(3 * (held + bytes_of_rows(info, chunks.rows)) > memory);
    CHECK(chunks_within(info, rows, memory_for(info, rows, chunks)) == chunks);
  }
  CHECK(memory_for(info, rows, {}) == 3 * bytes);
  CHECK(chunks_within(info, rows, 1) == RowChunks{.rows = 4, .held = 1});
}

}  // namespace logpx::row_store_test
