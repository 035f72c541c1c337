// Mean and deviation of every column of a table that passes by, over rows that are known only when
// it has passed: the splits are cut at its end. The values wait in a file.
#pragma once

#include "formats/import/spool.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace logpx {

class ColumnStatistics {
 public:
  explicit ColumnStatistics(const std::filesystem::path& folder) : spool_(folder) {}
  // Rows of float32; a data error for any others.
  void append(const DatasetInfo& info, const Rows& rows);

  struct Result {
    Standardisation scale;
    std::string rows;                   // "split train" or "all rows"
    std::vector<std::string> constant;  // columns of one value only, whose deviation is 1
  };
  // Over the rows of split train if there is one, else over all rows. Missing values do not count.
  [[nodiscard]] Result finish(const DatasetInfo& info) const;

 private:
  SpoolFile spool_;
};

}  // namespace logpx
