#include "formats/import/atom_vocabulary.hpp"

#include "formats/data_description.hpp"
#include "formats/dataset_file.hpp"
#include "formats/file/input.hpp"
#include "formats/json/value.hpp"
#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/data/molecule_rows.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace logpx {
namespace {

struct KnownVocabulary {
  const char* word;
  std::vector<std::string> elements;
  std::int64_t most_atoms;
};

// What papers call QM9 and ZINC250k.
const std::vector<KnownVocabulary>& known_vocabularies() {
  static const std::vector<KnownVocabulary> all = {
      {"qm9", {"C", "N", "O", "F"}, 9},
      {"zinc250k", {"C", "N", "O", "F", "P", "S", "Cl", "Br", "I"}, 38}};
  return all;
}

// "Cl": a capital, and perhaps small letters.
bool is_element(std::string_view text) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !text.empty() && text.size() <= 3 && text[0] >= 'A' && text[0] <= 'Z' &&
         std::ranges::all_of(text.substr(1), is_small);
}

// The parts between blanks and commas.
std::vector<std::string> words_of(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == ',' || c == '\n' || c == '\t' || c == '\r'; }, ' ');
  std::vector<std::string> words = split_text(text, ' ');
  std::erase(words, "");
  return words;
}

std::string lines_of_json(const std::string& text, const std::string& path) {
  std::vector<std::string> lines;
  const Json json = Json::parse(text, path);
  for (const Json& item : json.items()) lines.push_back(item.string());
  return join_text(lines, "\n");
}

std::size_t place_of_element(const std::string& element) {
  const std::vector<std::string> known = element_symbols();
  return static_cast<std::size_t>(std::ranges::find(known, element) - known.begin());
}

// Usual atoms first, in the order of the elements, as vocabularies without charges have them.
bool comes_first(const AtomType& a, const AtomType& b) {
  const auto rank = [](const AtomType& type) {
    return std::tuple(type.charge != 0 || type.hydrogens != usual_hydrogens,
                      place_of_element(type.element), type.element, type.charge, type.hydrogens);
  };
  return rank(a) < rank(b);
}

}  // namespace

AtomVocabulary::AtomVocabulary(const std::string& asked, std::optional<bool> charges) {
  charges_ = charges.value_or(asked == "auto");
  if (asked == "auto") return;
  for (const KnownVocabulary& known : known_vocabularies())
    if (asked == known.word) {
      elements_ = known.elements;
      most_atoms_ = known.most_atoms;
      return;
    }
  std::error_code failed;
  const std::vector<std::string> words = words_of(asked);
  if (!words.empty() && std::ranges::all_of(words, is_element) &&
      !std::filesystem::exists(asked, failed)) {
    elements_ = words;
    return;
  }
  read_file(asked);
  if (fixed_ && charges && *charges != fixed_->tells_charges())
    fail(ErrorKind::usage, "--vocab-charges",
         "says otherwise than " + asked + ", whose atoms are " + fixed_->names());
  if (fixed_) charges_ = fixed_->tells_charges();
}

void AtomVocabulary::read_file(const std::string& path) {
  if (path.ends_with(".h5")) {
    ArtifactFile artifact(path);
    if (artifact.kind() == ArtifactKind::model)
      return take_data(data_of(ModelFile(std::move(artifact)).attributes()), path);
    return take_data(DatasetFile(std::move(artifact)).info(), path);
  }
  const std::string text = read_text_file(path);
  const bool json = text.find_first_not_of(" \t\r\n") == text.find('[') && !text.empty();
  std::string lines = json ? lines_of_json(text, path) : text;
  const std::vector<std::string> words = words_of(lines);
  if (!words.empty() && std::ranges::all_of(words, is_element)) {
    elements_ = words;
    return;
  }
  while (lines.ends_with('\n')) lines.pop_back();
  try {
    fixed_ = AtomTypes::parse(lines);
  } catch (const Error& error) {
    throw error.within(path);
  }
}

void AtomVocabulary::take_data(const DatasetInfo& data, const std::string& path) {
  if (data.content != Content::molecules)
    fail(ErrorKind::data, path, std::string("is of ") + word_of(data.content) + ", not molecules");
  fixed_ = atom_types_of(data);
  most_atoms_ = longest_example(data);
}

AtomType AtomVocabulary::kind_of(const AtomType& type) const {
  return charges_ ? type : AtomType{.element = type.element};
}

bool AtomVocabulary::knows_element(const std::string& element) const {
  if (!is_element(element) || (element == "H" && !fixed_)) return false;
  if (!elements_.empty()) return std::ranges::find(elements_, element) != elements_.end();
  if (!fixed_) return true;
  for (std::int64_t i = 0; i < fixed_->size(); ++i)
    if ((*fixed_)[i].element == element) return true;
  return false;
}

bool AtomVocabulary::takes(const AtomType& type) const {
  if (!knows_element(type.element)) return false;
  return !fixed_ || fixed_->find(kind_of(type)).has_value();
}

std::uint8_t AtomVocabulary::add(const AtomType& type) {
  const AtomType kind = kind_of(type);
  const auto known = std::ranges::find(found_, kind);
  const auto ticket = known - found_.begin();
  if (known == found_.end()) found_.push_back(kind);
  if (ticket >= most_atom_types)
    fail(ErrorKind::data, "",
         "more than " + std::to_string(most_atom_types) +
             " kinds of atoms occur, which no dataset tells apart");
  return static_cast<std::uint8_t>(ticket);
}

AtomTypes AtomVocabulary::types() const {
  if (fixed_) return *fixed_;
  std::vector<AtomType> found = found_, all;
  std::ranges::sort(found, comes_first);
  const auto add = [&all](const AtomType& type) {
    if (std::ranges::find(all, type) == all.end()) all.push_back(type);
  };
  for (const std::string& element : elements_) add({.element = element});
  for (const AtomType& type : found) add(type);
  if (std::ssize(all) > most_atom_types)
    fail(ErrorKind::usage, "--vocab",
         "makes " + std::to_string(all.size()) + " kinds of atoms, at most " +
             std::to_string(most_atom_types) + " can be told apart");
  return AtomTypes(std::move(all));
}

std::vector<std::uint8_t> AtomVocabulary::numbers(const AtomTypes& types) const {
  std::vector<std::uint8_t> numbers;
  for (const AtomType& type : found_) numbers.push_back(types.find(type).value());
  return numbers;
}

}  // namespace logpx
