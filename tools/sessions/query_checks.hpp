// Which options of a question contradict each other, or what it is about.   [pc/README 9]
#pragma once

#include "tools/sessions/query_table.hpp"

namespace logpx {

// Usage errors. Options that a query does not read are refused before.
void check_question(const QuestionOptions& question, const QueryInput& input, const Query& query);

}  // namespace logpx
