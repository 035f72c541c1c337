#include "formats/import/formats.hpp"

#include <algorithm>

namespace logpx {

// The list, in the order in which people see it. Each is made in the file of its reader.
namespace foreign {
ImportFormat idx();
ImportFormat cifar10();
ImportFormat mat();
ImportFormat images();
ImportFormat npy();
ImportFormat npz();
ImportFormat csv();
ImportFormat smiles();
ImportFormat text();
ImportFormat bytes();
}  // namespace foreign

std::span<const ImportFormat> import_formats() {
  using namespace foreign;
  static const std::vector<ImportFormat> all = {idx(), cifar10(), mat(),    images(), npy(),
                                                npz(), csv(),     smiles(), text(),   bytes()};
  return all;
}

bool ImportFormat::takes(std::string_view option) const {
  return std::ranges::find(options, option) != options.end();
}

std::vector<Choice> format_choices() {
  std::vector<Choice> choices = {{"auto", "what the first bytes say"}};
  for (const ImportFormat& format : import_formats())
    choices.push_back({std::string(format.word), std::string(format.says)});
  return choices;
}

const ImportFormat* find_format(std::string_view word) {
  const auto found = std::ranges::find(import_formats(), word, &ImportFormat::word);
  return found == import_formats().end() ? nullptr : &*found;
}

std::vector<std::string> formats_with(std::string_view option) {
  std::vector<std::string> words;
  for (const ImportFormat& format : import_formats())
    if (format.takes(option)) words.emplace_back(format.word);
  return words;
}

}  // namespace logpx
