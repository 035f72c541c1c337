// Power posteriors of small KAEMs, integrated over the uniforms that their latents are made from,
// against the integrals over z of tests/golden/kaem.json.
#include "libcore/families/registry.hpp"
#include "libcore/math/gauss_rules.hpp"
#include "libcore/math/special.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_kaem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace logpx::kaem_moments_test {

using namespace golden_kaem;

namespace {

// Nodes u of (0,1)^E with the logarithms of their weights, log p(x|z) there, and z.
struct Nodes {
  Numbers log_weights, log_likelihood, z;
  std::int64_t z_dims = 0;
};

Nodes nodes_of(const kaem::KaemModel& model, const HeldRows& held, std::int64_t per_dim) {
  const QuadratureRule rule = on_interval(gauss_legendre(per_dim), 0, 1);
  const std::int64_t dims = abilities(model).latents->dims();
  std::int64_t count = 1;
  for (std::int64_t d = 0; d < dims; ++d) count *= per_dim;
  Nodes nodes{Numbers(at(count)), Numbers(at(count)), {}, model.prior_form().z_dims()};
  nodes.z.resize(at(count * nodes.z_dims));
  std::vector<float> v;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t d = 0, rest = i; d < dims; ++d, rest /= per_dim) {
      const std::size_t k = at(rest % per_dim);
      v.push_back(static_cast<float>(normal_quantile(rule.nodes[k])));
      nodes.log_weights[at(i)] += std::log(rule.weights[k]);
    }
  model.scores().to_z(v, nodes.z, {});
  Numbers log_prior(at(count));
  abilities(model)
      .latents->joint(held.examples(), count)
      ->evaluate(v, {.log_prior = log_prior, .log_likelihood = nodes.log_likelihood}, {});
  return nodes;
}

// For p(x|z)^t p(z): the logarithm of its integral, and moments of log p(x|z) and z.
struct Moments {
  double log_z = 0, mean = 0, variance = 0;
  Numbers mean_z;
};

Moments moments_at(const Nodes& nodes, double t) {
  Numbers weights = nodes.log_weights;
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += t * nodes.log_likelihood[i];
  const double largest = std::ranges::max(weights);
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  Moments found{.log_z = largest + std::log(sum), .mean_z = Numbers(at(nodes.z_dims))};
  double squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / sum, value = nodes.log_likelihood[i];
    found.mean += share * value;
    squares += share * value * value;
    for (std::size_t d = 0; d < found.mean_z.size(); ++d)
      found.mean_z[d] += share * nodes.z[i * found.mean_z.size() + d];
  }
  found.variance = squares - found.mean * found.mean;
  return found;
}

// Fields of the file: the facts of a row and, where it has one, the mean of its posterior.
struct Known {
  const char* stats;
  const char* mean_z = nullptr;
};

void check_moments(const Json& json, const kaem::Config& config, const Known& known,
                   std::int64_t per_dim) {
  for (const Json& row : json.at("data").items()) {
    const Numbers x = numbers(row.at("x"));
    const HeldRows held = one_row(real_vectors(x.size()), x);
    const auto model = model_of(json, config, held.info);
    const Nodes nodes = nodes_of(*model, held, per_dim),
                fewer = nodes_of(*model, held, 3 * per_dim / 4);
    const Json& stats = row.at(known.stats);
    const Numbers t = numbers(stats.at("t")), log_z = numbers(stats.at("log_Z_t")),
                  mean = numbers(stats.at("E_t")), variance = numbers(stats.at("V_t"));
    const double tolerance = 2e-6;  // parameters and scores are float32
    // The result by fewer nodes tells how far this one may be off.
    double change = 0;
    const auto compare = [&](double found, double by_fewer) {
      change = std::max(change, 2 * std::abs(found - by_fewer));
      CHECK(change < 1e-2);
    };
    const auto close = [&](double found, double wanted) {
      CHECK(std::abs(found - wanted) <= tolerance * (1 + std::abs(wanted)) + change);
    };
    for (std::size_t k = 0; k < t.size(); ++k) {
      const Moments found = moments_at(nodes, t[k]), other = moments_at(fewer, t[k]);
      compare(found.log_z, other.log_z);
      compare(found.mean, other.mean);
      compare(found.variance, other.variance);
      close(found.log_z, log_z[k]);
      close(found.mean, mean[k]);
      close(found.variance, variance[k]);
    }
    if (known.mean_z == nullptr) continue;
    const Numbers found = moments_at(nodes, 1).mean_z, other = moments_at(fewer, 1).mean_z,
                  wanted = numbers(row.at(known.mean_z));
    for (std::size_t d = 0; d < wanted.size(); ++d) {
      compare(found[d], other[d]);
      close(found[d], wanted[d]);
    }
  }
}

}  // namespace

TEST_CASE("golden/kaem/evidence: moments at every temperature, and the mean of the posterior") {
  const Json* entry = golden::field("kaem", "evidence");
  if (!entry) return;
  const Json &curve = entry->at("kart_nz1"), &mixture = entry->at("mixture_q2p3");
  const auto config = [&](kaem::CouplingChoice coupling) {
    return config_of(curve, kaem::PriorKind::univariate, coupling);
  };
  check_moments(curve, config(kaem::CouplingChoice::shared), {"shared"}, 400);
  check_moments(curve, config(kaem::CouplingChoice::independent),
                {"independent", "independent_posterior_mean_z"}, 40);
  kaem::Config mixed =
      config_of(mixture, kaem::PriorKind::mixture, kaem::CouplingChoice::independent);
  mixed.alpha = kaem::MixtureWeights::learned;
  check_moments(mixture, mixed, {"stats", "posterior_mean_z"}, 120);
}

}  // namespace logpx::kaem_moments_test
