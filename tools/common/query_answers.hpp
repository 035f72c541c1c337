// What query-pc computes: a table with a line for every row, value or step, and where it fills
// rows, these.   [spec/pc.md section 9]
#pragma once

#include "formats/text_table.hpp"
#include "tools/common/query_input.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx {

// loglik     log p of the values that are there, of each row
// marginals  p of every category of each missing value, given the values that are there
// complete   rows with their gaps filled: draws given what is there, or the most probable
//            explanation
// states     the hidden states of the most probable explanation of a sequence
// anomaly    -log p of each value given all others of its row
enum class Query { loglik, marginals, complete, states, anomaly };

struct QuestionOptions {
  Query query = Query::loglik;
  FillBy how = FillBy::draws;
  std::int64_t draws = 1;
};

struct Answer {
  TextTable table;
  std::optional<MemoryRows> rows = {};        // filled ones
  std::vector<std::int64_t> impossible = {};  // rows whose values have probability 0
};

[[nodiscard]] Answer ask(App& app, const OpenQuery& open, const QuestionOptions& question);

}  // namespace logpx
