#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace logpx::golden {
namespace {

// The file in the named folder or, if it has none, ours, so that no test is skipped.
std::filesystem::path path_of(const std::string& file) {
  const std::string name = file + ".json";
  if (const char* folder = std::getenv("LOGPX_GOLDEN_DIR"))
    if (std::filesystem::exists(std::filesystem::path(folder) / name))
      return std::filesystem::path(folder) / name;
  return std::filesystem::path(LOGPX_SOURCE_DIR) / "tests" / "golden" / name;
}

const Json* whole(const std::string& file) {
  static std::map<std::string, std::optional<Json>> read_so_far;
  const auto [place, fresh] = read_so_far.try_emplace(file);
  if (fresh) {
    const std::filesystem::path path = path_of(file);
    if (std::ifstream in(path, std::ios::binary); in) {
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      place->second = Json::parse(text, path.string());
    }
  }
  return place->second ? &*place->second : nullptr;
}

}  // namespace

const Json* field(const std::string& file, const std::string& name) {
  const Json* object = whole(file);
  const Json* found = object ? object->find(name) : nullptr;
  if (!found) MESSAGE("skipped: " << file << ".json has no field " << name);
  return found;
}

double real(const Json& value) {
  return value.is_string() ? std::strtod(value.string().c_str(), nullptr) : value.number();
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace logpx::golden
