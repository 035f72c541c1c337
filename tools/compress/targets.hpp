// The names of a run's outputs, most of them derived from names of inputs: each is used once, and
// none is the name of the report or of an input.
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
  // Called before anything is written there. Streams may be claimed again.
  void claim(const std::string& target);

 private:
  std::filesystem::path report_;  // empty: none
  bool has_folder_ = false;       // --output-dir was given
  std::set<std::filesystem::path> claimed_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> inputs_;  // device and inode
};

}  // namespace logpx::compress
