#include "formats/import/column_statistics.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/stop.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace logpx {
namespace {

constexpr std::int64_t column_chunk_bytes = 4 << 20;

// Calls take(column, value) for the values of these rows that are not missing.
void each_value(const SpoolFile& spool, const DatasetInfo& info, const Split& rows,
                const std::function<void(std::size_t, double)>& take) {
  const std::int64_t dims = info.dims(), width = dims * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t step = std::max<std::int64_t>(1, column_chunk_bytes / width);
  std::vector<float> values;
  for (std::int64_t begin = rows.begin; begin < rows.end; begin += step) {
    stop::check();
    const std::int64_t count = std::min(step, rows.end - begin);
    values.resize(static_cast<std::size_t>(count * dims));
    spool.read_at(static_cast<std::uint64_t>(begin * width),
                  std::as_writable_bytes(std::span(values)));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isnan(values[i]))
        take(i % static_cast<std::size_t>(dims), static_cast<double>(values[i]));
  }
}

}  // namespace

void ColumnStatistics::append(const DatasetInfo& info, const Rows& rows) {
  if (info.content != Content::vector)
    fail(ErrorKind::usage, "--standardise",
         std::string("is for columns of real numbers; these are ") + word_of(info.content),
         info.column_words.empty() ? "--content vector" : "");
  spool_.append(rows.x);
}

ColumnStatistics::Result ColumnStatistics::finish(const DatasetInfo& info) const {
  const auto dims = static_cast<std::size_t>(info.dims());
  const Split all{"", 0, info.n};
  const Split* train = info.find_split("train");
  const Split& rows = train != nullptr && train->begin < train->end ? *train : all;
  std::vector<double> count(dims), mean(dims), squares(dims);
  each_value(spool_, info, rows, [&](std::size_t column, double value) {
    count[column] += 1;
    mean[column] += value;
  });
  for (std::size_t c = 0; c < dims; ++c) mean[c] /= std::max(count[c], 1.0);
  each_value(spool_, info, rows, [&](std::size_t column, double value) {
    squares[column] += (value - mean[column]) * (value - mean[column]);
  });
  const auto words = info.column_words.by_column(info.dims());
  Result result;
  result.rows = &rows == &all ? "all rows" : "split train";
  for (std::size_t c = 0; c < dims; ++c) {
    result.scale.mean.push_back(words[c].empty() ? mean[c] : 0);
    if (!words[c].empty()) {  // words have neither mean nor deviation
      result.scale.deviation.push_back(1);
      continue;
    }
    const double deviation = std::sqrt(squares[c] / std::max(count[c], 1.0));
    const bool varies = deviation > 0;
    result.scale.deviation.push_back(varies ? deviation : 1);
    const bool named = !info.column_names.empty();
    if (!varies) result.constant.push_back(named ? info.column_names[c] : std::to_string(c + 1));
  }
  return result;
}

}  // namespace logpx
