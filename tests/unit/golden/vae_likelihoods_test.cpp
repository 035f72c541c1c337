// Densities and divergences against tests/golden/vae.json, in float and in double.
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "tests/support/golden_expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace logpx::vae_likelihoods_test {
namespace {

using golden::Scene;

// Log p of whole numbers 0 .. count-1 under row r of two parameters, summed as probabilities.
using Levels = std::function<Var(Var x, Var a, Var b)>;
double total_probability(const Json& a, const Json& b, std::int64_t count, const Levels& density) {
  Graph graph(Precision::f64);
  Tensor<double> all({count});
  std::iota(all.span().begin(), all.span().end(), 0.0);
  graph.output("log_p", density(graph.constant(all), graph.constant(golden::real(a)),
                                graph.constant(golden::real(b))));
  Executor<double> run(graph, {});
  run.forward();
  double sum = 0;
  for (const double value : run.output("log_p").span()) sum += std::exp(value);
  return sum;
}

}  // namespace

TEST_CASE("golden/vae/kl") {
  const Json* kl = golden::field("vae", "kl");
  if (!kl) return;
  const Json &mu = kl->at("mu"), &logvar = kl->at("logvar");
  const auto standard = [](int kept) {
    return [kept](Scene& s) { return standard_normal_kl(s.in("mu"), s.in("logvar"), kept); };
  };
  golden::compare({.inputs = {{"mu", &mu}, {"logvar", &logvar}},
                   .build = standard(2),
                   .output = &kl->at("kl_standard_per_dim")});
  golden::compare({.inputs = {{"mu", &mu}, {"logvar", &logvar}},
                   .build = standard(1),
                   .output = &kl->at("kl_standard"),
                   .gradients = {{"mu", &kl->at("dkl_dmu")}, {"logvar", &kl->at("dkl_dlogvar")}}});
  golden::compare({.inputs = {{"mu", &mu},
                              {"logvar", &logvar},
                              {"prior_mu", &kl->at("prior_mu")},
                              {"prior_logvar", &kl->at("prior_logvar")}},
                   .build =
                       [](Scene& s) {
                         return normal_kl(
                             {s.in("mu"), s.in("logvar"), s.in("prior_mu"), s.in("prior_logvar")},
                             1);
                       },
                   .output = &kl->at("kl_general")});
}

TEST_CASE("golden/vae/bernoulli") {
  const Json* item = golden::field("vae", "bernoulli");
  if (!item) return;
  const auto density = [](Scene& s) { return bernoulli_log_prob(s.in("x"), s.in("logits"), 1); };
  golden::compare({.inputs = {{"x", &item->at("x_binary")}, {"logits", &item->at("logits")}},
                   .build = density,
                   .output = &item->at("logp_binary"),
                   .gradients = {{"logits", &item->at("dlogp_dlogits_binary")}}});
  golden::compare({.inputs = {{"x", &item->at("x_gray")}, {"logits", &item->at("logits")}},
                   .build = density,
                   .output = &item->at("logp_gray_surrogate")});
}

TEST_CASE("golden/vae/gaussian") {
  const Json* item = golden::field("vae", "gaussian");
  if (!item) return;
  golden::compare(
      {.inputs = {{"x", &item->at("x")},
                  {"mean", &item->at("mean")},
                  {"logvar", &item->at("logvar")}},
       .build =
           [](Scene& s) { return gaussian_log_prob(s.in("x"), s.in("mean"), s.in("logvar"), 1); },
       .output = &item->at("logp"),
       .gradients = {{"mean", &item->at("dlogp_dmean")}, {"logvar", &item->at("dlogp_dlogvar")}}});
}

TEST_CASE("golden/vae/discretized_logistic") {
  const Json* item = golden::field("vae", "discretized_logistic");
  if (!item) return;
  const std::int64_t levels = item->at("n").integer();
  for (std::size_t r = 0; r < item->at("mean").size(); ++r) {
    CAPTURE(r);
    const Json &mean = item->at("mean").at(r), &log_scale = item->at("log_scale").at(r);
    golden::compare(
        {.inputs = {{"k", &item->at("k").at(r)}, {"mean", &mean}, {"log_scale", &log_scale}},
         .build =
             [=](Scene& s) {
               return discretized_logistic_log_prob(s.in("k"), s.in("mean"), s.in("log_scale"),
                                                    levels, 1);
             },
         .output = &item->at("logp").at(r)});
    const double sum = total_probability(mean, log_scale, levels, [=](Var x, Var a, Var b) {
      return discretized_logistic_log_prob(x, a, b, levels, 1);
    });
    CHECK(std::abs(sum - golden::real(item->at("sum_pmf").at(r))) <= 1e-13);
  }
}

TEST_CASE("golden/vae/beta_binomial") {
  const Json* item = golden::field("vae", "beta_binomial");
  if (!item) return;
  const std::int64_t n = item->at("n").integer();
  for (std::size_t r = 0; r < item->at("log_alpha").size(); ++r) {
    CAPTURE(r);
    const Json &a = item->at("log_alpha").at(r), &b = item->at("log_beta").at(r);
    golden::compare({.inputs = {{"k", &item->at("k")}, {"a", &a}, {"b", &b}},
                     .build =
                         [=](Scene& s) {
                           return beta_binomial_log_prob(s.in("k"), s.in("a"), s.in("b"), n, 1);
                         },
                     .output = &item->at("logp").at(r)});
    const double sum = total_probability(a, b, n + 1, [=](Var x, Var la, Var lb) {
      return beta_binomial_log_prob(x, la, lb, n, 1);
    });
    CHECK(std::abs(sum - golden::real(item->at("sum_pmf").at(r))) <= 1e-11);
  }
}

TEST_CASE("golden/vae/categorical") {
  const Json* item = golden::field("vae", "categorical");
  if (!item) return;
  const Json& x = item->at("x");
  golden::compare(
      {.inputs = {{"logits", &item->at("logits")}},
       .build = [&x](Scene& s) { return categorical_log_prob(s.in("logits"), s.index(x)); },
       .output = &item->at("logp")});
}

}  // namespace logpx::vae_likelihoods_test
