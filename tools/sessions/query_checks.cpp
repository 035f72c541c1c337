#include "tools/sessions/query_checks.hpp"

#include "formats/model_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/shell_word.hpp"

#include <string>

namespace logpx {
namespace {

void check_fillings(const QuestionOptions& question, const QueryInput& input, const Query& query) {
  if (question.draws * question.files > 1 && question.how != FillWith::draws)
    fail(ErrorKind::usage, question.draws > 1 ? "--num" : "--draws",
         "asks for draws, and --how fills in one way");
  if (!question.symbol.empty() && !question.vars.empty())
    fail(ErrorKind::usage, "--symbol", "counts in whole rows, and --vars names parts of them");
  if (question.how != FillWith::draws && question.has_patterns())
    fail(ErrorKind::usage, "--pattern", "is for draws, and --how fills in another way",
         "--how sample");
  if (query.name == "match" && !question.has_patterns())
    fail(ErrorKind::usage, "--pattern", "is what --query match asks about, and missing",
         "query-pc " + shell_word(input.model) + " --query match --pattern REGEX");
  if (query.compares && question.other.empty())
    fail(ErrorKind::usage, "--other",
         "is the model that --query " + query.name + " compares with, and missing");
  if (question.dtype == Dtype::f32 && question.has_patterns())
    fail(ErrorKind::usage, "--dtype", "is f32, and patterns are computed in f64");
  if (!question.function.empty() && !question.symbol.empty())
    fail(ErrorKind::usage, "--function", "and --symbol name two functions");
}

void check_values(const QuestionOptions& question, const QueryInput& input, const Query& query) {
  if (query.hides && question.vars.empty())
    fail(ErrorKind::usage, "--vars",
         "is which columns --query " + query.name + " is about, and missing");
  for (const double u : question.quantiles)
    if (!(u > 0 && u < 1))
      fail(ErrorKind::usage, "--quantiles", "are between 0 and 1, not " + to_text(u));
  question.pruning.validate();
  if (query.asks_event && question.event.empty())
    fail(ErrorKind::usage, "", "the event to ask about is missing",
         "query-pc " + shell_word(input.model) + " --query " + query.name + " NAME=VALUE");
  if (!query.asks_event && !question.event.empty())
    fail(ErrorKind::usage, question.event, "is an event, and goes with --query probability");
}

void check_operands(const QuestionOptions& question, const QueryInput& input, const Query& query) {
  const bool rows = input.names_rows();
  const bool described = query.rows == Query::Rows::described && !question.given.empty();
  if (!rows && !input.known.empty())
    fail(ErrorKind::usage, "--known", "is what of each row is given, and no rows are named");
  if (!rows && !question.keep.empty())
    fail(ErrorKind::usage, "--keep", "is what of each row is copied, and no rows are named");
  if (!rows && !described &&
      (query.rows == Query::Rows::needed || query.rows == Query::Rows::described)) {
    static_cast<void>(ModelFile(input.model));  // a table in the place of the model is said first
    fail(ErrorKind::usage, "", "rows to ask about are missing",
         "query-pc " + shell_word(input.model) + " --query " + query.name + " DATA");
  }
  if (rows && query.rows == Query::Rows::none)
    fail(ErrorKind::usage, "", "--query " + query.name + " is about the model alone, without rows",
         "query-pc " + shell_word(input.model) + " --query " + query.name);
}

}  // namespace

void check_question(const QuestionOptions& question, const QueryInput& input, const Query& query) {
  check_fillings(question, input, query);
  check_values(question, input, query);
  check_operands(question, input, query);
}

}  // namespace logpx
