// What the contract test tries of each family: by name, so that the families know nothing of it.
#pragma once

#include "libcore/families/family.hpp"

#include <string>
#include <vector>

namespace logpx::testing {

// The family with its preset `tiny`, and once more for each of its models that can do more. One
// that has no entry in the table comes alone.
[[nodiscard]] std::vector<Family> trials_of(const Family& family);
// Settings that keep the plans of its models cheap: each plan takes those that it knows.
[[nodiscard]] std::vector<std::string> light_knobs(const std::string& family);

}  // namespace logpx::testing
