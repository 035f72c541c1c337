// Whole tiny VAEs against tests/golden/vae.json, in float and in double.
#include "libcore/families/vae/objective.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/special.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/vae_golden.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

namespace logpx::vae_family_test {

using namespace logpx::vae;
using golden_layer::Values;
using golden_vae::Decoding;
using golden_vae::parameters_of;

namespace {

// Runs in both precisions and compares y and the gradients of its weighted sum.
struct Comparison {
  const VaeModel& model;
  golden_layer::Case item;
  const Decoding& decoding;

  void check(const std::string& what, const std::vector<double>& y, const Json* gradients) {
    std::map<std::string, Values> expected;
    double largest = 0;
    if (gradients != nullptr) {
      expected = parameters_of(*gradients, decoding);
      for (const auto& [name, values] : expected)
        largest = std::max(largest, golden_layer::largest_of(values.data));
    }
    item.upstream.assign(y.size(), 1 / static_cast<double>(y.size()));
    const auto compare = [&](const golden_layer::Computed& computed, double value_tolerance,
                             double gradient_tolerance) {
      golden_layer::check_close(what, computed.y, y, value_tolerance);
      for (const auto& [name, values] : expected)
        golden_layer::check_close(what + " to " + name, computed.gradients.at(name), values.data,
                                  gradient_tolerance, largest);
    };
    compare(golden_layer::compute<double>(item), 1e-10, 1e-10);
    compare(golden_layer::compute<float>(item), 2e-5, 2e-4);
  }
};

std::vector<double> numbers(const Json& list) { return golden_layer::tensor(list).data; }

// The objectives of training minimise the negative of these.
void check_objectives(Comparison& comparison, const Json& entry, std::int64_t rows,
                      std::int64_t copies) {
  const VaeModel& model = comparison.model;
  const auto elbo_b = numbers(entry.at("elbo_B")), kl = numbers(entry.at("kl"));
  const auto objective = [&](const ObjectiveOptions& options) -> Comparison& {
    comparison.item.build = [&, options](Graph& graph) {
      build_objective(model, options, graph, {rows});
      const NodeInput& loss =
          graph.outputs()[static_cast<std::size_t>(graph.find_output("loss"))].value;
      return -Var(graph, loss.node, loss.shape, loss.offset);
    };
    return comparison;
  };
  objective({.samples = copies}).check("elbo B", elbo_b, &entry.at("grad_of_mean_elbo_B"));
  const double beta = golden::real(entry.at("beta"));
  std::vector<double> tempered;
  double sum = 0;
  for (std::size_t i = 0; i < elbo_b.size(); ++i) {
    tempered.push_back(elbo_b[i] + (1 - beta) * kl[i]);
    sum += tempered.back();
  }
  CHECK(sum / static_cast<double>(rows) ==
        doctest::Approx(golden::real(entry.at("mean_beta_elbo_B"))).epsilon(1e-12));
  objective({.objective = Objective::beta, .samples = copies, .beta = beta})
      .check("beta", tempered, &entry.at("grad_of_mean_beta_elbo_B"));
  objective({.objective = Objective::iwae, .k = copies})
      .check("iwae", numbers(entry.at("iwae_L")), &entry.at("grad_of_mean_iwae"));
  double total = 0;
  for (const double bound : elbo_b) total += bound;
  CHECK(golden::real(entry.at("N")) / static_cast<double>(rows) * total ==
        doctest::Approx(golden::real(entry.at("full_data_estimate_B"))).epsilon(1e-12));
}

void check_vae(const char* field, const Decoding& decoding) {
  const Json* entry = golden::field("vae", field);
  if (!entry) return;
  const Values x = golden_layer::tensor(entry->at("x")),
               eps = golden_layer::tensor(entry->at("eps"));
  const std::int64_t rows = x.shape[0], copies = eps.shape[0];
  const VaeModel model(golden_vae::config_of(entry->at("params"), decoding),
                       vectors_of(x.shape[1], decoding.levels));
  Comparison comparison{model,
                        {.params = &model.param_set(),
                         .parameters = parameters_of(entry->at("params"), decoding),
                         .inputs = {{"x", x}, {"noise", eps}}},
                        decoding};
  const auto with = [&](const std::function<Var(const Pass&)>& build) -> Comparison& {
    comparison.item.build = [&, build](Graph& graph) {
      return build(make_pass(model, graph, rows, copies));
    };
    return comparison;
  };
  with([](const Pass& p) {
    return p.recon;
  }).check("recon", numbers(entry->at("logp_x_given_z")), nullptr);
  with([](const Pass& p) {
    return analytic_kl(p.q);
  }).check("kl", numbers(entry->at("kl")), nullptr);
  with([](const Pass& p) { return p.q.mean; }).check("mean", numbers(entry->at("mu")), nullptr);
  with([](const Pass& p) {
    return p.q.log_var;
  }).check("log_var", numbers(entry->at("logvar")), nullptr);
  with([](const Pass& p) {
    return elbo_a(p);
  }).check("elbo A", numbers(entry->at("elbo_A")), &entry->at("grad_of_mean_elbo_A"));
  with([](const Pass& p) {
    return iwae_bound(log_weights(p));
  }).check("iwae", numbers(entry->at("iwae_L")), &entry->at("grad_of_mean_iwae"));
  check_objectives(comparison, *entry, rows, copies);
}

}  // namespace

TEST_CASE("golden/vae/tiny_vae_bernoulli") {
  check_vae("tiny_vae_bernoulli", {"bernoulli", 2, {"logits"}});
}

TEST_CASE("golden/vae/tiny_vae_gaussian") {
  check_vae("tiny_vae_gaussian", {"gaussian", 0, {"mean", "log_var"}});
}

TEST_CASE("golden/vae/tiny_vae_discretized_logistic") {
  check_vae("tiny_vae_discretized_logistic", {"logistic256", 256, {"mean", "log_scale"}});
}

TEST_CASE("golden/vae/tiny_vae_beta_binomial") {
  check_vae("tiny_vae_beta_binomial", {"beta-binomial", 256, {"log_alpha", "log_beta"}});
}

}  // namespace logpx::vae_family_test
