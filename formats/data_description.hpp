// What a model knows about its data (libcore/data/description.hpp) in the two forms that are kept:
// attributes data_NAME of a model file, and the JSON inside an archive's embedded model.
#pragma once

#include "formats/json/value.hpp"
#include "formats/named_tensors.hpp"
#include "libcore/data/dataset.hpp"

namespace logpx {

[[nodiscard]] Attributes data_attributes(const DatasetInfo& data);
[[nodiscard]] Json data_json(const DatasetInfo& data);

// The way back. Anyone may have written these: a data error where they make no sense.
[[nodiscard]] DatasetInfo data_of(const Attributes& attributes);
[[nodiscard]] DatasetInfo data_of(const Json& json);

}  // namespace logpx
