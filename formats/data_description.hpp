// What a model knows about its data (libcore/data/description.hpp) in the forms that are kept:
// attributes data_NAME of a model file, the JSON inside an archive's embedded model, and tables of
// a dataset.
#pragma once

#include "formats/artifact.hpp"
#include "formats/json/value.hpp"
#include "formats/named_tensors.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/data/description.hpp"

#include <string>
#include <vector>

namespace logpx {

[[nodiscard]] Attributes data_attributes(const DatasetInfo& data);
[[nodiscard]] Json data_json(const DatasetInfo& data);

// The way back. Anyone may have written these: a data error where they make no sense.
[[nodiscard]] DatasetInfo data_of(const Attributes& attributes);
[[nodiscard]] DatasetInfo data_of(const Json& json);

// Each of these facts as a table PREFIXname of an artifact, where there is something to keep; and
// the way back.
void write_facts(ArtifactWriter& artifact, const std::string& prefix,
                 const std::vector<DataFact>& facts, const DatasetInfo& data);
void read_facts(const ArtifactFile& artifact, const std::string& prefix,
                const std::vector<DataFact>& facts, DatasetInfo& data);

}  // namespace logpx
