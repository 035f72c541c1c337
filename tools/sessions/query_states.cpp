// Queries that look at the hidden states of sequences.
#include "libcore/base/index.hpp"
#include "tools/sessions/query_table.hpp"

#include <cmath>

namespace logpx {
namespace {

std::string refuse_other_than_sequences(const Abilities& can) {
  return can.queries->hidden_states() > 0 ? ""
                                          : "it is about sequences, and this is no model of them";
}

// Calls take(i, states of the most probable explanation of row i).
template <typename Take>
void explain(const AskedRows& asked, Take take) {
  const FilledRows filled =
      asked.scope.queries().fill(asked.rows, FillBy::explanation, asked.rng, 0);
  const std::int64_t steps = std::ssize(filled.states) / asked.rows.count();
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    std::vector<std::int64_t> states;
    for (std::int64_t step = 0; step < steps && filled.states[at(i * steps + step)] >= 0; ++step)
      states.push_back(filled.states[at(i * steps + step)]);
    if (std::isfinite(filled.nats[at(i)])) take(i, states);
    else asked.answers[at(i)].trouble = impossible_row;
  }
}

void answer_viterbi(const AskedRows& asked) {
  explain(asked, [&](std::int64_t i, const std::vector<std::int64_t>& states) {
    for (std::size_t step = 0; step < states.size(); ++step)
      asked.answers[at(i)].lines.push_back(
          {asked.number(i), static_cast<std::int64_t>(step), states[step]});
  });
}

void answer_segment(const AskedRows& asked) {
  explain(asked, [&](std::int64_t i, const std::vector<std::int64_t>& states) {
    for (std::size_t begin = 0, end = 0; begin < states.size(); begin = end) {
      while (end < states.size() && states[end] == states[begin]) ++end;
      asked.answers[at(i)].lines.push_back({asked.number(i), static_cast<std::int64_t>(begin),
                                            static_cast<std::int64_t>(end), states[begin]});
    }
  });
}

void answer_posterior(const AskedRows& asked) {
  const std::vector<double> q = asked.scope.queries().states(asked.rows);
  const std::int64_t states = asked.scope.queries().hidden_states(),
                     steps = std::ssize(q) / asked.rows.count() / states;
  for (std::int64_t i = 0; i < asked.rows.count(); ++i) {
    RowAnswer& answer = asked.answers[at(i)];
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto table = std::span(q).subspan(at((i * steps + step) * states), at(states));
      const bool behind_end = std::ranges::all_of(table, [](double p) { return p == 0; });
      for (std::int64_t z = 0; z < states && !behind_end; ++z)
        answer.lines.push_back({asked.number(i), step, z, table[at(z)]});
    }
    if (answer.lines.empty()) answer.trouble = impossible_row;
  }
}

double up_and_down(const ModelQueries& queries, std::int64_t width) {
  return 3 * queries.cost(width);
}

}  // namespace

std::vector<Query> queries_of_states() {
  return {{.name = "viterbi",
           .says = "the hidden state at every step of the most probable explanation",
           .cost = "a pass up and a way down",
           .options = {"--dtype"},
           .madds = up_and_down,
           .refusal = refuse_other_than_sequences,
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"row", "step", "state"};
           },
           .answer = answer_viterbi},
          {.name = "segment",
           .says = "its runs of one state: steps begin to end - 1",
           .cost = "a pass up and a way down",
           .options = {"--dtype"},
           .madds = up_and_down,
           .refusal = refuse_other_than_sequences,
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"row", "begin", "end", "state"};
           },
           .answer = answer_segment},
          {.name = "posterior-states",
           .says = "p of every hidden state at every step, given the values that are there",
           .cost = "a pass up and one down",
           .options = {"--dtype"},
           .madds = up_and_down,
           .refusal = refuse_other_than_sequences,
           .columns = [](const QueryScope&) -> std::vector<std::string> {
             return {"row", "step", "state", "p"};
           },
           .answer = answer_posterior}};
}

}  // namespace logpx
