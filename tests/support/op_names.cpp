// Finds every op of the library by reading its sources: an unregistered op cannot hide.
#include "tests/support/gradcheck.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace logpx::gradcheck {
namespace {

// Adds every quoted word between `opening` and the next `closing`.
void collect(const std::string& text, const std::string& opening, char closing,
             std::set<std::string>& names) {
  for (std::size_t place = text.find(opening); place != std::string::npos;
       place = text.find(opening, place + 1)) {
    const std::size_t end = text.find(closing, place + opening.size());
    std::size_t open = text.find('"', place + opening.size());
    while (open < end) {
      const std::size_t close = text.find('"', open + 1);
      names.insert(text.substr(open + 1, close - open - 1));
      open = text.find('"', close + 1);
    }
  }
}

}  // namespace

std::set<std::string> names_in_sources() {
  std::set<std::string> names;
  const std::filesystem::path folder = std::filesystem::path(LOGPX_SOURCE_DIR) / "libcore" / "grad";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    collect(text, "name() const override {", '}', names);
    collect(text, "constexpr const char* name = ", ';', names);
  }
  return names;
}

}  // namespace logpx::gradcheck
