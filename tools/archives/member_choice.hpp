// The members that --member asks for: by name, by folder, or by number from 1.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace logpx::compress {

class MemberChoice {
 public:
  explicit MemberChoice(std::vector<std::string> words)
      : words_(std::move(words)), met_(words_.size()) {}
  [[nodiscard]] bool is_everything() const { return words_.empty(); }
  // Whether a word asks for it; notes the name. May be called again.
  [[nodiscard]] bool takes(const std::string& name, std::uint64_t number);
  // After all members: a usage error for a word that matched none of them.
  void require_all_met() const;

 private:
  std::vector<std::string> words_;
  std::vector<bool> met_;
  std::map<std::uint64_t, std::string> names_;  // of all members, as they are shown
};

}  // namespace logpx::compress
