// Features of 10,000 pictures of 28x28, as extract-features makes them: in blocks, on all threads.
#include "libcore/base/index.hpp"
#include "libcore/features/kinds.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <vector>

namespace logpx::bench {
namespace {

constexpr std::int64_t rows_timed = 10000;

DatasetInfo picture_info() {
  DatasetInfo info;
  info.name = "bench";
  info.shape = {28, 28, 1};
  info.levels = 256;
  info.value_max = 255;
  info.n = rows_timed;
  return info;
}

Rows pictures(const DatasetInfo& info) {
  Rows rows;
  rows.count = info.n;
  rows.x.resize(at(info.n * info.dims()));
  for (std::size_t i = 0; i < rows.x.size(); ++i) rows.x[i] = static_cast<std::byte>(i * i % 251);
  return rows;
}

}  // namespace

void bench_features(Bench& bench) {
  const DatasetInfo info = picture_info();
  const Rows rows = pictures(info);
  Workers workers(2);
  for (const char* words : {"random-conv:1:64", "pixels"}) {
    const auto extractor = make_extractor(parse_extractor(words), {.data = info});
    const std::int64_t width = extractor->info().width, block = extractor->info().block;
    std::vector<float> features(at(rows_timed * width));
    const double seconds = bench.seconds([&] {
      workers.run((rows_timed + block - 1) / block, [&](std::int64_t number) {
        const std::int64_t first = number * block, last = std::min(rows_timed, first + block);
        const Rows part = slice_rows(rows, first, last);
        extractor->extract(
            {info, part, first},
            {std::span(features).subspan(at(first * width), at((last - first) * width))});
      });
    });
    bench.add({.name = std::string(words) + ", 10,000 pictures, two threads (limit 5 s)",
               .value = seconds,
               .unit = "s"});
  }
}

}  // namespace logpx::bench
