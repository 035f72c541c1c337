// Rows of a source as training takes them: all of them, held from the first time that one is
// needed; or chunks of neighbouring rows, of which those that were used last are held.
//
//   RowStore store(file, {.info = info, .first = 0, .count = 60000}, {.rows = 334, .held = 40});
//   store.hold(numbers);                    // the rows of a step, counted from the first
//   const RowPlace place = store.at(17);    // one of them
#pragma once

#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace logpx {

// How many rows a chunk has, and how many chunks are held at once.
struct RowChunks {
  std::int64_t rows = 0, held = 0;  // 0, 0: all rows are held
  [[nodiscard]] bool any() const { return held > 0; }
  friend bool operator==(const RowChunks&, const RowChunks&) = default;
};

// Chunks where `rows` take more than a third of `memory`, which is what they may have; else none.
[[nodiscard]] RowChunks chunks_within(const DatasetInfo& info, std::int64_t rows,
                                      std::int64_t memory);
// The least memory with which rows are cut so.
[[nodiscard]] std::int64_t memory_for(const DatasetInfo& info, std::int64_t rows, RowChunks chunks);
// What `rows` rows take with all their columns.
[[nodiscard]] std::int64_t bytes_of_rows(const DatasetInfo& info, std::int64_t rows);

// Rows of a dataset, from its row `first` on.
struct RowSpan {
  DatasetInfo info;
  std::int64_t first = 0, count = 0;
};

struct RowPlace {
  const Rows& rows;
  std::int64_t from = 0;
};
// Adds x, label and length of a row to others of the same kind.
void append_row(const RowPlace& row, Rows& to);

class RowStore {
 public:
  RowStore(RowSource& source, RowSpan span, RowChunks chunks)
      : source_(source), span_(std::move(span)), chunks_(chunks) {}

  [[nodiscard]] const RowSpan& span() const { return span_; }
  [[nodiscard]] const RowChunks& chunks() const { return chunks_; }
  // What it holds at most.
  [[nodiscard]] std::int64_t bytes() const;

  // Only without chunks: all rows.
  [[nodiscard]] const Rows& all();
  // Rows begin .. end-1; from any thread, while no other store of the same source is used.
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end);
  // The rows that at() is asked for until the next call. Without chunks these may be any.
  void hold(std::span<const std::int64_t> rows);
  [[nodiscard]] RowPlace at(std::int64_t row) const;

  // Who is told how many rows a walk through all of them has passed, which may take minutes.
  void tell_of_walks(std::function<void(std::int64_t)> tell) { tell_ = std::move(tell); }
  void walked(std::int64_t rows) const {
    if (tell_) tell_(rows);
  }

 private:
  struct Chunk {
    std::int64_t number = 0, used = 0;
    Rows rows;
  };
  [[nodiscard]] const Rows& chunk(std::int64_t number);
  [[nodiscard]] Chunk& free_chunk();

  RowSource& source_;
  RowSpan span_;
  RowChunks chunks_;
  std::function<void(std::int64_t)> tell_;
  std::mutex mutex_;
  bool complete_ = false;
  Rows held_;                  // all rows; with chunks those of the step
  std::vector<Chunk> loaded_;  // at most chunks_.held
  std::int64_t uses_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> places_;  // row and its place in held_, sorted
};

}  // namespace logpx
