#include "libcore/families/pc/leaves/table_choice.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/symbol_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace logpx::pc {
namespace {

constexpr std::size_t most_few = 40;      // values of a table of numbers
constexpr double rows_of_a_value = 8;     // on average, at least
constexpr std::size_t most_asked = 4096;  // values of a table that --leaf asks for
constexpr double largest_whole = 0x1p24;

// What the cells of a column show. Values are gathered until there are too many for any table.
struct Look {
  bool whole = true;
  double rows = 0, farthest = 0;
  std::set<float> values = {};

  void add(float value) {
    rows += 1;
    whole = whole && value == std::floor(value);
    farthest = std::max(farthest, std::abs(static_cast<double>(value)));
    if (values.size() <= most_asked) values.insert(value);
  }
  [[nodiscard]] bool has_few() const {
    const auto count = values.size();
    return count <= 1 ||
           (count <= most_few && rows >= rows_of_a_value * static_cast<double>(count));
  }
};

std::vector<Look> looks_of(const Examples& examples, std::size_t columns) {
  std::vector<Look> looks(columns);
  std::vector<float> values(columns);
  for (std::int64_t row = 0; row < examples.rows.count; ++row) {
    row_values(examples.info, examples.rows, {.from = row, .number = examples.first + row}, {},
               evaluation_noise({}), values);
    for (std::size_t c = 0; c < columns; ++c)
      if (!is_missing_value(values[c], examples.info)) looks[c].add(values[c]);
  }
  return looks;
}

// Whether a column holds whole numbers: by its kind, or where a file says none by its values.
bool is_whole(const DatasetInfo& data, std::size_t column, const Look& look) {
  if (data.column_forms.empty()) return look.whole && look.farthest <= largest_whole;
  const ColumnKind kind = data.column_forms[column].kind;
  return look.whole && (kind == ColumnKind::whole || kind == ColumnKind::date);
}

LeafKind usual_kind(const DatasetInfo& data, std::size_t column, const Look& look) {
  if (look.has_few()) return LeafKind::table;
  return is_whole(data, column, look) ? LeafKind::dgaussian : LeafKind::gaussian;
}

void require_kind(LeafKind kind, const Look& look, const Variable& variable) {
  const auto refuse = [&](const std::string& needs) {
    fail(ErrorKind::usage, "--leaf",
         std::string("is ") + word_of(kind) + ", which " + needs + " for " + variable.name,
         "--leaf auto");
  };
  if (kind == LeafKind::dgaussian && !look.whole) refuse("takes whole numbers alone, and not");
  if (kind == LeafKind::table && look.values.size() > most_asked)
    refuse("holds at most " + std::to_string(most_asked) + " values, too few");
  if (kind != LeafKind::table && kind != LeafKind::gaussian && kind != LeafKind::dgaussian)
    refuse("counts from 0 to a largest value, is not made by --structure table");
}

}  // namespace

std::vector<LeafKind> choose_table_leaves(const LeafChoice& choice, UnknownValues unknown,
                                          const Examples& rows, std::vector<Variable>& variables) {
  const std::vector<std::optional<LeafKind>> asked = asked_leaves(choice, rows.info, variables);
  const std::vector<Look> looks = looks_of(rows, variables.size());
  const std::int64_t news = unknown == UnknownValues::together ? 1 : 0;
  std::vector<LeafKind> chosen;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    Variable& variable = variables[v];
    const std::int64_t words = words_of(rows.info, static_cast<std::int64_t>(v));
    const LeafKind kind =
        words > 0 ? LeafKind::table : asked[v].value_or(usual_kind(rows.info, v, looks[v]));
    if (words == 0) require_kind(kind, looks[v], variable);
    variable.whole = kind == LeafKind::dgaussian;
    variable.categories = 0;
    if (words > 0) {
      variable.categories = words + news;
    } else if (kind == LeafKind::table) {
      variable.values.assign(looks[v].values.begin(), looks[v].values.end());
      if (variable.values.empty()) variable.values.push_back(0);
      variable.categories = std::ssize(variable.values) + news;
    }
    variable.open = kind == LeafKind::table && news > 0;
    chosen.push_back(kind);
  }
  return chosen;
}

}  // namespace logpx::pc
