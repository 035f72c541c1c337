// Odd rows, and what is odd about them: how surprising each value is given all others, which one is
// the oddest, and what was expected there.   [pc/README 9.9]
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/column_cells.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/eval/moments.hpp"
#include "tools/sessions/query_places.hpp"
#include "tools/sessions/query_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace logpx {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A value that is there, given all others: -log p, and -log of the probability of what is no
// likelier, or of a real number at least as far out.
struct Oddness {
  double nats = 0, surprise = 0;
};

class OddRows {
 public:
  explicit OddRows(const AskedRows& asked)
      : asked_(asked),
        queries_(asked.scope.queries()),
        seen_(queries_.tables(asked.rows, Tails::asked)) {}

  void answer() {
    const ChannelsFirst places(asked_.scope.info);
    std::vector<std::vector<std::optional<Oddness>>> all;
    for (std::int64_t i = 0; i < asked_.rows.count(); ++i) {
      std::vector<std::optional<Oddness>>& row = all.emplace_back();
      std::int64_t& oddest = oddest_.emplace_back(-1);
      double most = -infinity;
      for (std::int64_t stored = 0; stored < asked_.rows.width; ++stored) {
        const auto place = static_cast<std::int64_t>(places(at(stored)));
        const std::optional<Oddness> one = row.emplace_back(oddness(i, place));
        if (one && one->surprise > most) most = one->surprise, oddest = place;
      }
    }
    expect_others();
    for (std::int64_t i = 0; i < asked_.rows.count(); ++i) add_line(i, all[at(i)]);
  }

 private:
  [[nodiscard]] std::span<const double> table(const ValueTables& from, std::int64_t i,
                                              std::int64_t place) const {
    return std::span(from.p).subspan(at((i * asked_.rows.width + place) * queries_.levels()),
                                     at(queries_.levels_at(place)));
  }

  [[nodiscard]] std::optional<Oddness> oddness(std::int64_t i, std::int64_t place) const {
    const std::int32_t x = asked_.rows.row(i)[at(place)];
    if (x == -1) return std::nullopt;
    if (x == Evidence::new_value) return Oddness{infinity, infinity};
    if (queries_.is_real(place)) {
      const RealMoments& moments = seen_.reals[at(i * asked_.rows.width + place)];
      return Oddness{-moments.nats, std::max(0.0, -moments.tail)};
    }
    const std::span<const double> p = table(seen_, i, place);
    const double own = p[at(x)], at_most = own * (1 + 1e-9);  // equal ones but for rounding
    double tail = 0;
    for (const double one : p) tail += one <= at_most ? one : 0;
    return Oddness{-std::log(own), std::max(0.0, -std::log(tail))};
  }

  // The rows again, each without its oddest value.
  void expect_others() {
    Evidence others = asked_.rows;
    for (std::int64_t i = 0; i < others.count(); ++i)
      if (oddest_[at(i)] >= 0) others.row(i)[at(oddest_[at(i)])] = -1;
    others_ = queries_.tables(others);
  }

  // The likeliest of categories, "39.2 ± 2.6" of real numbers.
  [[nodiscard]] Json expected(std::int64_t i, std::int64_t place) const {
    if (!std::isfinite(others_.nats[at(i)])) return {};
    const DatasetInfo& info = asked_.scope.info;
    if (!queries_.is_real(place)) {
      const std::span<const double> known =
          table(others_, i, place).first(at(queries_.known_at(place)));
      return value_cell(place, std::ranges::max_element(known) - known.begin());
    }
    const RealMoments& moments = others_.reals[at(i * asked_.rows.width + place)];
    const double variance = std::max(0.0, moments.square - moments.mean * moments.mean);
    const ColumnForm form = info.column_forms.empty()
                                ? ColumnForm{.decimals = ColumnForm::more_digits}
                                : info.column_forms[at(place)];
    return expected_cell(form, {.mean = moments.mean, .deviation = std::sqrt(variance)});
  }

  // A category as its column writes it.
  [[nodiscard]] Json value_cell(std::int64_t place, std::int64_t category) const {
    const DatasetInfo& info = asked_.scope.info;
    if (!info.is_table()) return value_name(queries_, info, place, category);
    return ColumnCells(info).text(place, queries_.value_at(place, category));
  }

  // The oddest value as its file has it; null where only a dataset knows.
  [[nodiscard]] Json oddest_value(std::int64_t i, std::int64_t place) const {
    const OpenQuery& open = asked_.scope.open;
    if (open.columns != nullptr) return open.columns->text(asked_.number(i), place);
    const std::int32_t x = asked_.rows.row(i)[at(place)];
    if (x < 0 || (!queries_.is_real(place) && x >= queries_.known_at(place))) return {};
    if (!queries_.is_real(place)) return value_cell(place, x);
    const float real = asked_.rows.reals[at(i * asked_.rows.width + place)];
    return ColumnCells(asked_.scope.info).text(place, static_cast<double>(real));
  }

  void add_line(std::int64_t i, const std::vector<std::optional<Oddness>>& row) {
    RowAnswer& answer = asked_.answers[at(i)];
    const std::vector<double>& calibration = asked_.scope.calibration;
    const double nats = seen_.nats[at(i)];
    std::vector<Json> line = {asked_.number(i), nats};
    if (!calibration.empty()) line.emplace_back(tail_probability(calibration, nats));
    if (const std::int64_t place = oddest_[at(i)]; place >= 0) {
      line.insert(line.end(), {place_name(asked_.scope.info, place), oddest_value(i, place),
                               oddness(i, place)->surprise, expected(i, place)});
    } else {
      line.resize(line.size() + 4);
    }
    for (const std::optional<Oddness>& one : row) line.push_back(one ? Json(one->nats) : Json(""));
    if (!std::isfinite(nats)) answer.trouble = impossible_row;
    answer.lines.push_back(std::move(line));
  }

  const AskedRows& asked_;
  const ModelQueries& queries_;
  ValueTables seen_, others_ = {};
  std::vector<std::int64_t> oddest_ = {};  // of each row; -1: it has no value
};

std::vector<std::string> anomaly_columns(const QueryScope& scope) {
  std::vector<std::string> names = {"row", "log_likelihood"};
  if (!scope.calibration.empty()) names.emplace_back("tail_probability");
  names.insert(names.end(), {"oddest", "odd_value", "surprise", "expected"});
  names = beside_columns(std::move(names), scope.info);
  const ChannelsFirst places(scope.info);
  for (std::int64_t stored = 0; stored < scope.info.dims(); ++stored)
    names.push_back(name_text(scope.info, static_cast<std::int64_t>(places(at(stored)))));
  return names;
}

// Values that are new to the model.
void read_new_values(const QueryScope& scope, std::vector<Json>& line) {
  const std::size_t oddest = scope.calibration.empty() ? 2 : 3;
  if (line[oddest].is_null() || !line[oddest + 1].is_null()) return;
  std::int64_t place = 0;
  while (place_name(scope.info, place) != line[oddest]) ++place;
  line[oddest + 1] = scope.open.value_text(line[0].integer(), place);
}

// With --top, the lines of the least likely rows alone, the least likely one first.
void keep_oddest(const QueryScope& scope, std::span<RowAnswer> answers) {
  for (RowAnswer& answer : answers) read_new_values(scope, answer.lines[0]);
  if (scope.question.top == 0) return;
  std::vector<std::vector<Json>> lines;
  for (RowAnswer& answer : answers) {
    std::ranges::move(answer.lines, std::back_inserter(lines));
    answer.lines.clear();
  }
  std::ranges::stable_sort(lines, {}, [](const auto& line) { return line[1].number(); });
  lines.resize(std::min(lines.size(), at(scope.question.top)));
  answers[0].lines = std::move(lines);
}

}  // namespace

std::vector<Query> queries_of_oddness() {
  return {{.name = "anomaly",
           .says = "how odd each row is, its oddest value and what was expected there",
           .cost = "two passes up and down",
           .options = {"--top", "--calibrate", "--dtype"},
           .madds = [](const ModelQueries& queries,
                       std::int64_t width) { return 6 * queries.cost(width); },
           .refusal = refuse_single_values,
           .columns = anomaly_columns,
           .answer = [](const AskedRows& asked) { OddRows(asked).answer(); },
           .conclude = keep_oddest,
           .judges = true}};
}

}  // namespace logpx
