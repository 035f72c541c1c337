#include "libcore/families/pc/structures/structures.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/text/json.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace logpx::pc {
namespace {

class Builder {
 public:
  explicit Builder(std::vector<Variable> variables) { circuit.variables = std::move(variables); }
  int add(Block block) {
    circuit.blocks.push_back(std::move(block));
    return static_cast<int>(circuit.blocks.size()) - 1;
  }
  Circuit circuit;
};

// Makes the leaves of a tree's variables: tables of their own, or mixtures of a dictionary.
class TreeLeaves {
 public:
  TreeLeaves(const TreeForm& form, std::int64_t states) : form_(form), states_(states) {}

  int add(Builder& to, int v) {
    const std::string number = '.' + std::to_string(v);
    const Dictionary& dictionary = form_.dictionary;
    Block leaf = Block::leaf("leaf" + number, states_, v);
    if (dictionary.elements > 0) {
      Block grey = Block::leaf("grey" + number, dictionary.elements - 1, v);
      grey.styled = dictionary.styles > 1;
      grey.tied_to = grey_;
      const int ground = to.add(Block::indicator("ground" + number, v, 0)),
                added = to.add(std::move(grey));
      if (grey_ < 0) grey_ = added;
      leaf = Block::dense_sum(leaf.id, states_, {ground, added}, dictionary.elements);
    }
    const auto [owner, first] = owners_.try_emplace(form_.ties.set_of(v), -1);
    leaf.tied_to = owner->second;
    const int added = to.add(std::move(leaf));
    if (first) owner->second = added;
    return added;
  }

 private:
  const TreeForm& form_;
  std::int64_t states_;
  int grey_ = -1;                   // the first
  std::map<int, int> owners_ = {};  // by set of variables that share leaves: its first leaf
};

std::int64_t states_of(const MonarchFactors& factors) {
  std::int64_t states = 1;
  for (const std::int64_t m : factors.m) states *= m;
  return states;
}

// Children of each vertex, in ascending order.
std::vector<std::vector<int>> children_of(const std::vector<std::int32_t>& parents) {
  std::vector<std::vector<int>> children(parents.size());
  for (std::size_t v = 0; v < parents.size(); ++v)
    if (parents[v] >= 0) children[at(parents[v])].push_back(static_cast<int>(v));
  return children;
}

// Vertices with those below them first.
std::vector<int> leaves_first(const std::vector<std::int32_t>& parents) {
  const std::vector<std::vector<int>> children = children_of(parents);
  std::vector<int> order;
  for (std::size_t v = 0; v < parents.size(); ++v)
    if (parents[v] < 0) order.push_back(static_cast<int>(v));
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), children[at(order[i])].begin(), children[at(order[i])].end());
  std::ranges::reverse(order);
  return order;
}

const JsonValue& array_of(const JsonValue& hmm, const char* key, const std::string& name) {
  const JsonValue* const array = hmm.find(key);
  if (array == nullptr || array->kind != JsonValue::Kind::list)
    fail(ErrorKind::data, name,
         "line " + std::to_string(hmm.line) + ": \"" + key + "\" is not a list of numbers");
  return *array;
}

// Rows of one length, one behind the other.
std::vector<double> matrix_of(const JsonValue& hmm, const char* key, std::size_t rows,
                              const std::string& name) {
  const JsonValue& array = array_of(hmm, key, name);
  std::vector<double> values;
  for (const JsonValue& row : array.items) {
    if (row.numbers.size() != array.items[0].numbers.size() || row.numbers.empty())
      fail(ErrorKind::data, name,
           "line " + std::to_string(row.line) + ": \"" + key + "\" has rows of different length");
    values.insert(values.end(), row.numbers.begin(), row.numbers.end());
  }
  if (array.items.size() != rows)
    fail(ErrorKind::data, name,
         std::string("\"") + key + "\" has " + std::to_string(array.items.size()) +
             " rows, expected one for each of the " + std::to_string(rows) + " of \"startprob\"");
  return values;
}

CircuitText read_markov(const JsonValue& hmm, const std::string& name) {
  const std::vector<double>& start = array_of(hmm, "startprob", name).numbers;
  const std::size_t states = start.size();
  const std::vector<double> transition = matrix_of(hmm, "transmat", states, name);
  const std::vector<double> emission = matrix_of(hmm, "emissionprob", states, name);
  if (states == 0 || transition.size() != states * states)
    fail(ErrorKind::data, name, "\"transmat\" is not a square of the size of \"startprob\"");
  const auto symbols = static_cast<std::int64_t>(emission.size() / states);
  CircuitText read{.circuit = hidden_markov({"symbol", symbols},
                                            square_sum(static_cast<std::int64_t>(states), {})),
                   .weights = {}};
  for (const Block& block : read.circuit.blocks) {
    std::vector<double>& weights = read.weights.emplace_back();
    if (block.id == "root") weights = start;
    if (block.id == "transition") weights = transition;
    if (block.id == "emission") weights = emission;
  }
  return read;
}

}  // namespace

MonarchFactors square_sum(std::int64_t hidden, const std::optional<MonarchFactors>& factors) {
  if (factors) return *factors;
  return {.m = {hidden}, .n = {hidden}, .program = {}};
}

Circuit hidden_markov(Variable symbol, const MonarchFactors& transition) {
  const std::int64_t states = states_of(transition);
  Builder b({std::move(symbol)});
  const int next = b.add(Block::carry("next", states));
  const int later = b.add(Block::sum("transition", transition, {next}));
  const int emission = b.add(Block::leaf("emission", states, 0));
  b.circuit.carried = b.add(Block::hadamard("state", states, {later, emission}));
  b.circuit.root = b.add(Block::dense_sum("root", 1, {b.circuit.carried}, states));
  return std::move(b.circuit);
}

Circuit hidden_tree(const std::vector<Variable>& variables,
                    const std::vector<std::int32_t>& parents, const TreeForm& form) {
  const std::int64_t states = states_of(form.transition);
  const std::vector<std::vector<int>> children = children_of(parents);
  const auto hangs_on = [&](int v) { return !form.hosts.empty() && form.hosts[at(v)] >= 0; };
  std::vector<int> down(parents.size(), -1);
  TreeLeaves leaves(form, states);
  Builder b(variables);
  b.circuit.styles = form.dictionary.elements > 0 ? form.dictionary.styles : 1;
  for (const int v : leaves_first(parents)) {
    const std::string number = '.' + std::to_string(v);
    std::vector<int> parts = {leaves.add(b, v)};
    for (const int child : children[at(v)]) parts.push_back(down[at(child)]);
    int state = parts[0];
    if (parts.size() > 1) state = b.add(Block::hadamard("state" + number, states, parts));
    const bool merged = parts.size() == 1 && form.leaf_latents == LeafLatents::merge;
    if (parents[at(v)] < 0) b.circuit.root = b.add(Block::dense_sum("root", 1, {state}, states));
    else if (merged || hangs_on(v)) down[at(v)] = state;
    else down[at(v)] = b.add(Block::sum("down" + number, form.transition, {state}));
  }
  return std::move(b.circuit);
}

Circuit mixture(const std::vector<Variable>& variables, std::int64_t components) {
  Builder b(variables);
  std::vector<int> leaves;
  for (std::size_t v = 0; v < variables.size(); ++v)
    leaves.push_back(
        b.add(Block::leaf("leaf." + std::to_string(v), components, static_cast<int>(v))));
  const int product = b.add(Block::hadamard("components", components, leaves));
  b.circuit.root = b.add(Block::dense_sum("root", 1, {product}, components));
  return std::move(b.circuit);
}

CircuitText read_structure(std::string_view text, const std::string& name) {
  if (std::ssize(text) <= most_text) {
    const JsonValue json = read_json(text, name);
    if (const JsonValue* hmm = json.find("hmm")) return read_markov(*hmm, name);
  }
  return read_circuit(text, name);
}

}  // namespace logpx::pc
