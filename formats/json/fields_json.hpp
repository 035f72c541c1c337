// Fields to and from JSON: the settings in reports, artifacts and --config files.
#pragma once

#include "formats/json/value.hpp"
#include "libcore/base/fields.hpp"

#include <string>
#include <vector>

namespace logpx {

// Every field that can change a result, by its key; "encoder.hidden" becomes a nested object.
// Optional fields that are not set are left out.
[[nodiscard]] Json settings_json(const Fields& fields);

// Reads an object of settings. Unknown keys, wrong types and bad values are usage errors that name
// `file` and the path of the key. Keys of external fields are refused like unknown ones.
void read_settings(Fields& fields, const Json& settings, const std::string& file, Origin origin);

struct SettingChange {
  std::string key, before, now;  // as texts; "absent" on the side without it
};
// What differs between the settings now and those stored in a checkpoint.
[[nodiscard]] std::vector<SettingChange> settings_changes(const Fields& fields, const Json& stored);

}  // namespace logpx
