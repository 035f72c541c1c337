#include "libcore/families/pc/leaves/choice.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"
#include "libcore/families/pc/text/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace logpx::pc {
namespace {

constexpr double most_categories = 1024;  // of whole numbers among real data
constexpr std::array kinds = {LeafKind::table,    LeafKind::bernoulli, LeafKind::binomial,
                              LeafKind::gaussian, LeafKind::dlogistic, LeafKind::dgaussian};

// The largest value of each variable of whole numbers from 0 on; nothing for others.
using Largest = std::vector<std::optional<double>>;

void look_at(const Examples& examples, const RowRules& rules, Largest& largest) {
  const std::size_t variables = largest.size();
  RowRules as_stored = rules;
  as_stored.columns = {};
  std::vector<float> values(at(examples.info.dims()));
  for (std::int64_t row = 0; row < examples.rows.count; ++row) {
    row_values(examples.info, examples.rows, {.from = row, .number = examples.first + row},
               as_stored, evaluation_noise(rules), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::optional<double>& most = largest[i % variables];
      const auto value = static_cast<double>(values[i]);
      if (!most || std::isnan(value)) continue;
      const bool whole = value >= 0 && value == std::floor(value) && value < most_categories;
      most = whole ? std::optional(std::max(*most, value)) : std::nullopt;
    }
  }
}

bool is_real(const Variable& variable) { return variable.categories == 0; }

// The kind that a word names; nothing for `auto`.
std::optional<LeafKind> kind_of(const std::string& word, ErrorKind error,
                                const std::string& subject) {
  if (word == "auto") return std::nullopt;
  const auto* const found =
      std::ranges::find_if(kinds, [&](LeafKind kind) { return word == word_of(kind); });
  if (found == kinds.end())
    fail(error, subject,
         "is '" + word +
             "', expected auto, categorical, bernoulli, binomial, gaussian, "
             "dlogistic, dgaussian" +
             (error == ErrorKind::usage ? " or a file.json" : ""));
  return *found;
}

// One word for all variables applies to numbers; columns of words keep their tables.
std::vector<std::optional<LeafKind>> kinds_of_word(const std::string& word, const DatasetInfo& data,
                                                   const std::vector<Variable>& variables) {
  const std::optional<LeafKind> kind = kind_of(word, ErrorKind::usage, "--leaf");
  std::vector<std::optional<LeafKind>> asked(variables.size(), kind);
  bool numbers = false;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const bool words = words_of(data, static_cast<std::int64_t>(v)) > 0;
    if (words) asked[v].reset();
    numbers = numbers || !words;
  }
  if (!numbers && kind && *kind != LeafKind::table)
    fail(ErrorKind::usage, "--leaf",
         "is " + word + ", which is about numbers, and every column of " + data.name +
             " holds words",
         "--leaf auto");
  return asked;
}

std::vector<std::optional<LeafKind>> kinds_of_file(const LeafChoice& choice,
                                                   const DatasetInfo& data,
                                                   const std::vector<Variable>& variables) {
  std::vector<std::optional<LeafKind>> asked(variables.size());
  const JsonValue json = read_json(choice.text, choice.file);
  if (json.kind != JsonValue::Kind::object)
    fail(ErrorKind::data, choice.file,
         R"(is no object of leaves by variable, such as {"age": "gaussian"})");
  for (std::size_t i = 0; i < json.keys.size(); ++i) {
    const std::string& name = json.keys[i];
    std::size_t v = 0;
    while (v < variables.size() && variables[v].name != name && std::to_string(v) != name) ++v;
    if (v == variables.size())
      fail(ErrorKind::data, choice.file,
           "names \"" + name + "\", which is no variable of the data");
    asked[v] = kind_of(json.items[i].text, ErrorKind::data, choice.file);
    if (asked[v] == LeafKind::gaussian && words_of(data, static_cast<std::int64_t>(v)) > 0)
      fail(ErrorKind::usage, choice.file,
           "asks for a gaussian of " + variables[v].name + ", which holds words", "--leaf auto");
  }
  return asked;
}

}  // namespace

std::int64_t words_of(const DatasetInfo& data, std::int64_t column) {
  const std::vector<std::int64_t>& counts = data.column_words.counts;
  return counts.empty() ? 0 : counts[at(column)];
}

std::vector<std::optional<LeafKind>> asked_leaves(const LeafChoice& choice, const DatasetInfo& data,
                                                  const std::vector<Variable>& variables) {
  return choice.file.empty() ? kinds_of_word(choice.word, data, variables)
                             : kinds_of_file(choice, data, variables);
}

std::vector<LeafKind> choose_leaves(const LeafChoice& choice, const RowRules& rules,
                                    const Examples& rows, std::vector<Variable>& variables) {
  const std::vector<std::optional<LeafKind>> asked = asked_leaves(choice, rows.info, variables);
  Largest largest(variables.size());
  if (std::ranges::any_of(variables, is_real)) {
    std::ranges::fill(largest, 0.0);
    look_at(rows, rules, largest);
    if (choice.further != nullptr) look_at(*choice.further, rules, largest);
  }
  std::vector<LeafKind> chosen;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    Variable& variable = variables[v];
    const bool whole = !is_real(variable);
    LeafKind kind = LeafKind::table;
    if (!whole && !largest[v]) kind = LeafKind::gaussian;
    if (!whole && largest[v] && *largest[v] <= 1) kind = LeafKind::bernoulli;
    kind = asked[v].value_or(kind);
    if (kind == LeafKind::dgaussian)
      fail(ErrorKind::usage, "--leaf", "is dgaussian, which goes with the columns of a table",
           "--structure table");
    if (kind == LeafKind::gaussian) variable.categories = 0;
    else if (!whole && largest[v])
      variable.categories = std::max<std::int64_t>(2, std::int64_t(*largest[v]) + 1);
    if (const std::string needs = leaf_needs(kind, variable.categories); !needs.empty())
      fail(ErrorKind::usage, "--leaf",
           std::string("is ") + word_of(kind) + ", which needs " + needs + ", and " +
               variable.name + " has " +
               (variable.categories == 0 ? "real numbers"
                                         : std::to_string(variable.categories) + " categories"),
           "--leaf auto");
    chosen.push_back(kind);
  }
  return chosen;
}

void require_words(const Circuit& circuit, const DatasetInfo& data, const std::string& file) {
  const auto variables = std::ssize(circuit.variables);
  for (std::int64_t column = 0; column < data.dims(); ++column) {
    const std::int64_t words = words_of(data, column);
    if (words == 0 || (!circuit.chained() && column >= variables)) continue;
    const Variable& variable = circuit.variables[at(column % variables)];
    const std::int64_t categories = variable.categories;
    if (categories == 0 || variable.known() != words)
      fail(ErrorKind::data, file,
           "gives " + data.column_name(column) + ' ' +
               (categories == 0 ? "real numbers" : std::to_string(categories) + " categories") +
               ", and the column holds " + std::to_string(words) + " words");
  }
}

void set_leaves(const std::vector<LeafKind>& leaves, Circuit& circuit) {
  for (Block& block : circuit.blocks)
    if (block.kind == BlockKind::leaf) block.leaf_kind = leaves[at(block.variable)];
}

}  // namespace logpx::pc
