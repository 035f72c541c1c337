#include "libcore/families/pc/text/circuit_text.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/text/json.hpp"
#include "libcore/families/pc/circuit/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace logpx::pc {
namespace {

using Kind = JsonValue::Kind;

// Numbers of nested lists, one behind the other.
void gather_numbers(const JsonValue& value, std::vector<double>& to) {
  to.insert(to.end(), value.numbers.begin(), value.numbers.end());
  if (value.kind == Kind::number) to.push_back(value.number);
  for (const JsonValue& item : value.items) gather_numbers(item, to);
}

class CircuitReader {
 public:
  CircuitReader(const JsonValue& json, const std::string& name) : json_(json), name_(name) {}

  CircuitText read() {
    require(json_.kind == Kind::object, json_, "expected an object with variables and blocks");
    read_variables(member(json_, "variables"));
    const JsonValue& blocks = list_of(json_, "blocks");
    if (std::ssize(blocks.items) > most_blocks)
      bad(blocks, "there are more than " + std::to_string(most_blocks) + " blocks");
    int number = 0;
    for (const JsonValue& block : blocks.items) {
      require(block.kind == Kind::object, block, "expected a block");
      numbers_.try_emplace(text_of(block, "id"), number++);
    }
    for (const JsonValue& block : blocks.items) read_block(block);
    Circuit& circuit = read_.circuit;
    circuit.root = number_of(member(json_, "root"));
    if (const JsonValue* styles = json_.find("styles")) circuit.styles = whole(*styles);
    if (const JsonValue* carried = json_.find("carried")) circuit.carried = number_of(*carried);
    if (const JsonValue* ln_z = json_.find("ln_z")) {
      require(ln_z->kind == Kind::number, *ln_z, "\"ln_z\" is not a number");
      circuit.ln_z = ln_z->number;
    }
    size_products();
    for (Block& block : circuit.blocks)
      if (block.kind == BlockKind::sum && block.factors.n == std::vector<std::int64_t>{0})
        block.factors.n[0] = inputs_of(block);
    require_valid(circuit, name_);
    check_weights();
    if (circuit.styles > 1 && json_.find("style_prior") != nullptr) read_styles();
    return std::move(read_);
  }

 private:
  [[noreturn]] void bad(const JsonValue& at, const std::string& what) const {
    fail(ErrorKind::data, name_, "line " + std::to_string(at.line) + ": " + what);
  }
  void require(bool holds, const JsonValue& at, const std::string& what) const {
    if (!holds) bad(at, what);
  }
  const JsonValue& member(const JsonValue& of, const std::string& key) const {
    const JsonValue* found = of.find(key);
    require(found != nullptr, of, "\"" + key + "\" is missing");
    return *found;
  }
  const JsonValue& list_of(const JsonValue& of, const std::string& key) const {
    const JsonValue& list = member(of, key);
    require(list.kind == Kind::list, list, "\"" + key + "\" is not a list");
    return list;
  }
  std::string text_of(const JsonValue& of, const std::string& key,
                      const std::string& otherwise = "") const {
    if (!otherwise.empty() && of.find(key) == nullptr) return otherwise;
    const JsonValue& text = member(of, key);
    require(text.kind == Kind::text, text, "\"" + key + "\" is not a text");
    return text.text;
  }
  std::int64_t whole(const JsonValue& value) const {
    require(value.kind == Kind::number && value.number == std::floor(value.number) &&
                std::abs(value.number) <= 0x1p40,
            value, "expected a whole number");
    return static_cast<std::int64_t>(value.number);
  }
  std::vector<std::int64_t> whole_numbers(const JsonValue& of, const std::string& key) const {
    const JsonValue& list = list_of(of, key);
    std::vector<std::int64_t> numbers;
    for (const double number : list.numbers) {
      JsonValue one = list;
      one.kind = Kind::number;
      one.number = number;
      numbers.push_back(whole(one));
    }
    return numbers;
  }
  bool holds(const JsonValue& of, const std::string& key) const {
    const JsonValue* found = of.find(key);
    if (found == nullptr) return false;
    require(found->kind == Kind::boolean, *found, '"' + key + "\" is neither true nor false");
    return found->number != 0;
  }
  int number_of(const JsonValue& id) const {
    const auto found = numbers_.find(id.text);
    require(id.kind == Kind::text && found != numbers_.end(), id,
            "there is no block \"" + id.text + "\"");
    return found->second;
  }

  void read_variables(const JsonValue& list) {
    require(list.kind == Kind::list, list, "\"variables\" is not a list");
    for (const JsonValue& variable : list.items) {
      require(variable.kind == Kind::object, variable, "expected a variable");
      const std::string usual = "x" + std::to_string(read_.circuit.variables.size());
      Variable& made = read_.circuit.variables.emplace_back();
      made.name = text_of(variable, "name", usual);
      if (const JsonValue* cats = variable.find("cats")) made.categories = whole(*cats);
      made.whole = holds(variable, "whole");
      made.open = holds(variable, "open");
      if (variable.find("values") != nullptr) made.values = list_of(variable, "values").numbers;
    }
  }

  void read_block(const JsonValue& json) {
    Block block{.id = text_of(json, "id")};
    std::vector<double> weights;
    const std::string type = text_of(json, "type");
    if (json.find("children") != nullptr)
      for (const JsonValue& child : list_of(json, "children").items)
        block.children.push_back(number_of(child));
    if (const JsonValue* tied = json.find("tied_to")) block.tied_to = number_of(*tied);
    if (type == "leaf") read_leaf(json, block, weights);
    else if (type == "sum") read_sum(json, block, weights);
    else if (type == "product") read_product(json, block);
    else if (type == "carry") block.kind = BlockKind::carry;
    else bad(json, "a block of type \"" + type + "\" is not known: leaf, sum, product or carry");
    if (const JsonValue* size = json.find("size")) {
      const std::int64_t given = whole(*size);
      require(block.size == 0 || block.size == given, *size,
              "\"size\" differs from the parameters");
      block.size = given;
    }
    if (block.kind == BlockKind::sum && block.factors.m == std::vector<std::int64_t>{0})
      block.factors.m[0] = block.size;
    read_.circuit.blocks.push_back(std::move(block));
    read_.weights.push_back(std::move(weights));
  }

  // Appends the rows of a matrix to the weights, and counts them.
  std::int64_t read_rows(const JsonValue& json, const std::string& key,
                         std::vector<double>& weights) const {
    if (json.find(key) == nullptr) return 0;
    const JsonValue& list = list_of(json, key);
    gather_numbers(list, weights);
    return list.items.empty() ? 1 : std::ssize(list.items);
  }

  void read_leaf(const JsonValue& json, Block& block, std::vector<double>& weights) const {
    block.kind = BlockKind::leaf;
    const std::string dist = text_of(json, "dist", "categorical");
    if (json.find("vars") != nullptr) return read_joint(json, dist, block, weights);
    block.variable =
        static_cast<int>(std::clamp<std::int64_t>(whole(member(json, "var")), -1, 1 << 30));
    if (dist == "indicator") {
      block.kind = BlockKind::indicator;
      block.size = 1;
      block.value = whole(member(json, "value"));
      return;
    }
    bool known = false;
    for (const LeafKind kind : {LeafKind::table, LeafKind::bernoulli, LeafKind::binomial,
                                LeafKind::gaussian, LeafKind::dlogistic, LeafKind::dgaussian})
      if (dist == word_of(kind)) block.leaf_kind = kind, known = true;
    require(
        known, json,
        "a leaf of \"" + dist +
            "\" is not known: categorical, bernoulli, binomial, gaussian, dlogistic, dgaussian or "
            "indicator");
    block.styled = holds(json, "styled");
    block.broad = holds(json, "broad");
    block.size = read_rows(json, "params", weights);
    if (!block.styled || block.size == 0) return;
    const JsonValue& styles = member(json, "params");  // a matrix for each
    block.size = styles.items.empty() ? 0 : std::ssize(styles.items[0].items);
  }

  void read_joint(const JsonValue& json, const std::string& dist, Block& block,
                  std::vector<double>& weights) const {
    require(dist == "gaussian", json,
            "a leaf of several variables is of \"dist\": \"gaussian\", not \"" + dist + '"');
    block.kind = BlockKind::joint;
    block.leaf_kind = LeafKind::gaussian;
    for (const std::int64_t v : whole_numbers(json, "vars"))
      block.variables.push_back(static_cast<int>(std::clamp<std::int64_t>(v, -1, 1 << 30)));
    block.broad = holds(json, "broad");
    block.size = read_rows(json, "params", weights);
  }

  void read_sum(const JsonValue& json, Block& block, std::vector<double>& weights) const {
    const std::string kind = text_of(json, "kind", "dense");
    block.kind = kind == "mixing" ? BlockKind::mixing : BlockKind::sum;
    if (kind == "monarch") {
      gather_numbers(json.find("weights") == nullptr ? JsonValue() : list_of(json, "weights"),
                     weights);
      block.factors = {.m = whole_numbers(json, "m"), .n = whole_numbers(json, "n"), .program = {}};
      if (json.find("program") != nullptr)
        for (const std::int64_t axis : whole_numbers(json, "program"))
          block.factors.program.push_back(static_cast<int>(std::clamp<std::int64_t>(axis, 0, 99)));
      block.size = 1;
      for (const std::int64_t m : block.factors.m)
        block.size = m > 0 && block.size < (std::int64_t{1} << 40) / m ? block.size * m : 0;
      return;
    }
    require(kind == "dense" || kind == "mixing", json,
            "a sum of kind \"" + kind + "\" is not known: dense, mixing or monarch");
    block.size = read_rows(json, "weights", weights);
    if (kind == "dense") block.factors = {.m = {block.size}, .n = {0}, .program = {}};
  }

  void read_product(const JsonValue& json, Block& block) const {
    block.kind = BlockKind::product;
    const std::string kind = text_of(json, "kind", "hadamard");
    require(kind == "hadamard" || kind == "kronecker", json,
            "a product of kind \"" + kind + "\" is not known: hadamard or kronecker");
    block.product = kind == "kronecker" ? ProductKind::kronecker : ProductKind::hadamard;
  }

  [[nodiscard]] std::int64_t inputs_of(const Block& block) const {
    std::int64_t inputs = 0;
    for (const int child : block.children) inputs += read_.circuit.blocks[at(child)].size;
    return inputs;
  }

  // The size of a product follows from its children; products on a cycle have none.
  void size_products() {
    Circuit& circuit = read_.circuit;
    for (const int b : children_first(circuit, circuit.root)) {
      Block& block = circuit.blocks[at(b)];
      if (block.kind != BlockKind::product || block.size != 0 || block.children.empty()) continue;
      const bool grows = block.product == ProductKind::kronecker;
      block.size = circuit.blocks[at(block.children[0])].size;
      for (std::size_t i = 1; i < block.children.size() && grows; ++i)
        block.size = std::min<std::int64_t>(block.size, std::int64_t{1} << 32) *
                     circuit.blocks[at(block.children[i])].size;
    }
    if (circuit.chained() && circuit.carry() >= 0) {
      Block& carry = circuit.blocks[at(circuit.carry())];
      if (carry.size == 0) carry.size = circuit.blocks[at(circuit.carried)].size;
    }
    for (Block& block : circuit.blocks)
      if (block.kind == BlockKind::product && block.size == 0) block.size = 1;
  }

  void check_weights() const {
    for (std::size_t b = 0; b < read_.weights.size(); ++b) {
      if (read_.weights[b].empty()) continue;
      const Block& block = read_.circuit.blocks[b];
      std::int64_t expected = 0;
      for (const TensorForm& form : tensor_forms(read_.circuit, block))
        if (use_of(form.name) != TensorUse::statistics) expected += form.shape.elements();
      if (std::ssize(read_.weights[b]) != expected)
        fail(ErrorKind::data, name_,
             "block " + block.id + " has " + std::to_string(read_.weights[b].size()) +
                 " numbers, expected " + std::to_string(expected));
    }
  }

  void read_styles() {
    const std::int64_t values = read_.circuit.variables[0].categories;
    read_.style_prior = read_shares("style_prior", read_.circuit.styles);
    read_.style_values = read_shares("style_values", values);
    const bool fit = std::ssize(read_.style_prior) == read_.circuit.styles &&
                     std::ssize(read_.style_values) == read_.circuit.styles * values;
    require(fit, member(json_, "style_prior"),
            "\"style_prior\" and \"style_values\" do not have a row for each style");
  }

  // Reads rows of `each` numbers that sum to 1.
  std::vector<double> read_shares(const std::string& key, std::int64_t each) const {
    const JsonValue& list = list_of(json_, key);
    std::vector<double> numbers;
    gather_numbers(list, numbers);
    for (std::size_t begin = 0; begin + at(each) <= numbers.size(); begin += at(each)) {
      double sum = 0;
      for (const double share : std::span(numbers).subspan(begin, at(each))) {
        require(share >= 0, list, "\"" + key + "\" holds a share below 0");
        sum += share;
      }
      require(std::abs(sum - 1) <= 1e-5, list,
              "a row of \"" + key + "\" sums to " + to_text(sum) + ", expected 1");
    }
    return numbers;
  }

  const JsonValue& json_;
  const std::string& name_;
  CircuitText read_;
  std::map<std::string, int, std::less<>> numbers_;
};

}  // namespace

void require_length(std::string_view text, const std::string& name) {
  if (std::ssize(text) > most_text)
    fail(ErrorKind::data, name,
         "is a text of " + std::to_string(text.size()) + " bytes, expected at most " +
             std::to_string(most_text));
}

CircuitText read_circuit(std::string_view text, const std::string& name) {
  require_length(text, name);
  const JsonValue json = read_json(text, name);
  return CircuitReader(json, name).read();
}

}  // namespace logpx::pc
