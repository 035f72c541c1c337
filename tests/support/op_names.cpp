// Finds every op of the library by reading its sources: an op that nobody registered cannot hide.
#include "tests/support/gradcheck.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace logpx::gradcheck {
namespace {

// The ways in which an op states its name, up to the opening quote.
constexpr const char* patterns[] = {"name() const override { return \"",
                                    "constexpr const char* name = \""};

void collect(const std::string& text, const std::string& pattern, std::set<std::string>& names) {
  for (std::size_t place = text.find(pattern); place != std::string::npos;
       place = text.find(pattern, place + 1)) {
    const std::size_t line_end = text.find('\n', place);
    const std::size_t open = text.find('"', place);
    if (open >= line_end) continue;
    names.insert(text.substr(open + 1, text.find('"', open + 1) - open - 1));
  }
}

}  // namespace

std::set<std::string> names_in_sources() {
  std::set<std::string> names;
  const std::filesystem::path folder = std::filesystem::path(LOGPX_SOURCE_DIR) / "libcore" / "grad";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp" && entry.path().filename() != "elementwise.hpp")
      continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (const char* pattern : patterns) collect(text, pattern, names);
  }
  return names;
}

}  // namespace logpx::gradcheck
