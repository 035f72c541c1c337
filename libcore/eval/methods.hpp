// Methods of scoring by name: a model's own, those of any model with latents, and the coder's.
//
//   const auto plan = scoring_plan(can, method_for(can, "auto"));
//   Fields fields;  plan->describe(fields);  fields.set("samples=10", Origin::option);
//   plan->settle();
//   const Scored scored = score_rows(rows, workers, [&](const Examples& examples) {
//     return plan->score(examples, rng);
//   });
#pragma once

#include "libcore/eval/latent_scoring.hpp"
#include "libcore/model/abilities.hpp"

#include <memory>
#include <string>
#include <vector>

namespace logpx {

// The methods for models with latents; each serves some of these models.
[[nodiscard]] const std::vector<Method>& latent_methods();
// The method for this use; nullptr if it does not serve the model.
[[nodiscard]] const Method* latent_method(const Abilities& can, Method::Use use);

// The model's own first, then those of its latents.
[[nodiscard]] std::vector<std::string> methods_of(const Abilities& can);
[[nodiscard]] bool is_own_method(const Abilities& can, const std::string& method);
// What a word of --method means for this model; a usage error that lists what it takes.
[[nodiscard]] std::string method_for(const Abilities& can, const std::string& word);

// A model that says nothing about the noise of its bound is scored once more with other noise.
[[nodiscard]] std::unique_ptr<ScoringPlan> scoring_plan(const Abilities& can,
                                                        const std::string& method);
// log p(x) by the numbers of the model's coder, with the coder's knobs.
[[nodiscard]] std::unique_ptr<ScoringPlan> coder_scoring(std::shared_ptr<const ModelCodec> codec);

}  // namespace logpx
