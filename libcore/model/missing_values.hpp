// The error of models that cannot sum over missing values.
#pragma once

#include "libcore/base/error.hpp"
#include "libcore/data/dataset.hpp"

#include <string>

namespace logpx {

// A data error if values are missing; `model` in words: "a VAE".
inline void refuse_missing(const DatasetInfo& data, const std::string& model) {
  if (data.has_missing)
    fail(ErrorKind::data, data.name, "has missing values; " + model + " takes none",
         "train-pc takes rows with missing values, pack-data --missing drop-row leaves them out");
}

}  // namespace logpx
