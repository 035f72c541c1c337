// How probable it is that columns hold some values, or lie in some ranges.
#include "libcore/base/index.hpp"
#include "tools/sessions/query_table.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

void answer_probability(const AskedRows& asked) {
  const ModelQueries& queries = asked.scope.queries();
  Evidence both = asked.rows;
  asked.scope.open.event->require(both);
  const std::vector<double> whole = queries.log_p(asked.rows), holding = queries.log_p(both);
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    const double nats = std::min(0.0, holding[at(i)] - whole[at(i)]);
    if (!std::isfinite(whole[at(i)])) asked.answers[at(i)].trouble = impossible_row;
    else asked.answers[at(i)].lines.push_back({asked.number(i), nats, std::exp(nats)});
  }
}

std::string refuse_no_table(const Abilities& can) {
  return can.info().data.is_table() ? refuse_single_values(can)
                                    : "it is about columns, and this model reads no table";
}

}  // namespace

std::vector<Query> queries_of_events() {
  return {{.name = "probability",
           .says = "p of EVENT, as 'age>=40,job=clerk', given the values that are there",
           .cost = "two passes",
           .rows = Query::Rows::optional,
           .options = {"--given", "--dtype"},
           .madds = [](const ModelQueries& queries,
                       std::int64_t width) { return 2 * queries.cost(width); },
           .refusal = refuse_no_table,
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"row", "log_p", "p"};
           },
           .answer = answer_probability,
           .asks_event = true}};
}

}  // namespace logpx
