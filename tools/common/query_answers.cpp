#include "tools/common/query_answers.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/draw/unicode.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/eval/likelihood.hpp"
#include "libcore/model/plan.hpp"
#include "tools/common/app.hpp"
#include "tools/common/progress.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace logpx {
namespace {

// The lines that one row gives, and what it is filled with.
struct RowAnswer {
  std::vector<std::vector<Json>> lines;
  std::vector<std::vector<std::int32_t>> filled = {};
  bool possible = true;
};

// Those of one block, together with what all queries need of it.
struct AskedBlock {
  const OpenQuery& open;
  const QuestionOptions& question;
  const Examples& examples;
  std::span<RowAnswer> answers;

  [[nodiscard]] std::int64_t dims() const { return examples.info.dims(); }
  [[nodiscard]] std::int64_t number(std::size_t i) const { return examples.first + as_signed(i); }
  [[nodiscard]] std::int64_t length(std::size_t i) const {
    return examples.rows.length.empty() ? dims() : examples.rows.length[i];
  }
  static std::int64_t as_signed(std::size_t i) { return static_cast<std::int64_t>(i); }
};

// "k", or the number of a category that has no letter.
Json category(const DatasetInfo& info, std::int64_t k) {
  if (at(k) < info.alphabet.size()) return draw::utf8_of(char32_t{info.alphabet[at(k)]});
  return k;
}

// The column's name in a table, elsewhere the place in the row.
Json place_name(const DatasetInfo& info, std::int64_t place) {
  if (info.is_table()) return draw::column_names(info)[at(place)];
  return place;
}

std::vector<double> log_p_of(const AskedBlock& block) {
  const Model& model = block.open.model();
  const std::unique_ptr<ScoringPlan> plan = model.scoring(model.info().methods.front());
  plan->settle();
  return plan->score(block.examples, Rng(1)).nats;
}

void answer_loglik(const AskedBlock& block) {
  const std::vector<double> nats = log_p_of(block);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    block.answers[i].possible = std::isfinite(nats[i]);
    block.answers[i].lines.push_back({block.number(i), nats[i], -nats[i] / std::numbers::ln2});
  }
}

void answer_marginals(const AskedBlock& block) {
  const std::vector<double> p = block.open.queries().tables(block.examples);
  const std::size_t categories = p.size() / at(block.examples.rows.count * block.dims());
  const std::vector<std::int32_t> x = block.open.queries().observed(block.examples);
  for (std::size_t i = 0; i < block.answers.size(); ++i) {
    for (std::int64_t place = 0; place < block.length(i); ++place) {
      const std::size_t cell = i * at(block.dims()) + at(place), first = cell * categories;
      if (x[cell] >= 0) continue;
      double total = 0;
      for (std::size_t k = 0; k < categories; ++k) total += p[first + k];
      block.answers[i].possible = total > 0;
      for (std::size_t k = 0; k < categories && total > 0; ++k)
        block.answers[i].lines.push_back({block.number(i), place_name(block.examples.info, place),
                                          category(block.examples.info, AskedBlock::as_signed(k)),
                                          p[first + k]});
    }
  }
}

void answer_anomaly(const AskedBlock& block) {
  const std::vector<double> nats = log_p_of(block), p = block.open.queries().tables(block.examples);
  const std::vector<std::int32_t> x = block.open.queries().observed(block.examples);
  const std::size_t categories = p.size() / at(block.examples.rows.count * block.dims());
  for (std::size_t i = 0; i < block.answers.size(); ++i) {
    std::vector<Json> line = {block.number(i), nats[i]};
    for (std::int64_t place = 0; place < block.dims(); ++place) {
      const std::size_t cell = i * at(block.dims()) + at(place);
      line.push_back(x[cell] < 0 ? Json("") : Json(-std::log(p[cell * categories + at(x[cell])])));
    }
    block.answers[i].possible = std::isfinite(nats[i]);
    block.answers[i].lines.push_back(std::move(line));
  }
}

void answer_complete(const AskedBlock& block, Rng rng) {
  for (std::int64_t draw = 0; draw < block.question.draws; ++draw) {
    const FilledRows filled = block.open.queries().fill(block.examples, block.question.how, rng,
                                                        static_cast<std::uint32_t>(draw));
    for (std::size_t i = 0; i < block.answers.size(); ++i) {
      const auto first = filled.x.begin() + AskedBlock::as_signed(i) * block.dims();
      block.answers[i].possible = std::isfinite(filled.nats[i]);
      if (!block.answers[i].possible) continue;
      block.answers[i].filled.emplace_back(first, first + block.dims());
      block.answers[i].lines.push_back({block.number(i), draw, filled.nats[i]});
    }
  }
}

void answer_states(const AskedBlock& block) {
  const FilledRows filled =
      block.open.queries().fill(block.examples, FillBy::explanation, Rng(1), 0);
  if (filled.states.empty())
    fail(ErrorKind::usage, "--query",
         "states are those of sequences, and this is no model of them");
  const std::size_t steps = filled.states.size() / block.answers.size();
  for (std::size_t i = 0; i < block.answers.size(); ++i) {
    block.answers[i].possible = std::isfinite(filled.nats[i]);
    for (std::size_t step = 0; step < steps; ++step)
      if (const std::int64_t state = filled.states[i * steps + step]; state >= 0)
        block.answers[i].lines.push_back({block.number(i), AskedBlock::as_signed(step), state});
  }
}

void answer(const AskedBlock& block, Rng rng) {
  switch (block.question.query) {
    case Query::loglik: return answer_loglik(block);
    case Query::marginals: return answer_marginals(block);
    case Query::complete: return answer_complete(block, rng);
    case Query::states: return answer_states(block);
    case Query::anomaly: return answer_anomaly(block);
  }
}

std::vector<std::string> columns_for(Query query, const DatasetInfo& info) {
  switch (query) {
    case Query::loglik: return {"row", "log_likelihood", "bits"};
    case Query::marginals: return {"row", "place", "value", "p"};
    case Query::complete:
      if (info.content == Content::image) return {"row", "draw", "log_p"};
      return {"row", "draw", "log_p", "filled"};
    case Query::states: return {"row", "step", "state"};
    case Query::anomaly: break;
  }
  std::vector<std::string> names = {"row", "log_likelihood"};
  for (std::int64_t place = 0; place < info.dims(); ++place)
    names.push_back(info.is_table() ? draw::column_names(info)[at(place)]
                                    : 'x' + std::to_string(place));
  return names;
}

// The filled rows of all answers, as the model makes rows.
MemoryRows filled_rows(const OpenQuery& open, const std::vector<RowAnswer>& answers) {
  const DatasetInfo& asked = open.rows->info();
  DatasetInfo info = open.model().info().samples;
  info.shape = asked.shape;
  info.column_names = asked.column_names;
  info.has_lengths = asked.has_lengths;
  Rows rows;
  for (const RowAnswer& one : answers) rows.count += std::ssize(one.filled);
  info.n = rows.count;
  rows.x.resize(at(info.n) * info.row_bytes());
  std::int64_t next = 0;
  for (const RowAnswer& one : answers)
    for (const std::vector<std::int32_t>& filled : one.filled) {
      std::int32_t length = 0;
      while (at(length) < filled.size() && filled[at(length)] >= 0) ++length;
      std::vector<float> x;
      for (const std::int32_t value : filled) x.push_back(static_cast<float>(std::max(value, 0)));
      store_values(info, {}, x, next++, rows);
      if (info.has_lengths) rows.length.push_back(length);
    }
  return {std::move(info), std::move(rows)};
}

// The filled row of each line, as text.
void add_filled_text(const MemoryRows& made, std::vector<RowAnswer>& answers) {
  MemoryRows source = made;
  std::int64_t next = 0;
  for (RowAnswer& one : answers)
    for (std::vector<Json>& line : one.lines) {
      std::string text = draw::row_text(source.info(), source.read(next, next + 1));
      text.pop_back();  // the line feed
      line.emplace_back(std::move(text));
      ++next;
    }
}

}  // namespace

Answer ask(App& app, const OpenQuery& open, const QuestionOptions& question) {
  const std::int64_t count = open.end - open.begin;
  std::vector<RowAnswer> answers(at(count));
  const auto progress = app.progress("row", static_cast<double>(count));
  EvalRows rows{
      .data = *open.rows, .begin = open.begin, .end = open.end, .block = open.model().info().block};
  rows.progress = [&](std::int64_t done) { progress->update(static_cast<double>(done)); };
  const Rng rng = app.rng();
  visit_blocks(rows, app.workers(), [&](const Examples& examples) {
    const auto own =
        std::span(answers).subspan(at(examples.first - open.begin), at(examples.rows.count));
    answer({open, question, examples, own}, rng);
  });
  Answer result;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (!answers[i].possible) result.impossible.push_back(open.begin + AskedBlock::as_signed(i));
  if (question.query == Query::complete) {
    result.rows.emplace(filled_rows(open, answers));
    if (open.rows->info().content != Content::image) add_filled_text(*result.rows, answers);
  }
  const std::vector<std::string> names = columns_for(question.query, open.rows->info());
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::vector<Json> cells;
    for (const RowAnswer& one : answers)
      for (const std::vector<Json>& line : one.lines) cells.push_back(line[c]);
    result.table.add(names[c], std::move(cells));
  }
  return result;
}

}  // namespace logpx
