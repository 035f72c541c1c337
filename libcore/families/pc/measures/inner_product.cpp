#include "libcore/families/pc/measures/inner_product.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/passes/scaled_numbers.hpp"
#include "libcore/math/monarch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace logpx::pc {
namespace {

using Table = ScaledNumbers;  // inner products [nodes of a, nodes of b]

using Variables = std::set<int>;  // those of later steps count as one more

[[noreturn]] void refuse(const std::string& why) {
  fail(ErrorKind::usage, "--other", "is of another form: " + why);
}

std::vector<double> transposed(const std::vector<double>& y, std::int64_t rows,
                               std::int64_t columns) {
  std::vector<double> out(y.size());
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) out[at(j * rows + i)] = y[at(i * columns + j)];
  return out;
}

// One of the two circuits, in a style.
class Side {
 public:
  Side(const SummedCircuit& circuit, std::int64_t style)
      : circuit_(circuit), style_(style), scopes_(plan().circuit().blocks.size()) {
    for (const auto* blocks : {&plan().steps(), &plan().head()})
      for (const int b : *blocks) find_scope(b);
  }

  [[nodiscard]] const PassPlan& plan() const { return circuit_.plan; }
  [[nodiscard]] const Block& block(int b) const { return plan().block(b); }
  [[nodiscard]] std::int64_t size(int b) const { return block(b).size; }
  [[nodiscard]] const Variables& scope(int b) const { return scopes_[at(b)]; }
  [[nodiscard]] bool is_sum(int b) const {
    return block(b).kind == BlockKind::sum || block(b).kind == BlockKind::mixing;
  }

  // W x for x [inputs, columns].
  [[nodiscard]] std::vector<double> apply(int b, const std::vector<double>& x,
                                          std::int64_t columns) const {
    std::vector<double> out(at(size(b) * columns));
    if (block(b).kind == BlockKind::mixing) {
      const double* w = plan().values(b, 0, circuit_.theta);
      const auto parts = std::ssize(block(b).children);
      for (std::int64_t j = 0; j < size(b); ++j)
        for (std::int64_t i = 0; i < parts; ++i, ++w)
          for (std::int64_t c = 0; c < columns; ++c)
            out[at(j * columns + c)] += *w * x[at((i * size(b) + j) * columns + c)];
      return out;
    }
    std::vector<const double*> tensors;
    for (std::size_t t = 0; t < plan().tensors(b).size(); ++t)
      tensors.push_back(plan().values(b, t, circuit_.theta));
    std::vector<double> room(at(plan().form(b).room(columns)));
    MonarchMap<double>(plan().form(b), tensors, columns, room).apply(x.data(), out.data());
    return out;
  }

  // Probabilities of all categories under each node [nodes, categories].
  [[nodiscard]] std::vector<double> tables(int b) const {
    const std::int64_t categories = plan().circuit().variables[at(block(b).variable)].categories;
    std::vector<double> all(at(size(b) * categories));
    if (block(b).kind == BlockKind::indicator) {
      all[at(block(b).value)] = 1;
      return all;
    }
    for (std::int64_t j = 0; j < size(b); ++j) {
      const std::span<const double> q = node(b, j);
      const std::span<double> own = std::span(all).subspan(at(j * categories), at(categories));
      if (plan().leaf(b) == nullptr) std::ranges::copy(q, own.begin());
      else fill_table(*plan().leaf(b), q, own);
    }
    return all;
  }

  [[nodiscard]] SummedCircuit::Normal normal(int b, std::int64_t j) const {
    const Leaf& leaf = *plan().leaf(b);
    return circuit_.in_units(block(b).variable, {.mean = leaf.mean(node(b, j)),
                                                 .deviation = leaf.deviation(node(b, j))});
  }

 private:
  [[nodiscard]] std::span<const double> node(int b, std::int64_t j) const {
    const Leaf* const leaf = plan().leaf(b);
    const std::int64_t each = leaf != nullptr
                                  ? leaf->parameters()
                                  : plan().circuit().variables[at(block(b).variable)].categories;
    const std::int64_t first = (block(b).styled ? style_ * size(b) : 0) + j;
    return {plan().values(b, 0, circuit_.theta) + first * each, at(each)};
  }

  void find_scope(int b) {
    const Block& one = block(b);
    if (one.kind == BlockKind::carry)
      scopes_[at(b)] = {static_cast<int>(plan().circuit().variables.size())};
    else if (one.kind == BlockKind::joint)
      scopes_[at(b)] = {one.variables.begin(), one.variables.end()};
    else if (one.children.empty()) scopes_[at(b)] = {one.variable};
    for (const int child : one.children)
      scopes_[at(b)].insert(scope(child).begin(), scope(child).end());
  }

  const SummedCircuit& circuit_;
  std::int64_t style_;
  std::vector<Variables> scopes_;
};

class Pairs {
 public:
  Pairs(const Side& a, const Side& b) : a_(a), b_(b) {}

  // Steps from the last to the first; other circuits have a head alone.
  Table of_roots(std::int64_t steps) {
    const Circuit &of_a = a_.plan().circuit(), &of_b = b_.plan().circuit();
    for (std::int64_t step = of_a.chained() ? steps : 0; step-- > 0;) {
      known_.clear();
      last_ = step + 1 == steps;
      next_ = of(of_a.carried, of_b.carried);
    }
    if (of_a.chained()) known_ = {{{of_a.carried, of_b.carried}, next_}};
    return of(of_a.root, of_b.root);
  }

 private:
  const Table& of(int a, int b) {
    const auto found = known_.find({a, b});
    if (found != known_.end()) return found->second;
    Table made = compute(a, b);
    return known_.insert_or_assign({a, b}, std::move(made)).first->second;
  }

  Table compute(int a, int b) {
    if (last_ && a_.plan().is_later(a) && b_.plan().is_later(b))
      return {.y = std::vector<double>(at(a_.size(a) * b_.size(b)), 1.0)};
    if (a_.is_sum(a)) return sum_of_a(a, b);
    if (b_.is_sum(b)) return sum_of_b(a, b);
    const BlockKind kind = a_.block(a).kind, other = b_.block(b).kind;
    if (kind == BlockKind::carry && other == BlockKind::carry) return next_;
    if (kind == BlockKind::joint || other == BlockKind::joint)
      refuse("one has gaussians of several variables");
    const auto is_leaf = [](BlockKind one) {
      return one == BlockKind::leaf || one == BlockKind::indicator;
    };
    if (is_leaf(kind) && is_leaf(other)) return leaves(a, b);
    if (kind == BlockKind::product && other == BlockKind::product) return products(a, b);
    refuse("one splits variables that the other does not");
  }

  Table sum_of_a(int a, int b) {
    std::vector<const Table*> parts;
    for (const int c : a_.block(a).children) parts.push_back(&of(c, b));
    const Table in = joined(parts);
    Table out{.y = a_.apply(a, in.y, b_.size(b)), .exponent = in.exponent};
    out.rescale();
    return out;
  }

  // Tables of the children stand side by side: turned over they are one behind the other.
  Table sum_of_b(int a, int b) {
    std::map<int, Table> turned;
    std::vector<const Table*> parts;
    for (const int c : b_.block(b).children) {
      const Table& one = of(a, c);
      turned[c] = {.y = transposed(one.y, a_.size(a), b_.size(c)), .exponent = one.exponent};
      parts.push_back(&turned[c]);
    }
    const Table in = joined(parts);
    Table out{.y = transposed(b_.apply(b, in.y, a_.size(a)), b_.size(b), a_.size(a)),
              .exponent = in.exponent};
    out.rescale();
    return out;
  }

  Table leaves(int a, int b) {
    const int variable = a_.block(a).variable;
    if (a_.block(a).leaf_kind == LeafKind::dgaussian)
      refuse("one has whole numbers without limits");
    const std::int64_t categories = a_.plan().circuit().variables[at(variable)].categories;
    Table out;
    const std::vector<double> of_a = categories > 0 ? a_.tables(a) : std::vector<double>(),
                              of_b = categories > 0 ? b_.tables(b) : std::vector<double>();
    for (std::int64_t j = 0; j < a_.size(a); ++j)
      for (std::int64_t k = 0; k < b_.size(b); ++k) {
        double sum = categories > 0 ? 0 : overlap(a_.normal(a, j), b_.normal(b, k));
        for (std::int64_t x = 0; x < categories; ++x)
          sum += of_a[at(j * categories + x)] * of_b[at(k * categories + x)];
        out.y.push_back(sum);
      }
    return out;
  }

  static double overlap(const SummedCircuit::Normal& a, const SummedCircuit::Normal& b) {
    const double variance = a.deviation * a.deviation + b.deviation * b.deviation,
                 off = a.mean - b.mean;
    return std::exp(-0.5 * off * off / variance) / std::sqrt(2 * std::numbers::pi * variance);
  }

  // The node of child i that node j of a product reads.
  static std::int64_t digit(const Side& side, int b, std::int64_t j, std::size_t i) {
    const Block& block = side.block(b);
    if (block.product == ProductKind::hadamard) return j;
    for (std::size_t k = block.children.size(); --k > i;) j /= side.size(block.children[k]);
    return j % side.size(block.children[i]);
  }

  Table products(int a, int b) {
    const std::vector<int>&of_a = a_.block(a).children, &of_b = b_.block(b).children;
    Table out{.y = std::vector<double>(at(a_.size(a) * b_.size(b)), 1.0)};
    if (of_a.size() != of_b.size()) refuse("they split variables in different ways");
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const auto like = std::ranges::find_if(
          of_b, [&](int child) { return b_.scope(child) == a_.scope(of_a[i]); });
      if (like == of_b.end()) refuse("they split variables in different ways");
      const Table& part = of(of_a[i], *like);
      const auto other = static_cast<std::size_t>(like - of_b.begin());
      for (std::int64_t j = 0; j < a_.size(a); ++j)
        for (std::int64_t k = 0; k < b_.size(b); ++k)
          out.y[at(j * b_.size(b) + k)] *=
              part.y[at(digit(a_, a, j, i) * b_.size(*like) + digit(b_, b, k, other))];
      out.exponent += part.exponent;
      out.rescale();
    }
    return out;
  }

  const Side &a_, &b_;
  bool last_ = false;
  Table next_;
  std::map<std::pair<int, int>, Table> known_;
};

void require_alike(const Circuit& a, const Circuit& b) {
  const auto form = [](const Circuit& one) { return one.chained() ? "a chain" : "no chain"; };
  if (a.chained() != b.chained())
    refuse(std::string("it is ") + form(b) + ", and the model is " + form(a));
  if (a.variables.size() != b.variables.size())
    refuse("it has " + std::to_string(b.variables.size()) + " variables, and the model " +
           std::to_string(a.variables.size()));
  for (std::size_t v = 0; v < a.variables.size(); ++v)
    if (a.variables[v].categories != b.variables[v].categories)
      refuse("variable " + b.variables[v].name + " has " +
             std::to_string(b.variables[v].categories) + " categories there, and " +
             std::to_string(a.variables[v].categories) + " in the model");
  for (std::size_t v = 0; v < a.variables.size(); ++v)
    if (a.variables[v].values != b.variables[v].values)
      refuse("variable " + b.variables[v].name + " has other values there than in the model");
}

}  // namespace

double log_inner_product(const SummedCircuit& a, const SummedCircuit& b, std::int64_t steps) {
  require_alike(a.plan.circuit(), b.plan.circuit());
  const auto share = [](const SummedCircuit& one, std::int64_t style) {
    return one.plan.circuit().styles == 1 ? 1.0
                                          : one.theta[at(one.plan.style_prior().begin + style)];
  };
  ScaledNumber sum;
  for (std::int64_t i = 0; i < a.plan.circuit().styles; ++i)
    for (std::int64_t k = 0; k < b.plan.circuit().styles; ++k) {
      const Side of_a(a, i), of_b(b, k);
      const Table root = Pairs(of_a, of_b).of_roots(steps);
      sum.add({share(a, i) * share(b, k) * root.y[0], root.exponent});
    }
  return sum.ln();
}

}  // namespace logpx::pc
