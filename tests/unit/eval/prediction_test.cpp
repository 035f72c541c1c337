// What predictions are worth: accuracy, calibration and errors, from their definitions.
#include "libcore/eval/prediction.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace logpx::prediction_test {

namespace {

Judged of_word(double confidence, bool right, double p) {
  return {.nats = std::log(p), .is_category = true, .right = right, .confidence = confidence};
}
Judged of_number(double truth, double mean, bool covered) {
  return {.nats = -1, .is_number = true, .covered = covered, .truth = truth, .mean = mean};
}
bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

}  // namespace

TEST_CASE("prediction: the calibration error is how far sureness lies from being right, by bins") {
  const std::vector<Judged> judged = {of_word(0.95, true, 0.95), of_word(0.91, false, 0.05),
                                      of_word(0.62, true, 0.62), of_word(1, true, 1)};
  const PredictionScore score = score_predictions(judged);
  CHECK(near(score.accuracy, 0.75));
  CHECK(near(score.log_loss, -(std::log(0.95) + std::log(0.05) + std::log(0.62)) / 4));
  CHECK(near(score.calibration_error, (std::abs(0.95 + 0.91 + 1 - 2) + (1 - 0.62)) / 4));
  CHECK(std::isnan(score.rmse));
}

TEST_CASE("prediction: R2 compares errors with the spread of the truth") {
  const std::vector<Judged> judged = {of_number(1, 1.5, true), of_number(2, 2, true),
                                      of_number(6, 5, false)};
  const PredictionScore score = score_predictions(judged);
  CHECK(near(score.rmse, std::sqrt(1.25 / 3)));
  CHECK(near(score.r2, 1 - 1.25 / 14));
  CHECK(near(score.coverage, 2.0 / 3));
  CHECK(near(score.log_loss, 1));
  CHECK(std::isnan(score.accuracy));
  CHECK(std::isnan(score_predictions({}).log_loss));
  CHECK(std::isnan(score_predictions(std::vector<Judged>(2, of_number(3, 3, true))).r2));
}

}  // namespace logpx::prediction_test
