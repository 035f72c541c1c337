// Products of hidden Markov models as in tests/golden/pc.json, in double.
#include "libcore/base/index.hpp"
#include "libcore/families/pc/constant/ln_z.hpp"
#include "libcore/families/pc/products/normalise.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "libcore/math/monarch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_circuits.hpp"
#include "tests/support/golden_message.hpp"
#include "tests/support/held_circuit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace logpx::pc_products_test {

using namespace logpx::pc;
using namespace logpx::testing;
using golden::reals_of;
using testing::SymbolRows;

namespace {

void check_close(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance = 1e-10) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found[i] - expected[i]) < tolerance);
  }
}

std::vector<ProductFactor> factors_of(const Json& item) {
  std::vector<ProductFactor> factors;
  for (const Json& factor : item.at("factors").items()) {
    const std::vector<double> gamma = reals_of(factor.at("gamma"));
    HeldCircuit held(
        hidden_markov({"x", item.at("V").integer()}, square_sum(std::ssize(gamma), {})));
    held.set("root/w", gamma);
    held.set("transition/w", reals_of(factor.at("alpha")));
    held.set("emission/p", reals_of(factor.at("beta")));
    factors.push_back({"factor", held.text()});
  }
  return factors;
}

struct Normalised {
  HeldCircuit held;
  double ln_z;
};
Normalised product_of(const Json& item, Normalise how) {
  const std::vector<ProductFactor> factors = factors_of(item);
  require_one_form(factors);
  CircuitProduct product = multiply(factors);
  const double ln_z = normalise_product(product, factors, how, item.at("T").integer());
  return {HeldCircuit(product.whole), ln_z};
}

void for_each_product(const std::function<void(const Json&)>& check) {
  const Json* const items = golden::field("pc", "product");
  if (!items) return;
  for (const Json& item : items->items()) check(item);
}

// KL(exact product || q) over all rows of T symbols.
double divergence(const Json& item, const HeldCircuit& q) {
  const SymbolRows rows = all_rows(std::vector<std::int32_t>(
      at(item.at("T").integer()), static_cast<std::int32_t>(item.at("V").integer())));
  const auto [exact, ln_z] = product_of(item, Normalise::none);
  const std::vector<double> p = exact.log_p(rows), other = q.log_p(rows);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    sum += std::exp(p[i] - ln_z) * (p[i] - ln_z - other[i]);
  return sum;
}

}  // namespace

TEST_CASE("golden/pc/product: states, sums and leaves") {
  for_each_product([](const Json& item) {
    const CircuitProduct product = multiply(factors_of(item));
    const HeldCircuit held(product.whole);
    const Json& expected = item.at("product");
    check_close(held.get("root/w"), reals_of(expected.at("gamma")));
    check_close(held.get("emission/p"), reals_of(expected.at("beta_local")));
    std::vector<double> mass;
    for (const Masses& masses : product.masses)
      for (const double value : masses.values) mass.push_back(value * std::exp(masses.ln_scale));
    check_close(mass, reals_of(expected.at("emission_mass")));
    const auto sum = std::ranges::find(held.plan.circuit().blocks, "transition", &Block::id);
    const auto b = static_cast<int>(sum - held.plan.circuit().blocks.begin());
    std::vector<const double*> tensors;
    for (std::size_t t = 0; t < held.plan.tensors(b).size(); ++t)
      tensors.push_back(held.plan.values(b, t, std::span(held.theta)));
    check_close(materialize<double>(held.plan.form(b), tensors),
                reals_of(expected.at("alpha_dense")));
  });
}

TEST_CASE("golden/pc/product: not normalised, with ln Z") {
  for_each_product([](const Json& item) {
    const auto [held, ln_z] = product_of(item, Normalise::none);
    CHECK(std::abs(ln_z - item.at("log_Z_T").number()) < 1e-10);
    const SymbolRows rows = golden::rows_of(item.at("sequences"));
    std::vector<double> nats = held.log_p(rows);
    check_close(nats, reals_of(item.at("sum_of_factor_logliks")));
    LnZ<double>(held.plan).subtract(held.theta, columns_of(rows, 1), nats);
    std::vector<double> expected;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (std::ssize(rows[i]) == item.at("T").integer())
        expected.push_back(item.at("exact_normalised_loglik").at(i).number());
      else nats[i] = NAN;
    std::erase_if(nats, [](double value) { return std::isnan(value); });
    check_close(nats, expected);
  });
}

TEST_CASE("golden/pc/product: normalised leaf by leaf") {
  for_each_product([](const Json& item) {
    const HeldCircuit held = product_of(item, Normalise::local).held;
    check_close(held.log_p(golden::rows_of(item.at("sequences"))),
                reals_of(item.at("local_loglik")));
    CHECK(std::abs(divergence(item, held) -
                   item.at("kl_from_exact_product_nats").at("local").number()) < 1e-10);
  });
}

TEST_CASE("golden/pc/product: perron") {
  for_each_product([](const Json& item) {
    const Json& expected = item.at("perron");
    const std::vector<ProductFactor> factors = factors_of(item);
    const ProductMass mass =
        mass_of(factors, multiply(factors), item.at("T").integer(), Follow::endless);
    CHECK(std::abs(std::exp(mass.growth) - expected.at("lam").number()) < 1e-9);
    std::vector<double> u = mass.later.values;
    const std::vector<double> z = reals_of(item.at("product").at("emission_mass"));
    for (std::size_t j = 0; j < u.size(); ++j) u[j] /= z[j];
    const double largest = std::ranges::max(u);
    for (double& value : u) value /= largest;
    check_close(u, reals_of(expected.at("u")), 1e-9);
    const HeldCircuit held = product_of(item, Normalise::perron).held;
    check_close(held.get("root/w"), reals_of(expected.at("gamma")), 1e-9);
    for (std::size_t t = 0; t < expected.at("tensors").items().size(); ++t) {
      const auto sum = std::ranges::find(held.plan.circuit().blocks, "transition", &Block::id);
      const Monarch& form =
          held.plan.form(static_cast<int>(sum - held.plan.circuit().blocks.begin()));
      check_close(
          held.get("transition/a" + std::to_string(t + 1)),
          pack_tensor<double>(form.layers()[t], reals_of(expected.at("tensors").at(t).at("data"))),
          1e-9);
    }
    check_close(held.log_p(golden::rows_of(item.at("sequences"))), reals_of(expected.at("loglik")),
                1e-9);
    CHECK(std::abs(divergence(item, held) -
                   item.at("kl_from_exact_product_nats").at("perron").number()) < 1e-9);
  });
}

}  // namespace logpx::pc_products_test
