// What one model can do: its ways of scoring, of sampling and of coding, and what answers questions
// about its latents, its prior and its gradients. A family says how each of them is made
// (libcore/families/family.hpp); a model knows none of them. A tool asks for an ability and, when
// it is missing, says which families have it.
//
//   const Abilities can = abilities(model);                     // once its tensors are filled
//   const Posterior q = can.latents->encode(examples);          // where it has latents
//   const auto plan = can.scoring(can.methods().front());
//
// The model outlives all of it. Whoever needs a part for longer than a call keeps a share of it.
#pragma once

#include "libcore/model/codec.hpp"
#include "libcore/model/gradients.hpp"
#include "libcore/model/latents.hpp"
#include "libcore/model/plan.hpp"
#include "libcore/model/prior.hpp"
#include "libcore/model/queries.hpp"
#include "libcore/model/row_codes.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

// A way of scoring that a model has by itself: its word of --method, and what makes a plan of it.
struct OwnScoring {
  std::string word;
  std::function<std::unique_ptr<ScoringPlan>()> plan;
};

struct Abilities {
  const Model* model = nullptr;
  std::vector<OwnScoring> score = {};  // the first is `auto`
  std::function<std::unique_ptr<SamplingPlan>()> sample = {};
  // Those that the model lacks are null.
  std::shared_ptr<const ModelCodec> code = {};
  std::shared_ptr<const ModelQueries> queries = {};
  std::shared_ptr<const ModelLatents> latents = {};
  std::shared_ptr<const RowCodes> codes = {};
  std::shared_ptr<const ModelGradients> gradients = {};
  std::shared_ptr<const ModelPrior> prior = {};

  [[nodiscard]] const ModelInfo& info() const { return model->info(); }
  // The words of `score`.
  [[nodiscard]] std::vector<std::string> methods() const;
  // A plan of one of methods().
  [[nodiscard]] std::unique_ptr<ScoringPlan> scoring(const std::string& method) const;
  // A usage error where the model makes no samples.
  [[nodiscard]] std::unique_ptr<SamplingPlan> sampling() const;
};

// A model of one's own, together with what it can do.
struct AbleModel {
  AbleModel() = default;
  AbleModel(std::unique_ptr<Model> owned, Abilities abilities)
      : model(std::move(owned)), can(std::move(abilities)) {}

  std::unique_ptr<Model> model = {};
  Abilities can = {};
};

}  // namespace logpx
