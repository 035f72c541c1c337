// Tables of how common neighbourhoods of atoms are, by which synthetic accessibility is scored: the
// one that RDKit's data bring, and those of a user's own molecules.
#pragma once

#include "libcore/mol/drug_likeness.hpp"

#include <optional>
#include <string>

namespace logpx {

struct SaTable {
  FragmentScores scores = {};
  bool is_custom = false;  // made of other molecules than RDKit's table, by mol-metrics
  std::string hash = {};   // content hash, or SHA-256 of a foreign file
};

// fpscores.pkl.gz as RDKit's data have it, or a file of --build-sa-table (logpx-basis(5)). A data
// error names the line where the file is no such table.
[[nodiscard]] SaTable read_sa_table(const std::string& path);
// Where RDKit's data had it when this was built; empty where they were absent.
[[nodiscard]] std::string usual_sa_table();

inline constexpr const char* sa_table_extractor = "sa-table";  // as a basis says it

}  // namespace logpx
