#include "tools/sessions/molecule_words.hpp"

#include "libcore/base/shown_name.hpp"

#include <array>

namespace logpx {
namespace {

struct KeyWords {
  const char *key, *name, *says;
};
constexpr std::array key_words = {
    KeyWords{"validity", "valid", "share of all lines that are molecules"},
    KeyWords{"validity_strict", "valid as drawn", "without restoring charges of N and O"},
    KeyWords{"validity_connected", "valid, one piece", "and all atoms hang together"},
    KeyWords{"uniqueness", "unique", "different ones among the valid"},
    KeyWords{"unique@1000", "unique of 1000", "among the first 1,000 valid"},
    KeyWords{"unique@10000", "unique of 10000", "among the first 10,000 valid"},
    KeyWords{"novelty", "new", "different ones that are not in --train"},
    KeyWords{"IntDiv", "IntDiv", "how different they are: 1 - mean similarity"},
    KeyWords{"IntDiv2", "IntDiv2", "the same with squared similarities"},
    KeyWords{"sim_pair.morgan", "pairs, Morgan", "mean similarity of two of them"},
    KeyWords{"sim_pair.path", "pairs, paths", "the same by RDKit's paths"},
    KeyWords{"sim_pair.maccs", "pairs, MACCS", "the same by MACCS keys"},
    KeyWords{"circles", "circles", "how many are more than 0.75 apart"},
    KeyWords{"SNN", "SNN", "similarity to the nearest of the test set"},
    KeyWords{"Scaf", "Scaf", "scaffolds in common (1: the same shares)"},
    KeyWords{"Frag", "Frag", "BRICS pieces in common (1: the same shares)"},
    KeyWords{"FDD", "FDD", "Frechet distance of 32 descriptors"},
    KeyWords{"FMD", "FMD", "Frechet distance of Morgan's environments"},
    KeyWords{"NSPDK", "NSPDK", "MMD of pairs of neighbourhoods"},
    KeyWords{"FCD", "FCD", "Frechet ChemNet distance"},
    KeyWords{"fcd_score", "", ""},
    KeyWords{"IntDiv2_moses", "", ""},
};

struct PropertyWords {
  const char *name, *unit, *says;
};
constexpr std::array property_words = {
    PropertyWords{"QED", "QED", "0 to 1: how much like a drug"},
    PropertyWords{"SA", "SA", "1 to 10: how hard to make"},
    PropertyWords{"logP", "logP", "octanol over water"},
    PropertyWords{"TPSA", "square angstrom", "polar surface"},
    PropertyWords{"MW", "g/mol", "molecular weight"},
};

}  // namespace

std::optional<MeasureWords> words_of_measure(const std::string& key) {
  for (const auto& [known, name, says] : key_words)
    if (key == known) return *name == 0 ? std::nullopt : std::optional(MeasureWords{name, says});
  return MeasureWords{key, ""};
}

std::string unit_of_property(const std::string& property) {
  for (const PropertyWords& one : property_words)
    if (property == one.name) return one.unit;
  return property;
}

std::string says_of_property(const std::string& property) {
  for (const PropertyWords& one : property_words)
    if (property == one.name) return one.says;
  return "";
}

std::string shown_molecule(const std::string& text) {
  constexpr std::size_t most = 120;
  if (text.size() <= most) return shown_name(text);
  return shown_name(text.substr(0, most)) + "...";
}

}  // namespace logpx
