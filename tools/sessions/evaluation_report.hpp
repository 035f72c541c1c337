// What elbo-eval reports: quantities with kinds, units and errors.   [eval/README 1]
#pragma once

#include "formats/json/value.hpp"
#include "formats/scores_file.hpp"
#include "libcore/eval/gap.hpp"
#include "libcore/eval/gradient_study.hpp"
#include "libcore/eval/methods.hpp"
#include "tools/sessions/evaluation.hpp"

#include <string>
#include <vector>

namespace logpx {

// -inf is written as null.
[[nodiscard]] Json to_json(const Estimate& estimate);

struct EvaluationFacts {
  const EvaluationSession& session;
  const ChosenScoring& scoring;
  bool by_coder = false;
  double seconds = 0;
};
// Fills `result` with everything about one method, and returns the line for people.
std::string report_evaluation(Json& result, const Summary& summary, const EvaluationFacts& facts);

// "iwae": {k, ess_mean, ess_below_5}, "ais": {chains, steps ...}: facts of the method.
void report_method(Json& result, const Scored& scored, const std::string& method,
                   ScoringPlan& plan);
// Curves of the method, as series of the report.
void add_curves(App& app, const Scored& scored, const ScoringPlan& plan);
// Estimates that the method gives besides scores.
void report_asides(Json& result, const std::string& method, const ScoringPlan::Asides& asides);
void report_latents(Json& result, const LatentFacts& facts);
void report_gap(Json& result, const Gap& gap, const GapSettings& settings);

void report_toy(Json& result, const ToyStudy& toy, const std::vector<ToyEstimator>& estimators);
void add_toy_series(App& app, const std::vector<ToyEstimator>& estimators);
void report_gradients(Json& result, const std::vector<EstimatorVariance>& estimators);

// What --per-example writes, as the artifact or as a table.
[[nodiscard]] ScoresContents scores_of(const EvaluationFacts& facts, const Scored& scored);
void write_per_example(App& app, const std::string& path, const ScoresContents& scores);

// If log p lies above the truth by more than noise: a warning if log p is sampled or the model was
// trained on these rows; else a numeric error.
void check_against_truth(App& app, const EvaluationSession& session, const Summary& summary);
// What a user should know before trusting the numbers.
void warn_of(App& app, const Scored& scored, const Summary& summary, const ScoringPlan& plan);

}  // namespace logpx
