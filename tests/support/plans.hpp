// Plans for tests: those of a model in one line, and those of fixtures from a function. And what a
// fixture can do that is no model of a family.
#pragma once

#include "libcore/model/abilities.hpp"

#include <functional>
#include <initializer_list>
#include <memory>
#include <utility>

namespace logpx::testing {

// Scores by the first method, with "key=value" for its knobs.
[[nodiscard]] inline Scores score_with(const Abilities& can, const Examples& examples, Rng rng,
                                       std::initializer_list<const char*> settings = {}) {
  const auto plan = can.scoring(can.methods().front());
  Fields fields;
  plan->describe(fields);
  for (const char* setting : settings) fields.set(setting, Origin::option);
  plan->settle();
  return plan->score(examples, rng);
}

[[nodiscard]] inline std::unique_ptr<SamplingPlan> sampling_with(
    const Abilities& can, std::initializer_list<const char*> settings = {}) {
  auto plan = can.sampling();
  Fields fields;
  plan->describe(fields);
  for (const char* setting : settings) fields.set(setting, Origin::option);
  plan->settle();
  return plan;
}

[[nodiscard]] inline Rows sample_rows(const Abilities& can, std::int64_t first, std::int64_t count,
                                      Rng rng) {
  return can.sampling()->make(first, first + count, rng).rows;
}

// A fixture that does a job itself, as its abilities hold it; it outlives them.
template <typename Part>
[[nodiscard]] std::shared_ptr<const Part> itself(const Part& part) {
  return {std::shared_ptr<const void>(), &part};
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

// For a fixture with score(examples) and sample(rows, first, rng).
template <typename Fixture>
[[nodiscard]] std::unique_ptr<ScoringPlan> score_by_itself(const Fixture& model) {
  return std::make_unique<ScoreBy>(
      [&model](const Examples& batch, Rng) { return model.score(batch); });
}
template <typename Fixture>
[[nodiscard]] std::unique_ptr<SamplingPlan> sample_by_itself(const Fixture& model) {
  return std::make_unique<DrawBy>(
      model.info().samples,
      [&model](Rows& out, std::int64_t first, Rng rng) { model.sample(out, first, rng); });
}

}  // namespace logpx::testing
