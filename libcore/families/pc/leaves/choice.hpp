// Which leaves variables have, by `--leaf` and by their values.   [pc/README 2.2]
#pragma once

#include "libcore/data/row_values.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace logpx::pc {

// How many words a column has; 0: it holds numbers.
[[nodiscard]] std::int64_t words_of(const DatasetInfo& data, std::int64_t column);

// What `--leaf` says: a word for all variables of numbers ("auto", "gaussian" ..), or a file of
// words by variable, as JSON: {"age": "gaussian", "3": "binomial"}. Variables that it leaves out
// are `auto`.
struct LeafChoice {
  std::string word = "auto", file = {}, text = {};
  const Examples* further = nullptr;  // validation rows, whose values must fit too
};

// Sets the categories of the variables (those of one step for a chain) and returns the kinds of
// their leaves. auto: tables for words and whole numbers below 1024, a bernoulli for 0 and 1 among
// real data, else a gaussian. Throws where a word does not fit the values.
[[nodiscard]] std::vector<LeafKind> choose_leaves(const LeafChoice& choice, const RowRules& rules,
                                                  const Examples& rows,
                                                  std::vector<Variable>& variables);

// The kinds that it names, by variable; nothing where it leaves them open.
[[nodiscard]] std::vector<std::optional<LeafKind>> asked_leaves(
    const LeafChoice& choice, const DatasetInfo& data, const std::vector<Variable>& variables);

// Throws a data error unless a circuit from a file knows exactly the words of every column.
void require_words(const Circuit& circuit, const DatasetInfo& data, const std::string& file);

// Gives the leaves of every variable its kind.
void set_leaves(const std::vector<LeafKind>& leaves, Circuit& circuit);

}  // namespace logpx::pc
