#include "libcore/families/pc/queries/drawing.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/text/json.hpp"

namespace logpx::pc {
namespace {

std::string factors_text(const std::vector<std::int64_t>& factors) {
  std::vector<std::string> words;
  for (const std::int64_t factor : factors) words.push_back(std::to_string(factor));
  return join_text(words, "x");
}

// The text in a block's box.
std::string label_of(const Circuit& circuit, const Block& block) {
  const std::string size = std::to_string(block.size);
  switch (block.kind) {
    case BlockKind::leaf: {
      const Variable& variable = circuit.variables[at(block.variable)];
      return variable.name + ": " + size + " x " + std::to_string(variable.categories);
    }
    case BlockKind::joint: {
      std::vector<std::string> names;
      for (const int v : block.variables) names.push_back(circuit.variables[at(v)].name);
      constexpr std::size_t shown = 4;
      const bool more = names.size() > shown;
      names.resize(std::min(names.size(), shown));
      return join_text(names, ", ") + (more ? ", ..: " : ": ") + size + " gaussians";
    }
    case BlockKind::indicator:
      return circuit.variables[at(block.variable)].name + " = " + std::to_string(block.value);
    case BlockKind::mixing: return "mixing " + size;
    case BlockKind::carry: return "next step";
    case BlockKind::product:
      return (block.product == ProductKind::kronecker ? "outer x " : "x ") + size;
    case BlockKind::sum: break;
  }
  const std::string form = block.is_dense() ? "" : ": " + factors_text(block.factors.m);
  return "+ " + size + form;
}

const char* shape_of(const Block& block) {
  switch (block.kind) {
    case BlockKind::leaf:
    case BlockKind::joint:
    case BlockKind::indicator: return "box";
    case BlockKind::carry: return "plaintext";
    case BlockKind::product: return "ellipse";
    case BlockKind::sum:
    case BlockKind::mixing: break;
  }
  return "box, style=rounded";
}

}  // namespace

std::string draw_circuit(const Circuit& circuit) {
  if (std::ssize(circuit.blocks) > most_drawn)
    fail(ErrorKind::usage, "--format",
         "dot draws at most " + std::to_string(most_drawn) + " blocks, and this circuit has " +
             std::to_string(circuit.blocks.size()),
         "--format json");
  std::string text = "digraph circuit {\n  rankdir=TB;\n  node [fontname=\"sans-serif\"];\n";
  for (const Block& block : circuit.blocks)
    text += "  " + json_text(block.id) + " [label=" + json_text(label_of(circuit, block)) +
            ", tooltip=" + json_text(block.id) + ", shape=" + shape_of(block) + "];\n";
  for (const Block& block : circuit.blocks)
    for (const int child : block.children)
      text += "  " + json_text(block.id) + " -> " + json_text(circuit.blocks[at(child)].id) + ";\n";
  if (circuit.chained())
    text += "  " + json_text(circuit.blocks[at(circuit.carry())].id) + " -> " +
            json_text(circuit.blocks[at(circuit.carried)].id) + " [style=dashed];\n";
  return text + "}\n";
}

}  // namespace logpx::pc
