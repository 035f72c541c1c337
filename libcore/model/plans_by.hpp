// Plans that consist of their settings and one function of them.
//
//   struct WidenedModel {
//     std::vector<double> log_p(const Examples& examples, double factor) const;
//   };
//   struct Widening {
//     double factor = 1;
//     void describe(Fields& fields);
//   };
//   inline std::unique_ptr<ScoringPlan> widened(const WidenedModel& model) {
//     return scoring_by<Widening>([&](const Examples& examples, Rng, const Widening& how) {
//       return Scores{.nats = model.log_p(examples, how.factor)};
//     });
//   }
#pragma once

#include "libcore/model/plain_rows.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace logpx {

template <typename Settings, typename Score>
class ScoringBy final : public ScoringPlan {
 public:
  explicit ScoringBy(Score score) : score_(std::move(score)) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] Scores score(const Examples& examples, Rng rng) const override {
    return score_(examples, rng, settings_);
  }

 private:
  Score score_;
  Settings settings_;
};
template <typename Settings, typename Score>
[[nodiscard]] std::unique_ptr<ScoringPlan> scoring_by(Score score) {
  return std::make_unique<ScoringBy<Settings, Score>>(std::move(score));
}

template <typename Settings, typename Make>
class SamplingBy final : public SamplingPlan {
 public:
  SamplingBy(DatasetInfo info, Make make) : info_(std::move(info)), make_(std::move(make)) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] DatasetInfo rows() const override { return info_; }
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const override {
    return make_(ItemRange{first, last}, rng, settings_);
  }

 private:
  DatasetInfo info_;
  Make make_;
  Settings settings_;
};
template <typename Settings, typename Make>
[[nodiscard]] std::unique_ptr<SamplingPlan> sampling_by(DatasetInfo info, Make make) {
  return std::make_unique<SamplingBy<Settings, Make>>(std::move(info), std::move(make));
}

}  // namespace logpx
