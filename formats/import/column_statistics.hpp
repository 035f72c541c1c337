// Mean and deviation of every column of a table as it is read, over rows that are known only at its
// end, when splits are cut. Until then the values wait in a file.
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
  // Adds rows of float32; a data error for any others.
  void append(const DatasetInfo& info, const Rows& rows);

  struct Result {
    Standardisation scale;
    std::string rows;                   // "split train" or "all rows"
    std::vector<std::string> constant;  // columns of one value only, whose deviation is 1
  };
  // Taken over split train if there is one, else over all rows. Missing values do not count.
  [[nodiscard]] Result finish(const DatasetInfo& info) const;

 private:
  SpoolFile spool_;
};

}  // namespace logpx
