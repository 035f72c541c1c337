#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/text/circuit_text.hpp"
#include "libcore/families/pc/text/json.hpp"

namespace logpx::pc {
namespace {

template <typename Numbers>
std::string number_list(const Numbers& numbers) {
  std::vector<std::string> texts;
  for (const auto number : numbers) texts.push_back(std::to_string(number));
  return '[' + join_text(texts, ",") + ']';
}

std::string kind_text(const Block& block) {
  const std::string broad = block.broad ? R"(,"broad":true)" : "";
  switch (block.kind) {
    case BlockKind::leaf: {
      const std::string leaf = R"("leaf","var":)" + std::to_string(block.variable) +
                               (block.styled ? R"(,"styled":true)" : "") + broad;
      if (block.leaf_kind == LeafKind::table) return leaf;
      return leaf + R"(,"dist":")" + word_of(block.leaf_kind) + '"';
    }
    case BlockKind::joint:
      return R"("leaf","dist":"gaussian","vars":)" + number_list(block.variables) + broad;
    case BlockKind::indicator:
      return R"("leaf","dist":"indicator","var":)" + std::to_string(block.variable) +
             R"(,"value":)" + std::to_string(block.value);
    case BlockKind::carry: return R"("carry")";
    case BlockKind::mixing: return R"("sum","kind":"mixing")";
    case BlockKind::product:
      return block.product == ProductKind::kronecker ? R"("product","kind":"kronecker")"
                                                     : R"("product")";
    case BlockKind::sum: break;
  }
  if (block.is_dense()) return R"("sum")";
  return R"("sum","kind":"monarch","m":)" + number_list(block.factors.m) + R"(,"n":)" +
         number_list(block.factors.n) + R"(,"program":)" +
         number_list(Monarch(block.factors).factors().program);
}

std::string row_text(std::span<const double> numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(to_text(number));
  return '[' + join_text(texts, ",") + ']';
}

std::string variable_text(const Variable& variable) {
  std::string text = "{\"name\":" + json_text(variable.name);
  if (variable.categories > 0) text += ",\"cats\":" + std::to_string(variable.categories);
  if (variable.whole) text += ",\"whole\":true";
  if (variable.open) text += ",\"open\":true";
  if (!variable.values.empty()) text += ",\"values\":" + row_text(variable.values);
  return text + '}';
}

std::string row_list(std::span<const double> numbers, std::size_t columns) {
  std::vector<std::string> rows;
  for (std::size_t begin = 0; begin < numbers.size(); begin += columns)
    rows.push_back(row_text(numbers.subspan(begin, columns)));
  return '[' + join_text(rows, ",\n ") + ']';
}

// Writes the rows of a matrix, or a matrix for each style. Layers of a Monarch sum make one row.
std::string number_rows(const Circuit& circuit, const Block& block,
                        std::span<const double> numbers) {
  if (block.styled) {
    const std::size_t each = numbers.size() / at(circuit.styles);
    std::vector<std::string> matrices;
    for (std::size_t begin = 0; begin < numbers.size(); begin += each)
      matrices.push_back(row_list(numbers.subspan(begin, each), each / at(block.size)));
    return '[' + join_text(matrices, ",\n") + ']';
  }
  const bool layered = block.kind == BlockKind::sum && !block.is_dense();
  return row_list(numbers, layered ? numbers.size() : numbers.size() / at(block.size));
}

bool is_leaf(const Block& block) {
  return block.kind == BlockKind::leaf || block.kind == BlockKind::joint;
}

}  // namespace

std::string write_circuit(const Circuit& circuit) {
  std::string text = write_circuit({.circuit = circuit, .weights = {}});
  require_length(text, "structure");
  return text;
}

std::string write_circuit(const CircuitText& whole) {
  const Circuit& circuit = whole.circuit;
  const auto id = [&](int block) { return json_text(circuit.blocks[at(block)].id); };
  std::string text = "{\"variables\":[";
  for (std::size_t v = 0; v < circuit.variables.size(); ++v)
    text += std::string(v > 0 ? "," : "") + "\n" + variable_text(circuit.variables[v]);
  text += "],\n\"root\":" + id(circuit.root);
  if (circuit.chained()) text += ",\"carried\":" + id(circuit.carried);
  if (circuit.styles > 1) text += ",\"styles\":" + std::to_string(circuit.styles);
  if (circuit.ln_z) text += ",\"ln_z\":" + to_text(*circuit.ln_z);
  if (const std::vector<double>& values = whole.style_values; !whole.style_prior.empty())
    text += ",\n\"style_prior\":" + row_text(whole.style_prior) +
            ",\n\"style_values\":" + row_list(values, values.size() / at(circuit.styles));
  text += ",\"blocks\":[";
  for (std::size_t b = 0; b < circuit.blocks.size(); ++b) {
    const Block& block = circuit.blocks[b];
    text += std::string(b > 0 ? "," : "") + "\n{\"id\":" + json_text(block.id) +
            ",\"type\":" + kind_text(block) + ",\"size\":" + std::to_string(block.size);
    std::vector<std::string> children;
    for (const int child : block.children) children.push_back(id(child));
    if (!children.empty()) text += ",\"children\":[" + join_text(children, ",") + ']';
    if (block.tied_to >= 0) text += ",\"tied_to\":" + id(block.tied_to);
    else if (b < whole.weights.size() && !whole.weights[b].empty())
      text += std::string(is_leaf(block) ? ",\"params\":" : ",\"weights\":") +
              number_rows(circuit, block, whole.weights[b]);
    text += '}';
  }
  return text + "]}\n";
}

}  // namespace logpx::pc
