#include "tools/sessions/query_patterns.hpp"

#include "formats/draw/unicode.hpp"
#include "formats/import/characters.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/model/matching_rows.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

// The letters of each symbol; none for a model that reads no text.
std::vector<std::u32string> letters_of_symbols(const Abilities& can) {
  const DatasetInfo& data = can.info().data;
  std::vector<std::u32string> symbols;
  for (const std::string& token : data.tokens) symbols.push_back(draw::letters_of(token));
  for (const std::uint32_t letter : data.alphabet) symbols.emplace_back(1, char32_t{letter});
  if (data.content == Content::bytes)
    for (std::int64_t byte = 0; byte < can.queries->levels(); ++byte)
      symbols.emplace_back(1, static_cast<char32_t>(byte));
  return symbols;
}

Pattern read_words(const std::string& option, const std::string& text, PatternUse use) {
  Pattern pattern{.option = option, .text = {}, .shown = text, .use = use};
  const auto take = [&](const Character& character) {
    if (character.code == not_utf8) fail(ErrorKind::usage, option, "is not UTF-8");
    pattern.text += character.code;
  };
  Utf8Decoder decoder;
  decoder.decode(std::as_bytes(std::span(text)), take);
  decoder.finish(take);
  return pattern;
}

// log p(the row matches | the values that are there), and p: against all texts, in the same sums.
void answer_match(const AskedRows& asked) {
  const ModelQueries& queries = asked.scope.queries();
  const std::vector<Pattern> any = {{"--pattern", U".*", ".*"}};
  const Automaton all = make_automaton(any, letters_of_symbols(asked.scope.open.loaded->can));
  const std::vector<double> whole = queries.matching(all)->log_p(asked.rows),
                            matching = queries.matching(*asked.scope.automaton)->log_p(asked.rows);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    RowAnswer& answer = asked.answers[at(i)];
    const double nats = std::min(0.0, matching[at(i)] - whole[at(i)]);
    if (!std::isfinite(whole[at(i)])) answer.trouble = impossible_row;
    else if (!asked.scope.open.rows && !std::isfinite(nats)) answer.trouble = no_match;
    else answer.lines.push_back({asked.number(i), nats, std::exp(nats)});
  }
}

}  // namespace

std::string refuse_patterns(const Abilities& can) {
  if (can.queries->hidden_states() == 0)
    return "it is about sequences, and this is no model of them";
  return letters_of_symbols(can).empty() ? "it is about text, and this model reads none" : "";
}

std::optional<Automaton> automaton_of(const QuestionOptions& question, const Abilities& can) {
  std::vector<Pattern> patterns;
  for (const std::string& text : question.patterns)
    patterns.push_back(read_words("--pattern", text, PatternUse::wanted));
  for (const std::string& text : question.without)
    patterns.push_back(read_words("--without", text, PatternUse::excluded));
  if (patterns.empty()) return std::nullopt;
  return make_automaton(patterns, letters_of_symbols(can));
}

void require_some_match(const QueryScope& scope, std::span<const RowAnswer> answers) {
  const bool none = std::ranges::all_of(
      answers, [](const RowAnswer& answer) { return answer.trouble == no_match; });
  if (!none || answers.empty()) return;
  const std::string length = std::to_string(scope.info.dims());
  fail(ErrorKind::numeric, "--pattern",
       scope.open.rows ? "has probability 0: no row can be filled so that it matches"
                       : "has probability 0: no text of " + length +
                             " symbols that the model makes "
                             "matches");
}

std::vector<Query> queries_of_patterns() {
  return {{.name = "match",
           .says = "p that a text matches --pattern, given the values that are there",
           .cost = "a pass up for each state of the pattern",
           .rows = Query::Rows::optional,
           .options = {"--pattern", "--without", "--length"},
           .refusal = refuse_patterns,
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"row", "log_p", "p"};
           },
           .answer = answer_match}};
}

}  // namespace logpx
