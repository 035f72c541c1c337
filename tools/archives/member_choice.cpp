#include "tools/archives/member_choice.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "tools/archives/names.hpp"

namespace logpx::compress {
namespace {

constexpr std::size_t most_listed = 10;

// A folder stands for all that is in it.
bool is_meant(const std::string& word, const std::string& name, std::uint64_t number) {
  const std::string folder = word.ends_with('/') ? word : word + '/';
  return !word.empty() && (word == name || word == shown(name) || name.starts_with(folder) ||
                           parse_unsigned(word) == number);
}

}  // namespace

bool MemberChoice::takes(const std::string& name, std::uint64_t number) {
  if (is_everything()) return true;
  names_.try_emplace(number, name.empty() ? "-" : shown(name));
  bool taken = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!is_meant(words_[i], name, number)) continue;
    met_[i] = true;
    taken = true;
  }
  return taken;
}

void MemberChoice::require_all_met() const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (met_[i]) continue;
    std::vector<std::string> names;
    for (const auto& [number, name] : names_) names.push_back(name);
    std::vector<std::string> listed = names;
    if (listed.size() > most_listed) {
      listed.resize(most_listed);
      listed.push_back("... (--list prints all " + std::to_string(names.size()) + ")");
    }
    fail(ErrorKind::usage, "--member",
         "there is no member " + shown(words_[i]) + did_you_mean(words_[i], names),
         "there are " + join_text(listed, ", "));
  }
}

}  // namespace logpx::compress
