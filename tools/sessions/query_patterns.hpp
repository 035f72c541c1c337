// The patterns of a question as an automaton over the symbols of a model.   [pc/README 9.11]
#pragma once

#include "libcore/model/automaton.hpp"
#include "tools/sessions/query_table.hpp"

#include <optional>
#include <string>

namespace logpx {

// The automaton of --pattern and --without, for a model that is not refused; nothing where neither
// is given. Throws a usage error for a pattern that cannot be read.
[[nodiscard]] std::optional<Automaton> automaton_of(const QuestionOptions& question,
                                                    const Abilities& can);
// Why a model knows no patterns; empty if it does.
[[nodiscard]] std::string refuse_patterns(const Abilities& can);

// The trouble of a row that nothing can make match, and the numeric error where no row can.
inline constexpr const char* no_match = "nothing that stands in its gaps makes it match";
void require_some_match(const QueryScope& scope, std::span<const RowAnswer> answers);

}  // namespace logpx
