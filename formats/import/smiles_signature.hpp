// What lists and tables of SMILES begin with, as far as that can be told from other texts.
#pragma once

#include <string_view>

namespace logpx {

// A line of names with one that is SMILES, and below it no line of words.
[[nodiscard]] bool begins_smiles_table(std::string_view first);
// At least three lines, and three of four, begin with letters and signs of SMILES.
[[nodiscard]] bool begins_smiles_list(std::string_view first);

}  // namespace logpx
