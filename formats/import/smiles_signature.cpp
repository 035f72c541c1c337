#include "formats/import/smiles_signature.hpp"

#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace logpx {
namespace {

// What stands before the name of a molecule.
std::string first_field(const std::string& line) {
  return line.substr(0, line.find_first_of(" \t"));
}

// The lines that are whole.
std::vector<std::string> whole_lines(std::string_view first) {
  std::vector<std::string> lines = split_text(first, '\n');
  if (!lines.empty()) lines.pop_back();
  for (std::string& line : lines)
    if (line.ends_with('\r')) line.pop_back();
  return lines;
}

bool is_smiles_name(std::string field) {
  std::erase(field, '"');
  field = lower_case(field);
  return field == "smiles" || field.ends_with("_smiles");
}

bool may_be_smiles(const std::string& line) {
  static constexpr std::string_view signs = "BCNOPSFIHlrbcnops[]()=#+-@/\\%.0123456789";
  static constexpr std::string_view begins = "BCNOPSFI[cnops";
  return !line.empty() && begins.find(line.front()) != std::string_view::npos &&
         line.find_first_not_of(signs) == std::string::npos &&
         std::ranges::count(line, '(') == std::ranges::count(line, ')') &&
         std::ranges::count(line, '[') == std::ranges::count(line, ']');
}

bool has_bonds(const std::string& line) { return line.find_first_of("=#(1") != std::string::npos; }

}  // namespace

bool begins_smiles_table(std::string_view first) {
  std::vector<std::string> lines = whole_lines(first);
  if (lines.size() < 2) return false;
  std::string names = lines[0];
  std::ranges::replace_if(
      names, [](char c) { return c == ';' || c == '\t'; }, ',');
  return std::ranges::any_of(split_text(names, ','), is_smiles_name) &&
         lines[1].find(' ') == std::string::npos;
}

bool begins_smiles_list(std::string_view first) {
  std::vector<std::string> lines = whole_lines(first);
  std::ranges::transform(lines, lines.begin(), first_field);
  const auto molecules = std::ranges::count_if(lines, may_be_smiles);
  return molecules >= 3 && 4 * molecules >= 3 * std::ssize(lines) &&
         std::ranges::any_of(lines, has_bonds);
}

}  // namespace logpx
