// --conv: a small net of convolutions trains on each path, to the same weights but for rounding.
#include "libcore/base/error.hpp"
#include "libcore/math/conv.hpp"
#include "libcore/math/onednn.hpp"
#include "libcore/train/loop.hpp"
#include "tests/support/blur_task.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace logpx::convolution_test {
namespace {

struct Trained {
  std::vector<float> weights;
  double before = 0, after = 0;
};

Trained train_by(ConvolutionChoice conv, PrecisionChoice precision = PrecisionChoice::f32) {
  BlurTask task({.images = 32, .channels = 6, .edge = 8});
  TrainOptions options;
  options.conv = conv;
  options.precision = precision;
  options.batch = 16;
  options.optimizer.rule = OptimizerRule::sgd;
  options.lr = 1e-4;
  options.epochs = 20;
  options.eval_every = {1, Interval::Unit::epochs};
  struct Lines final : TrainingSink {
    void save(const Checkpoint&) override {}
    void append(const HistoryLine& line) override { losses.push_back(line.values[0].second); }
    std::vector<double> losses;
  } lines;
  Workers workers(2);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {.sink = &lines});
  (void)loop.run();
  return {{task.params().block().begin(), task.params().block().end()},
          lines.losses.front(),
          lines.losses.back()};
}

}  // namespace

TEST_CASE("train: every path of convolution trains, to the same weights but for rounding") {
  const Trained unfolded = train_by(ConvolutionChoice::im2col);
  CHECK(unfolded.after < 0.9 * unfolded.before);
  for (const ConvolutionChoice conv : {ConvolutionChoice::onednn, ConvolutionChoice::automatic}) {
    if (conv == ConvolutionChoice::onednn && !convolution_available(Convolution::onednn)) continue;
    const Trained other = train_by(conv);
    CHECK(other.after < 0.9 * other.before);
    for (std::size_t i = 0; i < unfolded.weights.size(); ++i)
      CHECK(std::abs(other.weights[i] - unfolded.weights[i]) <= 1e-4f);
    // That the option arrives shows in the last bits, when the paths differ.
    const bool differs = best_convolution() != Convolution::im2col;
    CHECK((other.weights != unfolded.weights) == differs);
  }
}

TEST_CASE("train: --precision bf16 trains as f32 does, but for factors of 8 bits") {
  if (bf16_kernels().empty()) return;
  const Trained exact = train_by(ConvolutionChoice::automatic),
                rounded = train_by(ConvolutionChoice::automatic, PrecisionChoice::bf16);
  CHECK(rounded.after < 0.9 * rounded.before);
  CHECK(rounded.after == doctest::Approx(exact.after).epsilon(0.01));
  CHECK(rounded.weights != exact.weights);  // the option arrives
}

TEST_CASE("train: --precision bf16 is refused where it cannot be had, and auto never is") {
  TrainOptions options;
  CHECK_NOTHROW(options.validate());
  options.precision = PrecisionChoice::bf16;
  if (bf16_kernels().empty()) CHECK_THROWS_AS(options.validate(), Error);
  else CHECK_NOTHROW(options.validate());
  options.numerics_choice = NumericsChoice::det;
  CHECK_THROWS_WITH_AS(options.validate(), "--precision bf16: goes with --numerics fast only",
                       Error);
  options.numerics_choice = NumericsChoice::fast;
  options.conv = ConvolutionChoice::im2col;
  CHECK_THROWS_AS(options.validate(), Error);
}

TEST_CASE("train: --conv onednn is an error in a build without it, and auto never is") {
  TrainOptions options;
  options.conv = ConvolutionChoice::onednn;
  if (convolution_available(Convolution::onednn)) CHECK_NOTHROW(options.validate());
  else CHECK_THROWS_AS(options.validate(), Error);
  options.conv = ConvolutionChoice::automatic;
  CHECK_NOTHROW(options.validate());
  CHECK(convolution_available(options.convolution()));
}

}  // namespace logpx::convolution_test
