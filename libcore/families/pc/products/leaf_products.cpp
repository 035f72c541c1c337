#include "libcore/families/pc/products/leaf_products.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace logpx::pc {
namespace {

// A stored float must lie between 0 and 1 as well.
constexpr double least_share = 1e-7;

// Tables of the nodes, which are not changed where they are tables already.
std::vector<double> as_tables(const LeafNodes& leaf, std::int64_t categories) {
  const std::unique_ptr<Leaf> own = make_leaf(leaf.kind, categories);
  if (own == nullptr) return leaf.parameters;
  return tables_of(*own, leaf.parameters.data(), leaf.nodes, categories);
}

LeafNodes all_pairs(LeafKind kind, const LeafNodes& a, const LeafNodes& b, std::int64_t each) {
  LeafNodes pairs{.kind = kind, .nodes = a.nodes * b.nodes};
  pairs.parameters.resize(at(pairs.nodes * each));
  return pairs;
}

// Values with the logarithm of each node's mass, which further factors add to.
struct Unscaled {
  LeafNodes leaf;
  std::vector<double> ln_mass = {};
};

// Calls multiply(a's node, b's node, parameters of the pair), which returns ln of its mass.
template <typename Multiply>
Unscaled for_pairs(const Unscaled& a, const LeafNodes& b, LeafNodes pairs, Multiply multiply) {
  const std::size_t each = pairs.parameters.size() / at(pairs.nodes);
  Unscaled out{.leaf = std::move(pairs), .ln_mass = {}};
  std::span<double> left = out.leaf.parameters;
  for (std::int64_t j = 0; j < a.leaf.nodes; ++j)
    for (std::int64_t k = 0; k < b.nodes; ++k) {
      out.ln_mass.push_back(a.ln_mass[at(j)] + multiply(at(j), at(k), left.first(each)));
      left = left.subspan(each);
    }
  return out;
}

Unscaled multiply_gaussians(const Unscaled& a, const LeafNodes& b) {
  const std::vector<double>&p = a.leaf.parameters, &q = b.parameters;
  return for_pairs(a, b, all_pairs(LeafKind::gaussian, a.leaf, b, 2),
                   [&](std::size_t j, std::size_t k, std::span<double> pair) {
                     const double u = p[2 * j + 1] * p[2 * j + 1], v = q[2 * k + 1] * q[2 * k + 1],
                                  apart = p[2 * j] - q[2 * k], both = u + v;
                     pair[0] = (p[2 * j] * v + q[2 * k] * u) / both;
                     pair[1] = std::sqrt(u * v / both);
                     return -(det_log(2 * std::numbers::pi * both) + apart * apart / both) / 2;
                   });
}

Unscaled multiply_bernoullis(const Unscaled& a, const LeafNodes& b) {
  return for_pairs(a, b, all_pairs(LeafKind::bernoulli, a.leaf, b, 1),
                   [&](std::size_t j, std::size_t k, std::span<double> pair) {
                     const double p = a.leaf.parameters[j], q = b.parameters[k],
                                  mass = p * q + (1 - p) * (1 - q);
                     pair[0] = std::clamp(p * q / mass, least_share, 1 - least_share);
                     return det_log(mass);
                   });
}

// Nodes that have no value in common get even shares, and no mass.
Unscaled multiply_tables(const Unscaled& a, const LeafNodes& b, std::int64_t categories) {
  const std::vector<double> p = as_tables(a.leaf, categories), q = as_tables(b, categories);
  const auto each = at(categories);
  return for_pairs(a, b, all_pairs(LeafKind::table, a.leaf, b, categories),
                   [&](std::size_t j, std::size_t k, std::span<double> pair) {
                     double mass = 0;
                     for (std::size_t x = 0; x < each; ++x)
                       mass += pair[x] = p[j * each + x] * q[k * each + x];
                     for (double& share : pair)
                       share = mass > 0 ? share / mass : 1 / static_cast<double>(each);
                     return mass > 0 ? det_log(mass) : -std::numeric_limits<double>::infinity();
                   });
}

}  // namespace

void Masses::rescale() {
  const double largest = values.empty() ? 0 : std::ranges::max(values);
  if (!(largest > 0)) return;
  for (double& value : values) value /= largest;
  ln_scale += det_log(largest);
}

void Masses::multiply_by(const Masses& other) {
  for (std::size_t j = 0; j < values.size(); ++j) values[j] *= other.values[j];
  ln_scale += other.ln_scale;
  rescale();
}

LeafProduct multiply_leaves(std::span<const LeafNodes> factors, std::int64_t categories) {
  Unscaled product{.leaf = factors[0], .ln_mass = std::vector<double>(at(factors[0].nodes), 0.0)};
  for (const LeafNodes& factor : factors.subspan(1)) {
    const auto both = [&](LeafKind kind) {
      return product.leaf.kind == kind && factor.kind == kind;
    };
    product = both(LeafKind::gaussian)    ? multiply_gaussians(product, factor)
              : both(LeafKind::bernoulli) ? multiply_bernoullis(product, factor)
                                          : multiply_tables(product, factor, categories);
  }
  Masses masses{.values = std::vector<double>(product.ln_mass.size(), 0.0)};
  const double largest = std::ranges::max(product.ln_mass);
  if (std::isfinite(largest)) masses.ln_scale = largest;
  for (std::size_t j = 0; j < product.ln_mass.size(); ++j)
    if (std::isfinite(product.ln_mass[j])) masses.values[j] = det_exp(product.ln_mass[j] - largest);
  return {.leaf = std::move(product.leaf), .masses = std::move(masses)};
}

}  // namespace logpx::pc
