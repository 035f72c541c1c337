// The names that a run gives its outputs, of which most are derived from names of inputs: each is
// given once, and none is that of the report.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace logpx {
class App;
}

namespace logpx::compress {

class Targets {
 public:
  explicit Targets(const App& app);
  // Before anything is written there. Streams may be written to again.
  void claim(const std::string& target);

 private:
  std::filesystem::path report_;  // empty: none
  std::set<std::filesystem::path> claimed_;
};

}  // namespace logpx::compress
