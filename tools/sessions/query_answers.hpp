// What query-pc computes: a table with a line for every row, value or step, and the rows that it
// fills.   [pc/README 9]
#pragma once

#include "formats/text_table.hpp"
#include "tools/sessions/query_table.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace logpx {

class App;

struct Answer {
  TextTable table;
  Bound kind = Bound::exact;  // of log p, if it is asked for
  // From queries that fill: whole rows as the model makes them, and for each input row its
  // fillings, draw by draw.
  std::optional<MemoryRows> rows = {};
  std::vector<std::vector<std::vector<double>>> filled = {};
  std::vector<std::pair<std::int64_t, std::string>> troubles = {};  // rows without an answer
  Findings findings = {};
};

[[nodiscard]] Answer ask(App& app, const OpenQuery& open, const QuestionOptions& question);

}  // namespace logpx
