// Queries about the model itself, and the list of queries that it answers.
#include "tools/sessions/query_model.hpp"

#include "libcore/base/number_text.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/report_table.hpp"
#include "tools/sessions/query_table.hpp"

#include <cmath>

namespace logpx {
namespace {

void answer_validate(const AskedRows& asked) {
  for (const ModelFact& fact : asked.scope.queries().facts())
    asked.answers[0].lines.push_back({fact.name, fact.text.empty()
                                                     ? Json(static_cast<std::int64_t>(fact.number))
                                                     : Json(fact.text)});
}

const char* words_of(Query::Rows rows) {
  switch (rows) {
    case Query::Rows::none: return "no rows";
    case Query::Rows::optional: return "rows, or none";
    case Query::Rows::described: return "rows, or --given";
    case Query::Rows::needed: break;
  }
  return "rows";
}

}  // namespace

std::vector<Query> queries_of_models() {
  return {{.name = "validate",
           .says = "what the circuit is: everything was checked when it was read",
           .cost = "nothing to compute",
           .rows = Query::Rows::none,
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"name", "value"};
           },
           .answer = answer_validate},
          {.name = "export",
           .says = "the circuit as JSON that train-pc --structure reads, or as a drawing (.dot)",
           .cost = "nothing to compute",
           .rows = Query::Rows::none}};
}

void list_queries(App& app, const Abilities& can) {
  const ModelQueries& queries = *can.queries;
  const std::int64_t width = can.info().data.dims();
  Json all = Json::array();
  std::string text;
  for (const Query& query : query_table()) {
    const std::string why = query.refused_by(can);
    Json item = Json::object();
    item.set("name", query.name)
        .set("says", query.says)
        .set("needs", words_of(query.rows))
        .set("answers", why.empty())
        .set("cost", query.cost);
    if (!why.empty()) item.set("why_not", why);
    else if (query.madds != nullptr) item.set("madds_per_row", query.madds(queries, width));
    text += padded(query.name, 18) + (why.empty() ? query.says : "- " + why) + '\n';
    if (why.empty())
      text += std::string(20, ' ') + query.cost +
              (query.madds == nullptr
                   ? ""
                   : ": " + four_digits(query.madds(queries, width)) + " multiply-adds a row") +
              (query.rows == Query::Rows::needed ? "" : std::string("; ") + words_of(query.rows)) +
              '\n';
    all.push(std::move(item));
  }
  app.result().set("queries", all);
  if (app.fields().find_option("--json")->text() != "true") app.print(text);
}

}  // namespace logpx
