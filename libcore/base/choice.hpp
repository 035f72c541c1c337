// What a field may be and when it counts, in code and in the words of a user.
#pragma once

#include <functional>
#include <string>

namespace logpx {

// A word that a field may be, and what it means, in one clause.
struct Choice {
  std::string word, says;
};

// What other settings must say for an option to count.
struct Condition {
  std::function<bool()> holds;
  std::string says;  // "--net unet"
};

}  // namespace logpx
