// Products of circuits against the definition: p(x) = p_1(x) p_2(x) .. / Z over all rows.
// [pc/README 4.6]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/pc/circuit/validation.hpp"
#include "libcore/families/pc/constant/ln_z.hpp"
#include "libcore/families/pc/leaves/leaf.hpp"
#include "libcore/families/pc/products/product_model.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/held_circuit.hpp"
#include "tests/support/small_circuits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace logpx::products_test {

using namespace logpx::pc;
using namespace logpx::testing;
using testing::SymbolRows;

namespace {

ProductFactor drawn(const Circuit& circuit, std::uint64_t seed, const std::string& name = "a") {
  HeldCircuit held(circuit);
  held.draw(seed);
  for (const ParamInfo& info : held.params.infos()) {
    if (use_of(info.name) != TensorUse::parameters) continue;
    for (std::int64_t i = 0; i < info.shape.elements(); ++i)
      held.theta[at(info.offset + i)] =
          0.2 + 0.5 * static_cast<double>((i + static_cast<std::int64_t>(seed)) % 7) / 7;
  }
  return {name, held.text()};
}

const std::vector<Variable> four = {{"a", 2}, {"b", 3}, {"c", 3}, {"d", 2}};
const MonarchFactors monarch = {.m = {2, 2}, .n = {2, 2}, .program = {}};
const MonarchFactors twice = {.m = {2, 2}, .n = {2, 2}, .program = {1, 2, 1}};

Circuit tree_of(const std::vector<std::int32_t>& parents, const MonarchFactors& sums,
                LeafLatents latents = LeafLatents::keep) {
  return hidden_tree(four, parents, {.transition = sums, .leaf_latents = latents});
}

// Chains, paths, trees and mixtures; dense sums, Monarch sums and such of three layers; three.
struct Trial {
  const char* name;
  std::vector<ProductFactor> factors;
};
std::vector<Trial> trials() {
  const std::vector<std::int32_t> tree = {1, -1, 1, 2}, path = {-1, 0, 1, 2};
  const Variable symbol = {"x", 3};
  std::vector<Trial> all = {
      {"chain",
       {drawn(hidden_markov(symbol, square_sum(2, {})), 1),
        drawn(hidden_markov(symbol, square_sum(3, {})), 2)}},
      {"monarch chain",
       {drawn(hidden_markov(symbol, monarch), 1),
        drawn(hidden_markov(symbol, square_sum(3, {})), 2)}},
      {"path", {drawn(tree_of(path, square_sum(2, {})), 3), drawn(tree_of(path, twice), 4)}},
      {"tree", {drawn(tree_of(tree, square_sum(3, {})), 5), drawn(tree_of(tree, monarch), 6)}},
      {"merged tree",
       {drawn(tree_of(tree, square_sum(3, {}), LeafLatents::merge), 5),
        drawn(tree_of(tree, monarch, LeafLatents::merge), 6)}},
      {"three trees",
       {drawn(tree_of(tree, square_sum(2, {})), 7), drawn(tree_of(tree, twice), 8),
        drawn(tree_of(tree, square_sum(2, {})), 9)}},
      {"mixture", {drawn(mixture(four, 2), 1), drawn(mixture(four, 3), 2)}}};
  const ProductFactor once = drawn(hidden_markov(symbol, square_sum(2, {})), 3);
  all.push_back({"the same twice", {once, once}});
  return all;
}

SymbolRows rows_of(const Circuit& circuit) {
  if (circuit.chained()) return all_rows({3, 3, 3, 3});
  return all_rows({2, 3, 3, 2});
}

std::vector<double> sum_of_nats(const std::vector<ProductFactor>& factors, const SymbolRows& rows) {
  std::vector<double> sums(rows.size());
  for (const ProductFactor& factor : factors) {
    const std::vector<double> nats = HeldCircuit(factor.whole).log_p(rows);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += nats[i];
  }
  return sums;
}

double ln_sum(const std::vector<double>& nats) {
  double sum = 0;
  for (const double one : nats) sum += std::exp(one);
  return std::log(sum);
}

void check_sums_to_one(const HeldCircuit& held) {
  CHECK(find_weight_faults<double>(held.params, held.theta).empty());
}

DatasetInfo symbols_of(std::int64_t length, std::int64_t levels) {
  DatasetInfo data;
  data.name = "rows";
  data.content = Content::symbols;
  data.shape = {length};
  data.n = 10;
  data.levels = levels;
  data.value_max = static_cast<double>(levels - 1);
  return data;
}

std::unique_ptr<PcModel> model_of_two(Normalise how) {
  std::vector<std::unique_ptr<PcModel>> models;
  std::vector<FactorModel> factors;
  for (const std::uint64_t seed : {1, 2}) {
    const ProductFactor factor = drawn(hidden_markov({"x", 3}, square_sum(2, {})), seed);
    Config config;
    config.structure = "hmm";
    config.hidden = 2;
    models.push_back(std::make_unique<PcModel>(config, symbols_of(4, 3), factor.circuit()));
    const std::vector<double> theta = HeldCircuit(factor.whole).theta;
    std::ranges::copy(std::vector<float>(theta.begin(), theta.end()),
                      models.back()->param_set().block().begin());
    factors.push_back({"m" + std::to_string(seed), models.back().get()});
  }
  const ModelProduct product =
      multiply_models(factors, {.normalize = how}, ProductUse::distribution, 0);
  CHECK(product.config.hidden == 4);
  CHECK(product.config.factors == "2,2");
  return model_of(product, Rng(1));
}

std::string why_refused(const ProductFactor& a, const ProductFactor& b) {
  const std::vector<ProductFactor> factors = {a, b};
  try {
    require_one_form(factors);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.subject() + ": " + error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("pc products: a product that is not normalised is p_1(x) p_2(x), and its ln Z is exact") {
  for (const auto& [name, factors] : trials()) {
    CAPTURE(name);
    require_one_form(factors);
    CircuitProduct product = multiply(factors);
    const double ln_z = normalise_product(product, factors, Normalise::none, 4);
    const HeldCircuit held(product.whole);
    const SymbolRows rows = rows_of(product.whole.circuit);
    const std::vector<double> nats = held.log_p(rows), expected = sum_of_nats(factors, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(std::abs(nats[i] - expected[i]) < 1e-12);
    CHECK(std::abs(ln_z - ln_sum(expected)) < 1e-12);
    CHECK(product.whole.circuit.ln_z == ln_z);
    CHECK(std::abs(LnZ<double>(held.plan).of(held.theta, held.plan.carry() >= 0 ? 4 : 1) - ln_z) <
          1e-12);
  }
}

TEST_CASE("pc products: pushed through the sums of paths and trees it is exactly p_1 p_2 / Z") {
  for (const auto& [name, factors] : trials()) {
    CAPTURE(name);
    CircuitProduct product = multiply(factors);
    if (product.whole.circuit.chained()) continue;
    const double ln_z = normalise_product(product, factors, Normalise::push, 1);
    const HeldCircuit held(product.whole);
    check_sums_to_one(held);
    const SymbolRows rows = rows_of(product.whole.circuit);
    const std::vector<double> nats = held.log_p(rows), expected = sum_of_nats(factors, rows);
    CHECK(std::abs(ln_z - ln_sum(expected)) < 1e-12);
    for (std::size_t i = 0; i < rows.size(); ++i)
      CHECK(std::abs(nats[i] - (expected[i] - ln_z)) < 1e-12);
  }
}

TEST_CASE("pc products: every way of normalising but none gives a distribution") {
  for (const auto& [name, factors] : trials()) {
    CAPTURE(name);
    const bool chain = factors[0].circuit().chained();
    for (const Normalise how : {Normalise::local, chain ? Normalise::perron : Normalise::push}) {
      CircuitProduct product = multiply(factors);
      static_cast<void>(normalise_product(product, factors, how, 4));
      const HeldCircuit held(product.whole);
      check_sums_to_one(held);
      CHECK(std::abs(ln_sum(held.log_p(rows_of(held.plan.circuit())))) < 1e-12);
    }
  }
}

TEST_CASE("pc products: perron is nearer to the product of chains than local") {
  const std::vector<ProductFactor> factors = trials()[0].factors;
  const SymbolRows rows = all_rows({3, 3, 3, 3, 3, 3});
  std::vector<double> exact = sum_of_nats(factors, rows), gaps;
  const double ln_z = ln_sum(exact);
  for (const Normalise how : {Normalise::local, Normalise::perron}) {
    CircuitProduct product = multiply(factors);
    CHECK(std::abs(normalise_product(product, factors, how, 6) - ln_z) < 1e-12);
    const std::vector<double> nats = HeldCircuit(product.whole).log_p(rows);
    gaps.push_back(0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      gaps.back() += std::exp(exact[i] - ln_z) * (exact[i] - ln_z - nats[i]);
  }
  CHECK(gaps[1] >= 0);
  CHECK(gaps[1] < gaps[0] / 2);
}

TEST_CASE("pc products: a leaf's product with another one is a leaf times its mass") {
  const auto nats_of = [](const LeafNodes& leaf, std::int64_t node, std::int64_t categories,
                          double value) {
    const std::unique_ptr<Leaf> own = make_leaf(leaf.kind, categories);
    if (own == nullptr)
      return std::log(leaf.parameters[at(node * categories) + static_cast<std::size_t>(value)]);
    const std::int64_t each = own->parameters();
    double nats = 0;
    own->log_p(std::span(leaf.parameters).subspan(at(node * each), at(each)), {&value, 1},
               {&nats, 1});
    return nats;
  };
  const auto check = [&](const std::vector<LeafNodes>& factors, std::int64_t categories,
                         LeafKind expected) {
    const auto [leaf, masses] = multiply_leaves(factors, categories);
    CHECK(leaf.kind == expected);
    CHECK(leaf.nodes == factors[0].nodes * factors[1].nodes);
    for (std::int64_t j = 0; j < leaf.nodes; ++j)
      for (const double value : {0.0, 1.0}) {
        const double both = nats_of(factors[0], j / factors[1].nodes, categories, value) +
                            nats_of(factors[1], j % factors[1].nodes, categories, value);
        const double found =
            nats_of(leaf, j, categories, value) + std::log(masses.values[at(j)]) + masses.ln_scale;
        CHECK(std::abs(found - both) < 1e-12);
      }
  };
  const LeafNodes gaussian{LeafKind::gaussian, 2, {0.5, 1, -3, 0.25}};
  check({gaussian, {LeafKind::gaussian, 3, {0, 2, 1, 0.5, 7, 3}}}, 0, LeafKind::gaussian);
  const LeafNodes bernoulli{LeafKind::bernoulli, 2, {0.25, 0.9}},
      table{LeafKind::table, 1, {0.125, 0.875}};
  check({bernoulli, {LeafKind::bernoulli, 1, {0.6}}}, 2, LeafKind::bernoulli);
  check({bernoulli, table}, 2, LeafKind::table);
  check({LeafNodes{LeafKind::binomial, 2, {0.25, 0.9}}, {LeafKind::dlogistic, 1, {1.5, 0.75}}}, 4,
        LeafKind::table);
}

TEST_CASE("pc products: nodes without a common value have no mass, and states above them none") {
  const Circuit chain = hidden_markov({"x", 2}, square_sum(2, {}));
  std::vector<ProductFactor> factors = {drawn(chain, 1), drawn(chain, 2)};
  for (ProductFactor& factor : factors)
    for (std::size_t b = 0; b < chain.blocks.size(); ++b)
      if (chain.blocks[b].id == "emission") factor.whole.weights[b] = {1, 0, 0, 1};
  CircuitProduct product = multiply(factors);
  static_cast<void>(normalise_product(product, factors, Normalise::perron, 3));
  const HeldCircuit held(product.whole);
  check_sums_to_one(held);
  CHECK(held.get("root/w")[1] == 0);
  CHECK(held.get("root/w")[2] == 0);
}

TEST_CASE("pc products: leaves that all factors tie stay tied, and sums have their own weights") {
  const std::vector<Variable> three = {{"a", 3}, {"b", 3}, {"c", 3}};
  const auto tree = [&](TieLeaves tied) {
    return hidden_tree(three, {1, -1, 1},
                       {.transition = square_sum(2, {}), .ties = {.tied = tied}});
  };
  const Circuit tied = tree(TieLeaves::all), own = tree(TieLeaves::none);
  const std::vector<ProductFactor> both = {drawn(tied, 1), drawn(tied, 2)},
                                   mixed = {drawn(tied, 1), drawn(own, 2)};
  CHECK(facts_of(product_circuit(both)).parameters < facts_of(product_circuit(mixed)).parameters);
  for (const auto& factors : {both, mixed}) {
    CircuitProduct product = multiply(factors);
    const double ln_z = normalise_product(product, factors, Normalise::push, 1);
    const SymbolRows rows = all_rows({3, 3, 3});
    const std::vector<double> nats = HeldCircuit(product.whole).log_p(rows),
                              expected = sum_of_nats(factors, rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
      CHECK(std::abs(nats[i] - (expected[i] - ln_z)) < 1e-12);
  }
}

TEST_CASE("pc products: masses of many variables do not vanish") {
  const std::vector<Variable> many(2000, Variable{"x", 50});
  const std::vector<ProductFactor> factors = {drawn(mixture(many, 2), 1),
                                              drawn(mixture(many, 2), 2)};
  CircuitProduct product = multiply(factors);
  const double ln_z = normalise_product(product, factors, Normalise::push, 1);
  CHECK(ln_z < -2000);
  CHECK(std::isfinite(ln_z));
  check_sums_to_one(HeldCircuit(product.whole));
}

TEST_CASE("pc products: circuits that differ in form are refused, and the message says in what") {
  const ProductFactor tree = drawn(tree_of({1, -1, 1, 2}, square_sum(2, {})), 1, "a.h5");
  const auto other = [](const Circuit& circuit) { return drawn(circuit, 2, "b.h5"); };
  const std::string start =
      "a.h5 and b.h5: differ in form, and only circuits of one form are multiplied: ";
  CHECK(why_refused(tree, tree).empty());
  CHECK(why_refused(tree, other(tree_of({1, -1, 1, 1}, square_sum(2, {})))) ==
        start + "d hangs on c in the first and hangs on b in the second");
  CHECK(why_refused(tree, other(tree_of({-1, 0, 1, 2}, square_sum(2, {})))) ==
        start + "a hangs on b in the first and is at the top in the second");
  CHECK(why_refused(tree, other(hidden_markov({"x", 3}, square_sum(2, {})))) ==
        start + "only the second is a chain");
  CHECK(why_refused(tree, other(mixture({{"a", 2}, {"b", 3}}, 2))) ==
        start + "they have 4 and 2 variables");
  CHECK(why_refused(tree, other(mixture({{"a", 2}, {"b", 4}, {"c", 3}, {"d", 2}}, 2))) ==
        start + "values of b are 3 in the first and 4 in the second");
  CHECK(why_refused(tree, other(tree_of({1, -1, 1, 2}, square_sum(2, {}), LeafLatents::merge)))
            .starts_with(start + "they have 4 and 2 sums"));
}

TEST_CASE("pc products: what has no form of its own is refused by name") {
  for (const auto& [name, circuit, rows] : small_circuits()) {
    const ProductFactor factor = drawn(circuit, 1, "a.h5");
    const std::string why = why_refused(factor, factor);
    CAPTURE(name);
    const bool refused = !is_structured_decomposable(circuit) || std::string(name) == "styled tree";
    CHECK(why.empty() != refused);
    if (refused) CHECK(why.starts_with("a.h5: "));
  }
  ProductFactor loose = drawn(hidden_markov({"x", 3}, square_sum(2, {})), 1, "a.h5");
  loose.whole.circuit.ln_z = -1;
  CHECK(why_refused(loose, loose).find("not normalised") != std::string::npos);
}

TEST_CASE("pc products: push is for trees and perron for chains") {
  const auto kind_of = [](const Circuit& circuit, Normalise how) {
    const std::vector<ProductFactor> factors = {drawn(circuit, 1), drawn(circuit, 2)};
    CircuitProduct product = multiply(factors);
    try {
      static_cast<void>(normalise_product(product, factors, how, 3));
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::io;
  };
  const Circuit chain = hidden_markov({"x", 3}, square_sum(2, {})), mix = mixture(four, 2);
  CHECK(kind_of(chain, Normalise::push) == ErrorKind::usage);
  CHECK(kind_of(mix, Normalise::perron) == ErrorKind::usage);
  CHECK(kind_of(chain, Normalise::perron) == ErrorKind::io);
}

TEST_CASE("pc products: a stored ln Z that its weights do not make is refused") {
  const std::unique_ptr<PcModel> model = model_of_two(Normalise::none);
  REQUIRE(model->circuit().ln_z);
  for (const double wrong : {*model->circuit().ln_z + 0.1, 1e300, -1e300}) {
    Circuit circuit = model->circuit();
    circuit.ln_z = wrong;
    PcModel hostile(model->config(), model->info().data, circuit);
    std::ranges::copy(model->param_set().block(), hostile.param_set().block().begin());
    CHECK_THROWS_WITH_AS(hostile.filled(), doctest::Contains("ln Z"), Error);
  }
  for (const char* wrong : {"1e999", "\"x\"", "[1]"}) {
    std::string text = write_circuit(model->circuit());
    const std::size_t begin = text.find("\"ln_z\":") + 7;
    text.replace(begin, text.find(',', begin) - begin, wrong);
    CHECK_THROWS_AS(static_cast<void>(read_circuit(text, "structure")), Error);
  }
  CHECK(read_circuit(write_circuit(model->circuit()), "structure").circuit.ln_z ==
        model->circuit().ln_z);
}

TEST_CASE("pc products: scores of a product that is not normalised are less ln Z of their steps") {
  const std::unique_ptr<PcModel> model = model_of_two(Normalise::none);
  const Queries queries(model->plan(), model->param_set(), model->rows());
  const auto total = [&](const SymbolRows& rows) {
    double sum = 0;
    for (const double nats : queries.log_p(evidence_of(rows))) sum += std::exp(nats);
    return sum;
  };
  CHECK(std::abs(total(all_rows({3, 3, 3, 3})) - 1) < 1e-6);
  CHECK(std::abs(total(all_rows({3, 3})) - 1) < 1e-6);
  CHECK(std::abs(total({{-1, 0, 1}, {-1, 1, 1}, {-1, 2, 1}}) - total({{-1, -1, 1}})) < 1e-6);
  CHECK(!queries.only_scores().empty());
}

TEST_CASE("pc products: --perturb parts equal weights, the same for the same seed") {
  const ProductFactor factor = drawn(hidden_markov({"x", 3}, square_sum(2, {})), 1);
  const std::unique_ptr<PcModel> as_is = model_of_two(Normalise::local);
  ModelProduct product{.config = as_is->config(),
                       .data = as_is->info().data,
                       .whole = HeldCircuit(multiply(std::vector{factor, factor}).whole).text(),
                       .options = {.perturb = 0.1}};
  const auto theta = [&](std::uint64_t seed) {
    const std::unique_ptr<PcModel> model = model_of(product, Rng(seed));
    model->filled();
    return std::vector<float>(model->param_set().block().begin(), model->param_set().block().end());
  };
  const std::vector<float> one = theta(1);
  CHECK(one == theta(1));
  CHECK(one != theta(2));
}

}  // namespace logpx::products_test
