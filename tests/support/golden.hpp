// Reference numbers from tests/golden (or the folder that LOGPX_GOLDEN_DIR names): all parameters
// and expectations of a golden test come from the file, so that any file of the same form will do.
#pragma once

#include "formats/json/value.hpp"

#include <string>

namespace logpx::golden {

// Field `name` of FILE.json. When the file or the field is missing, says so and gives nullptr: the
// case is then skipped.   if (const Json* cases = golden::field("coding", "exp")) ...
[[nodiscard]] const Json* field(const std::string& file, const std::string& name);

// A real number: as JSON has it, or as a C hexadecimal float in a string.
[[nodiscard]] double real(const Json& value);

// Equal bit for bit: tells 0 from -0, and is true for equal NaNs.
[[nodiscard]] bool same_bits(double a, double b);

}  // namespace logpx::golden
