#include "libcore/families/pc/circuit/validation.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/families/pc/circuit/properties.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <type_traits>

namespace logpx::pc {
namespace {

constexpr std::int64_t most_nodes = std::int64_t{1} << 31;
constexpr std::int64_t most_styles = 4096;
constexpr double most_weights = 0x1p36;  // of one block, and of all together
constexpr std::size_t longest_id = 64;

bool is_id(const std::string& id) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !id.empty() && id.size() <= longest_id && letter(id[0]) &&
         std::ranges::all_of(id,
                             [&](char c) { return letter(c) || c == '_' || c == '-' || c == '.'; });
}

std::string names_of(const Circuit& circuit, const Scope& scope) {
  constexpr std::size_t shown = 4;
  std::string text = "{";
  for (std::size_t i = 0; i < std::min(shown, scope.size()); ++i) {
    if (i > 0) text += ", ";
    const auto v = at(scope[i]);
    text += v < circuit.variables.size() ? circuit.variables[v].name : "later steps";
  }
  return text + (scope.size() > shown ? ", ...}" : "}");
}

class Search {
 public:
  explicit Search(const Circuit& circuit) : circuit_(circuit), scopes_(circuit.blocks.size()) {}

  std::vector<Fault> faults() {
    check_names();
    check_styles();
    for (const Block& block : circuit_.blocks) check_alone(block);
    if (weights_ > most_weights) note("", "there are more than 2^36 weights");
    check_chain();
    if (!faults_.empty()) return faults_;  // later checks follow the references
    const std::vector<int> order = children_first(circuit_, circuit_.root);
    if (order.empty() || order.back() != circuit_.root) {
      note_cycles();
      return faults_;
    }
    for (const int block : order) check_with_children(circuit_.blocks[at(block)], block);
    check_whole(order);
    return faults_;
  }
  [[nodiscard]] const std::vector<Scope>& scopes() const { return scopes_; }

 private:
  void note(const std::string& block, std::string text) {
    faults_.push_back({block, std::move(text)});
  }
  [[nodiscard]] bool exists(int block) const {
    return block >= 0 && block < std::ssize(circuit_.blocks);
  }
  [[nodiscard]] const Block& child(const Block& block, std::size_t i) const {
    return circuit_.blocks[at(block.children[i])];
  }

  void check_names() {
    if (circuit_.variables.empty()) note("", "there are no variables");
    for (const Variable& variable : circuit_.variables)
      if (variable.categories < 0 || variable.categories > 65536)
        note("", "variable " + variable.name + " has " + std::to_string(variable.categories) +
                     " categories, expected 1 to 65536");
    for (const Variable& variable : circuit_.variables) check_values(variable);
    if (std::ssize(circuit_.blocks) > most_blocks)
      note("", "there are more than " + std::to_string(most_blocks) + " blocks");
    std::set<std::string> ids;
    for (const Block& block : circuit_.blocks) {
      if (!is_id(block.id))
        note(block.id, "its id is not 1 to 64 letters, digits, dots, hyphens and underscores");
      else if (!ids.insert(block.id).second) note(block.id, "two blocks have this id");
    }
    if (circuit_.ln_z && !std::isfinite(*circuit_.ln_z))
      note("", "its ln Z is not a finite number");
    if (!exists(circuit_.root)) note("", "the root is not among the blocks");
    else if (circuit_.blocks[at(circuit_.root)].size != 1)
      note(circuit_.blocks[at(circuit_.root)].id, "the root has more than one node");
  }

  void check_values(const Variable& variable) {
    const std::vector<double>& own = variable.values;
    const bool finite = std::ranges::all_of(own, [](double v) { return std::isfinite(v); });
    if (!own.empty() && std::ssize(own) != variable.known())
      note("", "variable " + variable.name + " has " + std::to_string(own.size()) +
                   " values, and " + std::to_string(variable.known()) + " categories for them");
    if (!finite || std::ranges::adjacent_find(own, std::greater_equal()) != own.end())
      note("", "values of " + variable.name + " do not ascend");
    if (variable.open && (variable.categories < 2 || variable.whole))
      note("", "variable " + variable.name + " has no category beside that of new values");
  }

  void check_styles() {
    if (circuit_.styles < 1 || circuit_.styles > most_styles) {
      note("", "there are " + std::to_string(circuit_.styles) + " styles, expected 1 to 4096");
    } else if (circuit_.styles > 1) {
      const auto categories = [&](const Variable& v) { return v.categories; };
      if (std::ranges::adjacent_find(circuit_.variables, std::not_equal_to(), categories) !=
          circuit_.variables.end())
        note("", "there are styles, and variables that differ in their categories");
    }
    if (!std::ranges::any_of(circuit_.blocks, &Block::styled) != (circuit_.styles == 1))
      note("", "styles and styled leaves go together");
  }

  void check_alone(const Block& block) {
    if (block.size < 1 || block.size > most_nodes)
      note(block.id, "has " + std::to_string(block.size) + " nodes, expected 1 to 2^31");
    const bool of_variable = block.kind == BlockKind::leaf || block.kind == BlockKind::indicator;
    const bool is_joint = block.kind == BlockKind::joint;
    const bool has_children = !of_variable && !is_joint && block.kind != BlockKind::carry;
    if (has_children == block.children.empty())
      note(block.id, has_children ? "has no children" : "has children, and its kind has none");
    if (!std::ranges::all_of(block.children, [&](int c) { return exists(c); }))
      note(block.id, "has a child that is not among the blocks");
    if (of_variable && (block.variable < 0 || block.variable >= std::ssize(circuit_.variables)))
      note(block.id, "is a leaf of a variable that does not exist");
    else if (of_variable) check_leaf(block, circuit_.variables[at(block.variable)]);
    if (is_joint) check_joint(block);
    if (block.kind == BlockKind::sum) check_form(block);
    if (block.tied_to < 0) return;
    if (!exists(block.tied_to) || circuit_.blocks[at(block.tied_to)].tied_to >= 0)
      note(block.id, "is tied to what is not a block with parameters of its own");
  }

  void check_leaf(const Block& block, const Variable& variable) {
    if (block.kind == BlockKind::indicator) {
      if (block.size != 1 || block.value < 0 || block.value >= variable.categories)
        note(block.id, "is an indicator of what is not one of the values of its variable");
      return;
    }
    if (block.broad && variable.categories > 0)
      note(block.id, "is broad, which goes with real numbers");
    if (block.styled && block.leaf_kind != LeafKind::table)
      note(block.id, std::string("is styled, and ") + word_of(block.leaf_kind));
    if (const std::string needs = leaf_needs(block.leaf_kind, variable.categories); !needs.empty())
      note(block.id,
           std::string("is ") + word_of(block.leaf_kind) + ", which needs " + needs + ", and " +
               variable.name + " has " +
               (variable.categories == 0 ? "real numbers" : std::to_string(variable.categories)));
    if (variable.categories == 0 && variable.whole != (block.leaf_kind == LeafKind::dgaussian))
      note(block.id, std::string("is ") + word_of(block.leaf_kind) + ", and " + variable.name +
                         (variable.whole ? " is whole, with masses: dgaussian"
                                         : " is not whole, with densities: gaussian"));
    count_weights(block, static_cast<double>(block.styled ? circuit_.styles : 1) *
                             static_cast<double>(block.size) *
                             static_cast<double>(std::max<std::int64_t>(3, variable.categories)));
  }

  void check_joint(const Block& block) {
    const std::vector<int>& own = block.variables;
    const auto count = std::ssize(own);
    if (count < 1 || count > most_joint_variables)
      note(block.id, "is a leaf of " + std::to_string(count) + " variables, expected 1 to " +
                         std::to_string(most_joint_variables));
    const auto known = [&](int v) { return v >= 0 && v < std::ssize(circuit_.variables); };
    if (!std::ranges::all_of(own, known))
      return note(block.id, "is a leaf of a variable that does not exist");
    if (std::ranges::adjacent_find(own, std::greater_equal()) != own.end())
      note(block.id, "does not name its variables in ascending order, each once");
    for (const int v : own)
      if (const Variable& variable = circuit_.variables[at(v)]; variable.categories != 0)
        note(block.id, "is a gaussian of several variables, which needs real numbers, and " +
                           variable.name + " has " + std::to_string(variable.categories) +
                           " categories");
    if (circuit_.chained()) note(block.id, "is a leaf of several variables, and chains have none");
    count_weights(block, static_cast<double>(block.size) * static_cast<double>(count) *
                             static_cast<double>(count));
  }

  void count_weights(const Block& block, double weights) {
    if (block.tied_to < 0) weights_ += weights;
    if (weights > most_weights) note(block.id, "has more than 2^36 weights");
  }

  void check_form(const Block& block) {
    try {
      const Monarch form(block.factors);
      if (form.rows() != block.size)
        note(block.id, "has " + std::to_string(block.size) + " nodes, and its factors make " +
                           std::to_string(form.rows()));
      double weights = 0;
      for (const MonarchLayer& layer : form.layers())
        weights += static_cast<double>(layer.blocks) * static_cast<double>(layer.m) *
                   static_cast<double>(layer.n);
      count_weights(block, weights);
    } catch (const Error& error) {
      note(block.id, "its factors: " + error.message());
    }
  }

  void check_chain() {
    const auto carries = std::ranges::count(circuit_.blocks, BlockKind::carry, &Block::kind);
    if (carries > 1) note("", "there are " + std::to_string(carries) + " carry blocks, at most 1");
    if (circuit_.chained() != (carries == 1) || (circuit_.chained() && !exists(circuit_.carried))) {
      note("", "a carry block and the block that it carries go together");
    } else if (carries == 1) {
      const Block& carry = circuit_.blocks[at(circuit_.carry())];
      if (carry.size != circuit_.blocks[at(circuit_.carried)].size)
        note(carry.id, "differs in size from the block that it carries");
    }
  }

  void note_cycles() {
    std::vector<bool> sound(circuit_.blocks.size());
    for (std::size_t b = 0; b < sound.size(); ++b) {
      if (sound[b]) continue;
      const std::vector<int> order = children_first(circuit_, static_cast<int>(b));
      for (const int block : order) sound[at(block)] = true;
      if (!sound[b]) note(circuit_.blocks[b].id, "depends on itself (a cycle)");
      if (faults_.size() > 20) return;
    }
  }

  void check_with_children(const Block& block, int number) {
    Scope& scope = scopes_[at(number)];
    if (block.kind == BlockKind::leaf || block.kind == BlockKind::indicator)
      scope = {block.variable};
    if (block.kind == BlockKind::joint) scope = {block.variables.begin(), block.variables.end()};
    if (block.kind == BlockKind::carry) scope = {static_cast<int>(circuit_.variables.size())};
    if (block.kind == BlockKind::product) join_scopes(block, scope);
    if (block.kind == BlockKind::sum || block.kind == BlockKind::mixing) mix_scopes(block, scope);
    check_sizes(block);
    if (block.tied_to >= 0) check_tied(block);
  }

  void mix_scopes(const Block& block, Scope& scope) {
    scope = scopes_[at(block.children[0])];
    for (const int child : block.children) {
      if (scopes_[at(child)] == scope) continue;
      note(block.id, "sums children of different variables, " + names_of(circuit_, scope) +
                         " and " + names_of(circuit_, scopes_[at(child)]) + " (not smooth)");
      return;
    }
  }

  void join_scopes(const Block& block, Scope& scope) {
    for (const int child : block.children)
      scope.insert(scope.end(), scopes_[at(child)].begin(), scopes_[at(child)].end());
    std::ranges::sort(scope);
    const auto twice = std::ranges::adjacent_find(scope);
    if (twice == scope.end()) return;
    note(block.id,
         "multiplies children that share " + names_of(circuit_, {*twice}) + " (not decomposable)");
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
  }

  void check_sizes(const Block& block) {
    if (block.children.empty()) return;
    const auto first = child(block, 0).size;
    bool equal = true;
    std::int64_t sum = 0, product = 1;
    for (std::size_t i = 0; i < block.children.size(); ++i) {
      const std::int64_t size = child(block, i).size;
      equal = equal && size == first;
      sum += size;
      product = std::min(product, most_nodes) * size;
    }
    const bool kronecker = block.product == ProductKind::kronecker;
    if (block.kind == BlockKind::sum) {
      const std::int64_t inputs = Monarch(block.factors).columns();
      if (inputs != sum)
        note(block.id, "has weights for " + std::to_string(inputs) + " inputs, and its children " +
                           "have " + std::to_string(sum) + " nodes");
    } else if (block.kind == BlockKind::product && kronecker) {
      if (product != block.size)
        note(block.id, "has " + std::to_string(block.size) +
                           " nodes, expected the product of its " + "children's, " +
                           std::to_string(product));
    } else if (!equal || first != block.size) {
      note(block.id, "has children that differ from it in size");
    }
  }

  void check_tied(const Block& block) {
    const Block& owner = circuit_.blocks[at(block.tied_to)];
    std::vector<Shape> own, other;
    for (const TensorForm& form : tensor_forms(circuit_, block)) own.push_back(form.shape);
    for (const TensorForm& form : tensor_forms(circuit_, owner)) other.push_back(form.shape);
    if (own != other || block.kind != owner.kind || block.leaf_kind != owner.leaf_kind)
      note(block.id, "is tied to " + owner.id + ", whose parameters have another shape");
  }

  void check_whole(const std::vector<int>& order) {
    std::vector<bool> reached(circuit_.blocks.size());
    for (const int block : order) reached[at(block)] = true;
    for (std::size_t b = 0; b < reached.size(); ++b)
      if (!reached[b]) note(circuit_.blocks[b].id, "is not reached from the root");
    Scope all(circuit_.variables.size() + (circuit_.chained() ? 1 : 0));
    std::iota(all.begin(), all.end(), 0);
    const auto require_all = [&](int block) {
      const Scope& scope = scopes_[at(block)];
      Scope lacking;
      std::ranges::set_difference(all, scope, std::back_inserter(lacking));
      if (!lacking.empty())
        note(circuit_.blocks[at(block)].id, "has no leaf of " + names_of(circuit_, lacking));
    };
    require_all(circuit_.root);
    if (!circuit_.chained()) return;
    require_all(circuit_.carried);
    check_head(order);
  }

  // Blocks above the carried one exist at the first step only, and see it as a whole.
  void check_head(const std::vector<int>& order) {
    std::vector<bool> of_step(circuit_.blocks.size());
    for (const int block : children_first(circuit_, circuit_.carried)) of_step[at(block)] = true;
    for (const int b : order) {
      const Block& block = circuit_.blocks[at(b)];
      if (of_step[at(b)]) continue;
      const bool sees_parts = std::ranges::any_of(
          block.children, [&](int c) { return of_step[at(c)] && c != circuit_.carried; });
      if (block.children.empty() || sees_parts)
        note(block.id, "stands above the carried block and uses a part of its step");
    }
  }

  const Circuit& circuit_;
  std::vector<Scope> scopes_;
  std::vector<Fault> faults_;
  double weights_ = 0;
};

}  // namespace

std::vector<Fault> find_faults(const Circuit& circuit) { return Search(circuit).faults(); }

std::string only_scores(const Circuit& circuit) {
  return circuit.ln_z ? "this product is not normalised (multiply-pc --normalize none), so that "
                        "log p of whole rows is all that it answers"
                      : "";
}

void require_valid(const Circuit& circuit, const std::string& name) {
  constexpr std::size_t shown = 20;
  const std::vector<Fault> faults = find_faults(circuit);
  if (faults.empty()) return;
  std::vector<std::string> texts;
  for (const Fault& fault : faults) {
    if (texts.size() == shown) {
      texts.push_back("and " + std::to_string(faults.size() - shown) + " more");
      break;
    }
    texts.push_back(fault.block.empty() ? fault.text : "block " + fault.block + ' ' + fault.text);
  }
  fail(ErrorKind::data, name, join_text(texts, "; "));
}

bool is_structured_decomposable(const Circuit& circuit) {
  Search search(circuit);
  LOGPX_ASSERT(search.faults().empty());
  return splits_alike(circuit, search.scopes());
}

CircuitFacts facts_of(const Circuit& circuit) {
  Search search(circuit);
  LOGPX_ASSERT(search.faults().empty());
  CircuitFacts facts;
  std::vector<std::int64_t> depth(circuit.blocks.size());
  for (const int b : children_first(circuit, circuit.root)) {
    const Block& block = circuit.blocks[at(b)];
    facts.nodes += block.size;
    for (const int child : block.children)
      depth[at(b)] = std::max(depth[at(b)], depth[at(child)] + 1);
    if (block.kind == BlockKind::sum) facts.edges += Monarch(block.factors).edges();
    if (block.kind == BlockKind::mixing) facts.edges += block.size * std::ssize(block.children);
    if (block.tied_to >= 0) continue;
    for (const TensorForm& form : tensor_forms(circuit, block))
      if (use_of(form.name) != TensorUse::statistics) facts.parameters += form.shape.elements();
  }
  if (circuit.styles > 1)
    facts.parameters += circuit.styles * (1 + circuit.variables[0].categories);
  facts.depth = depth[at(circuit.root)];
  facts.structured_decomposable = splits_alike(circuit, search.scopes());
  facts.omni_compatible = splits_into_single(circuit, search.scopes());
  facts.deterministic = chooses_one_input(circuit);
  return facts;
}

}  // namespace logpx::pc
