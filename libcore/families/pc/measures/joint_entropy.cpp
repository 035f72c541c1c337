#include "libcore/families/pc/measures/joint_entropy.hpp"

#include "libcore/base/index.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace logpx::pc {
namespace {

double surprise(double p) { return p > 0 ? -p * std::log(p) : 0; }

// Nodes of all blocks in one style.
class Entropies {
 public:
  Entropies(const PassPlan& plan, std::span<const double> theta, std::int64_t style)
      : plan_(plan), theta_(theta), style_(style), h_(plan.circuit().blocks.size()) {}

  double of_root(std::int64_t steps) {
    const std::vector<int>& blocks = plan_.steps();
    std::vector<double> next;
    for (std::int64_t step = blocks.empty() ? 0 : steps; step-- > 0;) {
      const bool last = step + 1 == steps;
      for (const int b : blocks) {
        const bool behind_end = last && plan_.is_later(b);
        if (behind_end) h_[at(b)].assign(at(plan_.block(b).size), 0);
        else if (plan_.block(b).kind == BlockKind::carry) h_[at(b)] = next;
        else compute(b);
      }
      next = h_[at(plan_.circuit().carried)];
    }
    for (const int b : plan_.head()) compute(b);
    return h_[at(plan_.circuit().root)][0];
  }

 private:
  void compute(int b) {
    const Block& block = plan_.block(b);
    switch (block.kind) {
      case BlockKind::leaf:
        if (h_[at(b)].empty()) h_[at(b)] = leaf(b);
        break;
      case BlockKind::joint: h_[at(b)] = joint(b); break;
      case BlockKind::indicator: h_[at(b)] = {0}; break;
      case BlockKind::sum: h_[at(b)] = sum(b); break;
      case BlockKind::mixing: h_[at(b)] = mixing(b); break;
      case BlockKind::product: h_[at(b)] = product(b); break;
      case BlockKind::carry: break;
    }
  }

  static double of_normal(double deviation) {
    return 0.5 * std::log(2 * std::numbers::pi * std::numbers::e) + std::log(deviation);
  }

  // Rounding does not change it where the gaussian is wide.
  static double of_whole(const Leaf& leaf, std::span<const double> q) {
    constexpr double wide = 20, reach = 12;
    if (q[1] > wide) return of_normal(q[1]);
    double h = 0;
    for (double k = std::floor(q[0] - reach * q[1]) - 1; k <= q[0] + reach * q[1] + 1; ++k) {
      double nats = 0;
      leaf.log_p(q, std::span(&k, 1), std::span(&nats, 1));
      h -= nats * std::exp(nats);
    }
    return h;
  }

  std::vector<double> leaf(int b) const {
    const Block& block = plan_.block(b);
    const Leaf* const leaf = plan_.leaf(b);
    const std::int64_t categories = plan_.circuit().variables[at(block.variable)].categories,
                       each = leaf == nullptr ? categories : leaf->parameters();
    const double* q = plan_.values(b, 0, theta_) + (block.styled ? style_ * block.size * each : 0);
    std::vector<double> h;
    for (std::int64_t j = 0; j < block.size; ++j, q += each) {
      const std::span<const double> own(q, at(each));
      if (categories == 0) {
        h.push_back(block.leaf_kind == LeafKind::dgaussian ? of_whole(*leaf, own)
                                                           : of_normal(own[1]));
        continue;
      }
      std::vector<double> p(own.begin(), own.end());
      if (leaf != nullptr) p.resize(at(categories)), fill_table(*leaf, own, p);
      h.push_back(std::accumulate(p.begin(), p.end(), 0.0,
                                  [](double all, double one) { return all + surprise(one); }));
    }
    return h;
  }

  // The entropy of a gaussian is that of independent ones as wide as its Cholesky factor says.
  std::vector<double> joint(int b) const {
    const JointForm& form = *plan_.joint(b);
    const double* q = plan_.values(b, 0, theta_);
    std::vector<double> h;
    for (std::int64_t j = 0; j < plan_.block(b).size; ++j, q += form.parameters()) {
      double log_det = 0;
      for (std::int64_t v = 0; v < form.variables; ++v)
        log_det += std::log(q[form.variables + v * (v + 3) / 2]);
      h.push_back(log_det + 0.5 * static_cast<double>(form.variables) *
                                std::log(2 * std::numbers::pi * std::numbers::e));
    }
    return h;
  }

  std::vector<double> sum(int b) const {
    std::vector<double> in;
    for (const int child : plan_.block(b).children)
      in.insert(in.end(), h_[at(child)].begin(), h_[at(child)].end());
    const std::vector<MonarchLayer>& layers = plan_.form(b).layers();
    for (std::size_t t = 0; t < layers.size(); ++t) {
      const MonarchLayer& layer = layers[t];
      const double* w = plan_.values(b, t, theta_);
      std::vector<double> out(at(layer.out_rows()));
      for (std::int64_t r = 0; r < layer.blocks; ++r)
        for (std::int64_t j = 0; j < layer.m; ++j) {
          double& h = out[at(layer.out_row(r, j))];
          for (std::int64_t i = 0; i < layer.n; ++i, ++w)
            h += surprise(*w) + *w * in[at(layer.in_row(r, i))];
        }
      in = std::move(out);
    }
    return in;
  }

  std::vector<double> mixing(int b) const {
    const Block& block = plan_.block(b);
    const double* w = plan_.values(b, 0, theta_);
    std::vector<double> out(at(block.size));
    for (std::size_t j = 0; j < out.size(); ++j)
      for (const int child : block.children) {
        out[j] += surprise(*w) + *w * h_[at(child)][j];
        ++w;
      }
    return out;
  }

  std::vector<double> product(int b) const {
    const Block& block = plan_.block(b);
    std::vector<double> out = h_[at(block.children[0])];
    for (std::size_t i = 1; i < block.children.size(); ++i) {
      const std::vector<double>& child = h_[at(block.children[i])];
      std::vector<double> more;
      if (block.product == ProductKind::hadamard)
        for (std::size_t j = 0; j < out.size(); ++j) more.push_back(out[j] + child[j]);
      else
        for (const double a : out)
          for (const double c : child) more.push_back(a + c);
      out = std::move(more);
    }
    return out;
  }

  const PassPlan& plan_;
  std::span<const double> theta_;
  std::int64_t style_;
  std::vector<std::vector<double>> h_;  // by block
};

}  // namespace

double joint_entropy(const PassPlan& plan, std::span<const double> theta, std::int64_t steps) {
  const std::int64_t styles = plan.circuit().styles;
  if (styles == 1) return Entropies(plan, theta, 0).of_root(steps);
  double all = 0;
  for (std::int64_t style = 0; style < styles; ++style) {
    const double p = theta[at(plan.style_prior().begin + style)];
    all += surprise(p) + p * Entropies(plan, theta, style).of_root(steps);
  }
  return all;
}

}  // namespace logpx::pc
