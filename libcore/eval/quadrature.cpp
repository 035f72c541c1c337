#include "libcore/math/quadrature.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/eval/evidence.hpp"
#include "libcore/eval/latent_scoring.hpp"
#include "libcore/eval/log_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace logpx {
namespace {

constexpr double worrying_change = 0.01;  // nats

// Nodes lie at z = mean + e^(log_var/2) u, around a Gaussian for each row or around the prior.
Posterior centre_of(const LatentBlock& block, Proposal around) {
  if (around == Proposal::posterior) return block.latents.encode(block.examples);
  const std::int64_t dims = block.latents.dims();
  const std::vector<float> zeros(static_cast<std::size_t>(block.rows() * dims));
  return {.count = block.rows(), .dims = dims, .mean = zeros, .log_var = zeros};
}

// The same, with every centre moved by this many standard deviations.
Posterior moved(Posterior centre, double deviations) {
  for (std::size_t e = 0; e < centre.mean.size(); ++e)
    centre.mean[e] +=
        static_cast<float>(deviations * std::exp(static_cast<double>(centre.log_var[e]) / 2));
  return centre;
}

// z of one node for every row; returns log N(u; 0, I) of the node.
double place_node(const Posterior& centre, std::span<const double> u, std::span<float> z) {
  double log_density = 0;
  for (const double x : u) log_density -= (std::log(2 * std::numbers::pi) + x * x) / 2;
  for (std::size_t e = 0; e < z.size(); ++e)
    z[e] =
        static_cast<float>(static_cast<double>(centre.mean[e]) +
                           std::exp(static_cast<double>(centre.log_var[e]) / 2) * u[e % u.size()]);
  return log_density;
}

// log integral p(x,z) dz = log E_u[ p(x, z(u)) |dz/du| / N(u; 0, I) ]
std::vector<double> integrate(const LatentBlock& block, const Posterior& centre, LatentJoint& joint,
                              const QuadratureGrid& grid, std::int64_t chunk) {
  const auto rows = static_cast<std::size_t>(block.rows()),
             dims = static_cast<std::size_t>(centre.dims), copies = static_cast<std::size_t>(chunk);
  std::vector<float> z(copies * rows * dims);
  std::vector<double> log_prior(copies * rows), log_likelihood(copies * rows), node(dims),
      offset(copies);
  std::vector<LogWeights> sums(rows);
  for (std::int64_t first = 0; first < grid.points(); first += chunk) {
    stop::check();
    const auto count = static_cast<std::size_t>(std::min(chunk, grid.points() - first));
    for (std::size_t c = 0; c < count; ++c) {
      const double log_weight = grid.point(first + static_cast<std::int64_t>(c), node);
      offset[c] =
          log_weight - place_node(centre, node, std::span(z).subspan(c * rows * dims, rows * dims));
    }
    joint.evaluate(z, {log_prior, log_likelihood}, {});
    for (std::size_t e = 0; e < count * rows; ++e)
      sums[e % rows].add(offset[e / rows] + log_prior[e] + log_likelihood[e]);
  }
  std::vector<double> nats;
  for (std::size_t i = 0; i < rows; ++i) {
    double log_scale = 0;
    for (std::size_t d = 0; d < dims; ++d)
      log_scale += static_cast<double>(centre.log_var[i * dims + d]) / 2;
    nats.push_back(sums[i].log_mean() + std::log(static_cast<double>(grid.points())) + log_scale);
  }
  return nats;
}

// Half the distance of the nodes in the middle.
double half_step(std::int64_t nodes) {
  if (nodes < 2) return 0.5;
  const NormalQuadrature rule = normal_quadrature(nodes);
  const auto middle = static_cast<std::size_t>(nodes / 2);
  return (rule.nodes[middle] - rule.nodes[middle - 1]) / 2;
}

enum class Centre { best, prior, posterior };

struct QuadratureSettings {
  std::int64_t nodes = QuadratureOptions().nodes, chunk = 0;
  Centre around = Centre::best;  // the posterior if there is one
  void describe(Fields& f) {
    f.add("nodes", nodes, "nodes of quadrature per latent dimension")
        .range(1, 512)
        .rank(Rank::manual);
    f.add("quadrature-around", around,
          {{"auto", Centre::best, "where each example's integral is larger"},
           {"prior", Centre::prior, "around 0, as p(z) lies"},
           {"posterior", Centre::posterior, "around the peak of each p(z|x)"}},
          "where the nodes lie")
        .rank(Rank::manual);
    add_chunk(f, chunk);
  }
};

class QuadratureScoring final : public LatentScoring<QuadratureSettings> {
 public:
  using LatentScoring::LatentScoring;
  void settle() override { check_quadrature(latents(), options()); }
  [[nodiscard]] ReportedKnobs reported() const override { return {{"nodes", "nodes"}}; }
  [[nodiscard]] std::vector<std::string> doubts(const Scores::Columns& facts) const override {
    std::vector<std::string> doubts;
    for (const auto& [name, values] : facts)
      if (name == "change" && std::ranges::max(values) > worrying_change)
        doubts.push_back("quadrature may be off by " + four_digits(std::ranges::max(values)) +
                         " nats: give it more --nodes");
    return doubts;
  }

 private:
  [[nodiscard]] Scores score_block(const LatentBlock& block) const override {
    return quadrature(block, options());
  }
  [[nodiscard]] QuadratureOptions options() const {
    const bool posterior = settings_.around == Centre::posterior ||
                           (settings_.around == Centre::best && latents().has_posterior());
    return {settings_.nodes, settings_.chunk, posterior ? Proposal::posterior : Proposal::prior};
  }
};

}  // namespace

Method quadrature_method() {
  return method_of<QuadratureScoring, QuadratureSettings>(
      "quadrature", "quadrature", Method::Use::by_name, [](const ModelLatents&) { return true; });
}

void check_quadrature(const ModelLatents& latents, const QuadratureOptions& options) {
  const std::int64_t dims = latents.dims();
  if (dims > 3)
    fail(ErrorKind::usage, "--method quadrature",
         "takes at most 3 latent dimensions, the model has " + std::to_string(dims),
         "--method ais");
  if (options.around == Proposal::prior && !latents.standard_normal_prior())
    fail(ErrorKind::usage, "--method quadrature", "around the prior needs a standard normal prior");
}

Scores quadrature(const LatentBlock& block, const QuadratureOptions& options) {
  check_quadrature(block.latents, options);
  const std::int64_t dims = block.latents.dims();
  const std::int64_t chunk = options.chunk > 0 ? options.chunk : 16;
  const Posterior centre = centre_of(block, options.around);
  const auto joint = block.latents.joint(block.examples, chunk);
  const auto answer = [&](std::int64_t nodes, const Posterior& around) {
    return integrate(block, around, *joint, QuadratureGrid(nodes, dims), chunk);
  };
  Scores scores{.kind = Bound::estimate};
  scores.nats = answer(options.nodes, centre);
  // The kinks of a decoder of rectifiers lie differently between the nodes of each rule, so errors
  // have either sign: two rules may agree by chance, five hardly do.
  const std::int64_t fewer = std::max<std::int64_t>(3 * options.nodes / 4, 1),
                     half = std::max<std::int64_t>(options.nodes / 2, 1);
  std::vector<double> change(scores.nats.size());
  for (const std::vector<double>& other :
       {answer(fewer, centre), answer(fewer, moved(centre, half_step(fewer))), answer(half, centre),
        answer(half, moved(centre, half_step(half)))})
    for (std::size_t i = 0; i < change.size(); ++i)
      change[i] = std::max(change[i], 2 * std::abs(other[i] - scores.nats[i]));
  scores.facts = {{"change", std::move(change)}};
  return scores;
}

}  // namespace logpx
