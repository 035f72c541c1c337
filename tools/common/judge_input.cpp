#include "tools/common/judge_input.hpp"

#include "libcore/base/error.hpp"
#include "tools/common/app.hpp"

#include <utility>

namespace logpx {

FeatureSet open_features(App& app, const std::string& path, const std::string& role) {
  FeatureSet set = read_feature_set(path);
  FileRecord record{.role = role,
                    .path = path,
                    .kind = set.kind,
                    .bytes = {},
                    .content_hash = set.content_hash,
                    .provenance = set.provenance};
  if (set.bytes > 0) record.bytes = set.bytes;
  app.add_input(std::move(record));
  return set;
}

Json qmc_of(const FeatureSet& set) {
  const Json* const inputs = set.provenance.find("inputs");
  if (inputs == nullptr || !inputs->is_array()) return {};
  for (const Json& input : inputs->items()) {
    const Json* const provenance = input.find("provenance");
    const Json* const config = provenance != nullptr ? provenance->find("config") : nullptr;
    const Json* const qmc = config != nullptr ? config->find("qmc") : nullptr;
    if (qmc != nullptr) return *qmc;
  }
  return {};
}

}  // namespace logpx
