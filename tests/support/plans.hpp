// Plans for tests: those of a model in one line, and those of fixtures from a function.
#pragma once

#include "libcore/model/plan.hpp"

#include <functional>
#include <initializer_list>
#include <memory>
#include <utility>

namespace logpx::testing {

// Scores by the model's first method, with "key=value" for its knobs.
[[nodiscard]] inline Scores score_with(const Model& model, const Examples& examples, Rng rng,
                                       std::initializer_list<const char*> settings = {}) {
  const auto plan = model.scoring(model.info().methods.front());
  Fields fields;
  plan->describe(fields);
  for (const char* setting : settings) fields.set(setting, Origin::option);
  plan->settle();
  return plan->score(examples, rng);
}

[[nodiscard]] inline std::unique_ptr<SamplingPlan> sampling_with(
    const Model& model, std::initializer_list<const char*> settings = {}) {
  auto plan = model.sampling();
  Fields fields;
  plan->describe(fields);
  for (const char* setting : settings) fields.set(setting, Origin::option);
  plan->settle();
  return plan;
}

[[nodiscard]] inline Rows sample_rows(const Model& model, std::int64_t first, std::int64_t count,
                                      Rng rng) {
  return model.sampling()->make(first, first + count, rng).rows;
}

class ScoreBy final : public ScoringPlan {
 public:
  using Function = std::function<Scores(const Examples&, Rng)>;
  explicit ScoreBy(Function function) : function_(std::move(function)) {}
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override {
    return function_(examples, rng);
  }

 private:
  Function function_;
};

class DrawBy final : public SamplingPlan {
 public:
  using Function = std::function<void(Rows&, std::int64_t first, Rng)>;  // rows.count is said
  DrawBy(DatasetInfo info, Function function)
      : info_(std::move(info)), function_(std::move(function)) {}
  [[nodiscard]] DatasetInfo rows() const override { return info_; }
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const override {
    SampleChunk chunk;
    chunk.rows.count = last - first;
    function_(chunk.rows, first, rng);
    return chunk;
  }

 private:
  DatasetInfo info_;
  Function function_;
};

}  // namespace logpx::testing
