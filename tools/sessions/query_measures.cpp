// Queries that measure a model: its entropy, how far it is from another one, and its likelihood
// less what its parameters cost.
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/eval/differences.hpp"
#include "tools/sessions/query_table.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

bool is_deterministic(const ModelQueries& queries) {
  return std::ranges::any_of(queries.facts(), [](const ModelFact& fact) {
    return fact.name == "deterministic" && fact.text == "yes";
  });
}

DrawPlan draws_of(const AskedRows& asked) {
  return {.width = asked.rows.width, .count = asked.scope.question.samples, .rng = asked.rng};
}

void answer_entropy(const AskedRows& asked) {
  const ModelQueries& queries = asked.scope.queries();
  std::vector<std::vector<Json>>& lines = asked.answers[0].lines;
  const double joint = queries.joint_entropy(asked.rows.width);
  lines.push_back({"H_xz", joint, "", "exact"});
  const auto all = is_deterministic(queries) ? std::optional(joint)
                                             : exact_entropy(queries, asked.rows.width,
                                                             asked.scope.question.search.enumerate);
  if (all) {
    lines.push_back({"H_x", *all, "", "exact"});
    return;
  }
  const DrawnMean drawn = drawn_entropy(queries, draws_of(asked));
  lines.push_back({"H_x", drawn.value, drawn.std_error, "estimate"});
}

void answer_inner(const AskedRows& asked) {
  const ModelQueries &p = asked.scope.queries(), &q = *asked.scope.other->queries;
  const std::int64_t width = asked.rows.width;
  const double both = p.log_inner(q, width), own = p.log_inner(p, width),
               others = q.log_inner(q, width);
  asked.answers[0].lines = {{"log_pq", both},
                            {"log_pp", own},
                            {"log_qq", others},
                            {"cauchy_schwarz", std::max(0.0, (own + others) / 2 - both)}};
}

void answer_divergence(const AskedRows& asked) {
  const DrawnMean drawn =
      drawn_divergence(asked.scope.queries(), *asked.scope.other->queries, draws_of(asked));
  const bool finite = std::isfinite(drawn.value);
  asked.answers[0].lines = {
      {"KL", drawn.value, finite ? Json(drawn.std_error) : Json(""), "estimate"}};
}

void answer_log_p(const AskedRows& asked) {
  const std::vector<double> nats = asked.scope.queries().log_p(asked.rows);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    if (!std::isfinite(nats[i])) asked.answers[i].trouble = impossible_row;
    asked.answers[i].lines.push_back({nats[i]});
  }
}

// One line in the place of log p of every row. cost: of each parameter, given how many rows.
template <typename Cost>
void sum_up(const QueryScope& scope, std::span<RowAnswer> answers, Cost cost) {
  double nats = 0;
  for (RowAnswer& answer : answers) {
    nats += answer.lines[0][0].number();
    answer.lines.clear();
  }
  const std::int64_t parameters = scope.queries().free_parameters();
  const double score =
      cost(static_cast<double>(answers.size())) * static_cast<double>(parameters) - 2 * nats;
  answers[0].lines.push_back({std::ssize(answers), nats, parameters, score});
}

std::vector<std::string> measured_columns(const QueryScope& scope) {
  return {"rows", "log_likelihood", "parameters", scope.question.query};
}

std::vector<std::string> named_estimates(const QueryScope&) {
  return {"name", "nats", "std_error", "kind"};
}

double one_way_up(const ModelQueries& queries, std::int64_t width) { return queries.cost(width); }

Query criterion(const char* name, const char* says,
                void (*conclude)(const QueryScope&, std::span<RowAnswer>)) {
  return {.name = name,
          .says = says,
          .cost = "one pass",
          .madds = one_way_up,
          .columns = measured_columns,
          .answer = answer_log_p,
          .conclude = conclude,
          .judges = true,
          .lists = false};
}

}  // namespace

std::vector<Query> queries_of_measures() {
  return {{.name = "entropy",
           .says = "H(x,z) with all hidden choices, and H(x), by all rows or by draws",
           .cost = "one pass; one for every row up to --enumerate-limit, or for each draw",
           .rows = Query::Rows::none,
           .options = {"--length", "--enumerate-limit", "--samples"},
           .columns = named_estimates,
           .answer = answer_entropy},
          {.name = "inner",
           .says = "the sum of p(x) q(x) over all x, with --other of the same form as q",
           .cost = "a pass for each hidden state of the other",
           .rows = Query::Rows::none,
           .options = {"--other", "--length"},
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"name", "nats"};
           },
           .answer = answer_inner,
           .compares = true},
          {.name = "kl",
           .says = "KL(p,q), with --other as q, by draws of p",
           .cost = "two passes and a way down for each draw",
           .rows = Query::Rows::none,
           .options = {"--other", "--length", "--samples"},
           .columns = named_estimates,
           .answer = answer_divergence,
           .compares = true},
          criterion("aic", "2 k - 2 log p of all rows, for k free parameters",
                    [](const QueryScope& scope, std::span<RowAnswer> answers) {
                      sum_up(scope, answers, [](double) { return 2.0; });
                    }),
          criterion("bic", "k log n - 2 log p of all n rows, for k free parameters",
                    [](const QueryScope& scope, std::span<RowAnswer> answers) {
                      sum_up(scope, answers, [](double n) { return std::log(n); });
                    })};
}

}  // namespace logpx
