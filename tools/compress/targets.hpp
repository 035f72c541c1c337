// The names that a run gives its outputs, of which most are derived from names of inputs: each is
// given once, and none is that of the report or of an input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

namespace logpx {
class App;
}

namespace logpx::compress {

class Targets {
 public:
  explicit Targets(const App& app);
  void protect(const std::string& input);
  // Before anything is written there. Streams may be written to again.
  void claim(const std::string& target);

 private:
  std::filesystem::path report_;  // empty: none
  bool has_folder_ = false;       // --output-dir was given
  std::set<std::filesystem::path> claimed_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> inputs_;  // device and inode
};

}  // namespace logpx::compress
