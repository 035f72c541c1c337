// Methods of scoring that any model with latents has: one entry for each, made in the method's own
// file and listed in methods.cpp.
#pragma once

#include "libcore/eval/evidence.hpp"
#include "libcore/model/abilities.hpp"

#include <memory>
#include <string>
#include <utility>

namespace logpx {

struct Method {
  // What it is used for when no method is named: a tighter bound beside that of `auto`, or the
  // evidence from which a gap is measured.
  enum class Use { by_name, beside_auto, evidence };

  std::string name;     // the word of --method: "ais"
  std::string summary;  // the heading of its options: "annealed importance sampling"
  Use use = Use::by_name;
  bool (*serves)(const ModelLatents& latents) = nullptr;
  std::unique_ptr<Knobs> (*knobs)() = nullptr;
  std::unique_ptr<ScoringPlan> (*plan)(const Abilities& can) = nullptr;
};

[[nodiscard]] Method iwae_method();
[[nodiscard]] Method ais_method();
[[nodiscard]] Method quadrature_method();
[[nodiscard]] Method reciprocal_method();
[[nodiscard]] Method ti_method();
[[nodiscard]] Method ss_method();

// A plan over the latents of a model, block by block. Nothing is a bound if p(x|z) is a surrogate.
template <typename Settings>
class LatentScoring : public ScoringPlan {
 public:
  explicit LatentScoring(Abilities can) : can_(std::move(can)) {}
  void describe(Fields& fields) final { settings_.describe(fields); }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const final {
    Scores scores = score_block({latents(), examples, rng});
    if (can_.info().surrogate) scores.kind = Bound::surrogate;
    return scores;
  }

 protected:
  [[nodiscard]] virtual Scores score_block(const LatentBlock& block) const = 0;
  [[nodiscard]] const ModelLatents& latents() const { return *can_.latents; }

  Abilities can_;
  Settings settings_;
};

// An entry whose plan is a class over settings that describe themselves.
template <typename Plan, typename Settings>
[[nodiscard]] Method method_of(std::string name, std::string summary, Method::Use use,
                               bool (*serves)(const ModelLatents&)) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .use = use,
          .serves = serves,
          .knobs = []() -> std::unique_ptr<Knobs> { return std::make_unique<KnobsOf<Settings>>(); },
          .plan = [](const Abilities& can) -> std::unique_ptr<ScoringPlan> {
            return std::make_unique<Plan>(can);
          }};
}

}  // namespace logpx
