// Methods by name: a model's own, and those that any model with latents gets.
//
//   const Evaluator evaluator(*model, {.method = "ais"}, rng);
//   const Scored scored = score_rows(rows, workers, [&](const Examples& examples) {
//     return evaluator.score(examples);
//   });
#pragma once

#include "libcore/eval/gap.hpp"
#include "libcore/eval/likelihood.hpp"
#include "libcore/eval/reciprocal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

struct MethodSettings {
  std::string method = "auto";          // then the first of methods_of()
  std::int64_t samples = 0, chunk = 0;  // 0: the method's own
  AisOptions ais = {};
  ReciprocalOptions reciprocal = {};
  std::int64_t nodes = 64;              // of quadrature, per dimension
  std::optional<Proposal> around = {};  // of quadrature; else the posterior where there is one
};

// "elbo", "iwae", "ais" ...; those for a few latent dimensions wherever there are latents.
[[nodiscard]] std::vector<std::string> methods_of(const Model& model);

class Evaluator {
 public:
  // A method that the model has not is a usage error that lists those it has.
  Evaluator(const Model& model, const MethodSettings& settings, Rng rng);

  [[nodiscard]] const std::string& method() const { return settings_.method; }
  // Draws, weights or orders per example; 0: the model's own number.
  [[nodiscard]] std::int64_t samples() const;
  // A model that says nothing of the noise of its bound is scored once more with other noise.
  [[nodiscard]] Scores score(const Examples& examples) const;

 private:
  [[nodiscard]] bool is_own() const;  // of the model
  [[nodiscard]] QuadratureOptions quadrature_options() const;
  [[nodiscard]] Scores score_own(const Examples& examples) const;
  [[nodiscard]] Scores score_latents(const LatentBlock& block) const;
  const Model& model_;
  MethodSettings settings_;
  Rng rng_;
};

// log p(x) = ELBO + KL(q || p(z|x)): the second term, split at the ELBO of q refined for each
// example. Both parts are non-negative up to noise.
struct Gap {
  Estimate elbo, refined_elbo;
  Estimate total, amortisation, approximation;
};
struct GapSettings {
  std::int64_t draws = 100;  // for both bounds, on the same noise
  RefineOptions refine = {};
};
[[nodiscard]] Gap measure_gap(const EvalRows& rows, Workers& workers, const Model& model,
                              const Scored& evidence, const GapSettings& settings, Rng rng);

// Bounds of log p(x) from both sides, on `count` examples that the model drew.
struct SimulatedBounds {
  Estimate lower, upper, distance;
};
[[nodiscard]] SimulatedBounds simulate_bounds(const Model& model, std::int64_t count,
                                              const AisOptions& options, Rng rng, Workers& workers);

}  // namespace logpx
