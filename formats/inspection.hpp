// What inspect says about an artifact.
#pragma once

#include "formats/artifact.hpp"
#include "formats/json/value.hpp"

#include <string>

namespace logpx {

// kind, schema, attributes, tables (type, shape, bytes, range), splits, number of parameters.
[[nodiscard]] Json describe_artifact(const ArtifactFile& file);

// Reads everything and checks content hash, provenance, and all that readers of this kind check.
void check_artifact(ArtifactFile file);

// A report (JSON) or a training history (JSON lines); `name` is for messages.
struct TextFacts {
  std::string kind;  // "report" or "history"
  Json facts;        // kind, schema or lines ...
  Json provenance;   // a report without its result; null for a history
};
[[nodiscard]] TextFacts describe_text(const std::string& text, const std::string& name);

}  // namespace logpx
