// Likelihoods of KAEMs against tests/golden/kaem.json.
#include "libcore/base/number_text.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/model/likelihood.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace logpx::kaem_likelihoods_test {
namespace {

using Numbers = std::vector<double>;

Numbers numbers_of(const Json& json) { return golden_layer::tensor(json).data; }

// log p of one row under one set of heads [D], [D,K] or [], in double.
double log_probability(const Likelihood& likelihood, const Numbers& x,
                       const std::vector<Numbers>& heads) {
  Graph graph(Precision::f64);
  const auto dims = std::ssize(x);
  Likelihood::Target target{graph.input("x", {1, 1, dims})};
  if (likelihood.takes_index()) target.index = graph.index_input("index", {1, 1, dims});
  Likelihood::Heads nodes;
  for (const HeadForm& form : likelihood.heads()) {
    Shape shape = {1, 1, dims};
    if (form.per_dim > 1) shape = {1, 1, dims, form.per_dim};
    if (form.shared) shape = Shape{};
    nodes.push_back(graph.input("head" + std::to_string(nodes.size()), shape));
  }
  graph.output("log_p", likelihood.log_prob(target, nodes));
  Executor<double> run(graph, {});
  const std::vector<std::int32_t> index(x.begin(), x.end());
  run.bind("x", x);
  if (likelihood.takes_index()) run.bind_index("index", index);
  for (std::size_t h = 0; h < heads.size(); ++h) run.bind("head" + std::to_string(h), heads[h]);
  run.forward();
  return run.output("log_p")[0];
}

void check_close(double found, double expected) {
  CHECK(std::abs(found - expected) <= 1e-9 * (1 + std::abs(expected)));
}

}  // namespace

TEST_CASE("golden/kaem/likelihoods: gaussian") {
  const Json* all = golden::field("kaem", "likelihoods");
  if (!all) return;
  const Json& item = all->at("gaussian");
  const Numbers x = numbers_of(item.at("x"));
  const double sigma = golden::real(item.at("sigma"));
  const auto likelihood = make_likelihood("gaussian-fixed", 0, {.obs_std = to_text(sigma)});
  const Numbers log_var = {*likelihood->heads()[1].value};
  const double log_p = log_probability(*likelihood, x, {numbers_of(item.at("mean")), log_var});
  check_close(log_p, golden::real(item.at("normalised")));
  const double constant =
      static_cast<double>(x.size()) * std::log(sigma * std::sqrt(2 * std::numbers::pi));
  check_close(log_p + constant, golden::real(item.at("kernel_only")));
}

TEST_CASE("golden/kaem/likelihoods: bernoulli") {
  const Json* all = golden::field("kaem", "likelihoods");
  if (!all) return;
  const Json& item = all->at("bernoulli");
  const auto likelihood = make_likelihood("bernoulli", 2, {});
  check_close(
      log_probability(*likelihood, numbers_of(item.at("x")), {numbers_of(item.at("logits"))}),
      golden::real(item.at("loglik")));
}

TEST_CASE("golden/kaem/likelihoods: categorical") {
  const Json* all = golden::field("kaem", "likelihoods");
  if (!all) return;
  const Json& item = all->at("categorical");
  const golden_layer::Values probs = golden_layer::tensor(item.at("probs"));
  Numbers logits;
  for (const double p : probs.data) logits.push_back(std::log(p));
  const auto likelihood = make_likelihood("categorical", probs.shape[1], {});
  check_close(log_probability(*likelihood, numbers_of(item.at("labels")), {logits}),
              golden::real(item.at("loglik")));
}

TEST_CASE("golden/kaem/likelihoods: sequence") {
  const Json* all = golden::field("kaem", "likelihoods");
  if (!all) return;
  const Json& item = all->at("sequence");
  const golden_layer::Values logits = golden_layer::tensor(item.at("logits_per_step"));
  const Numbers tokens = numbers_of(item.at("tokens"));
  const auto likelihood = make_likelihood("categorical", logits.shape[1], {});
  const double log_p = log_probability(*likelihood, tokens, {logits.data});
  check_close(log_p, golden::real(item.at("loglik")));
  check_close(-log_p / std::numbers::ln2 / static_cast<double>(tokens.size()),
              golden::real(item.at("bits_per_token")));
}

}  // namespace logpx::kaem_likelihoods_test
