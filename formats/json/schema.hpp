// The few words of JSON Schema that scripts/schema uses: type, const, enum, required, properties,
// additionalProperties, items, dependentSchemas, and $ref to "#/$defs/NAME". Title, description,
// $schema and $id are for people. Any other word is refused, so that a schema never checks less
// than it says.
#pragma once

#include "formats/json/value.hpp"

#include <string>
#include <vector>

namespace logpx {

struct SchemaViolation {
  std::string path;     // "result.terms.kl.kind", "inputs[0].bytes"; "" is the whole value
  std::string message;  // "is \"guess\", expected one of exact, lower_bound"
};

class JsonSchema {
 public:
  // A schema that uses an unknown word, or a $ref that leads nowhere, is a data error.
  explicit JsonSchema(Json schema);

  // All violations, in the order of the value.
  [[nodiscard]] std::vector<SchemaViolation> violations(const Json& value) const;
  // The first one as a data error: "r.json: seed: is a string, expected integer".
  void check(const Json& value, const std::string& subject) const;

 private:
  void check_words(const Json& schema, const std::string& path) const;
  [[nodiscard]] const Json& resolved(const Json& schema) const;
  void visit(const Json& schema, const Json& value, const std::string& path,
             std::vector<SchemaViolation>& found) const;
  void visit_object(const Json& schema, const Json& value, const std::string& path,
                    std::vector<SchemaViolation>& found) const;

  Json schema_;
};

}  // namespace logpx
