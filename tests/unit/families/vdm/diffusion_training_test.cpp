// Diffusion models that are trained here: gradients of the schedule, evaluations, augmentation.
#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/families/vdm/family.hpp"
#include "libcore/families/vdm/training/task.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::diffusion_training_test {

using namespace logpx::vdm;

namespace {

HeldRows grey_rows(std::int64_t rows) { return synthetic_rows({.name = "gray8", .n = rows}); }

Settings tiny_settings(const std::string& schedule) {
  Settings settings = Settings::presets().make("tiny8");
  settings.model.net.channels = 4;
  settings.model.net.fourier = "none";  // whose slopes are too steep for differences
  settings.model.schedule.name = schedule;
  settings.model.schedule.hidden = 3;
  settings.model.schedule.gamma_min = -6;
  settings.model.schedule.gamma_max = 4;
  return settings;
}

// One step's terms and the gradient of its parameters, over all rows as one shard.
struct OneStep {
  std::vector<double> terms;
  std::vector<float> gradient;
};
OneStep one_step(const Trainee& trainee, std::int64_t rows, std::int64_t step = 0) {
  OneStep made;
  ParamSet& params = trainee.task->params();
  std::vector<std::int64_t> all(static_cast<std::size_t>(rows));
  std::iota(all.begin(), all.end(), 0);
  made.gradient.assign(params.block().size(), 0.0F);
  for (Phase* phase : trainee.task->phases()) {
    const StepPlace place{.seed = 3, .step = step, .rows = rows};
    phase->begin({.place = place, .rows = all, .places = all});
    std::vector<float> gradient(params.block().size());
    made.terms.assign(phase->settings().terms.size(), 0.0);
    const BlockRange whole{0, std::ssize(gradient)};
    phase->run({.place = place, .count = rows, .step_count = rows, .rows = all, .places = all},
               params.block(), {gradient, made.terms, {&whole, 1}});
    for (std::size_t i = 0; i < gradient.size(); ++i) made.gradient[i] += gradient[i];
  }
  return made;
}

// The network does something, its last layer included.
void stir(ParamSet& params) {
  Cursor words(Rng(5).stream(Stream::test));
  for (const ParamInfo& info : params.infos()) {
    if (info.name.starts_with("schedule")) continue;
    for (float& value : params.view(params.find(info.name)).span())
      value += static_cast<float>(0.1 * (words.uniform() - 0.5));
  }
}

void check_schedule_gradient(Settings settings, const std::vector<std::string>& tensors) {
  const HeldRows data = grey_rows(6);
  const Trainee trainee = make_trainee(settings, {.train = data.examples()}, Rng(1));
  ParamSet& params = trainee.task->params();
  stir(params);
  const OneStep here = one_step(trainee, 6);
  for (const std::string& name : tensors) {
    CAPTURE(name);
    const int tensor = params.find(name);
    REQUIRE(tensor >= 0);
    for (std::int64_t i = 0; i < params.view(tensor).size(); ++i) {
      CAPTURE(i);
      float& value = params.view(tensor)[i];
      const float kept = value;
      constexpr float h = 2e-3F;
      const auto loss_at = [&](float at) {
        value = at;
        return one_step(trainee, 6).terms[0];
      };
      const double above = loss_at(kept + h), below = loss_at(kept - h);
      const double width = static_cast<double>(kept + h) - static_cast<double>(kept - h);
      value = kept;
      const View<const float> gradient = params.view(tensor, std::span<const float>(here.gradient));
      CHECK(static_cast<double>(gradient[i]) ==
            doctest::Approx((above - below) / width).epsilon(5e-3).scale(0.1));
    }
  }
}

// The variance of one draw of the diffusion term of normal data, relative to the least that any
// schedule has: D components of variance lambda, quadrature over gamma.   [vdm/README 13]
double variance_ratio(const NoiseSchedule& schedule, double dims, double lambda) {
  constexpr int nodes = 20000;
  double loss = 0, squares = 0;
  for (int i = 0; i < nodes; ++i) {
    const double t = (i + 0.5) / nodes;
    const CurvePoint gamma = schedule.at(t);
    const double error = 1 / (1 + std::exp(gamma.value - std::log(lambda)));
    loss += 0.5 * dims * gamma.slope * error / nodes;
    squares += gamma.slope * gamma.slope * error * error / nodes;
  }
  const double variance = 0.25 * (dims * dims + 2 * dims) * squares - loss * loss;
  return variance / (2 * loss * loss / dims);
}

// Normal rows of variance 0.9.
HeldRows normal_rows(std::int64_t rows, std::int64_t dims) {
  SyntheticRequest request{.name = "gauss", .n = rows};
  request.options.dim = dims;
  HeldRows held = synthetic_rows(request);
  for (float& value : held.rows.values<float>()) value *= static_cast<float>(std::sqrt(0.9));
  return held;
}

struct Spread {
  double sum = 0, squares = 0, count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    count += 1;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double error() const {
    return std::sqrt((squares / count - mean() * mean()) / count);
  }
};

// The gradient of gamma_0 in each of many steps.
std::vector<double> pulls_at_start(EndpointGradient way, const HeldRows& data) {
  Settings settings = tiny_settings("linear");
  settings.model.net.kind = NetKind::linear_gauss;
  settings.model.schedule.learn_endpoints = true;
  settings.learning.endpoint_gradient = way;
  const Trainee trainee = make_trainee(settings, {.train = data.examples()}, Rng(1));
  const ParamSet& params = trainee.task->params();
  std::vector<double> pulls;
  for (std::int64_t step = 0; step < 150; ++step) {
    const OneStep made = one_step(trainee, data.rows.count, step);
    const std::span<const float> gradient = made.gradient;
    pulls.push_back(static_cast<double>(params.view(params.find("schedule/gamma_0"), gradient)[0]));
  }
  return pulls;
}

}  // namespace

TEST_CASE("vdm training: a learned curve makes draws of the bound less noisy") {
  constexpr std::int64_t dims = 64;
  const HeldRows data = normal_rows(256, dims);
  Settings settings;
  settings.model.net.kind = NetKind::linear_gauss;
  settings.model.standardise = false;
  settings.model.schedule.name = "monotone";
  settings.model.schedule.hidden = 64;
  settings.training.optimizer.weight_decay = 0;
  settings.training.lr = 0.05;
  settings.training.lr_schedule = Curve::constant;
  settings.training.batch = 256;
  settings.training.steps = 300;
  settings.training.ema = 0;
  const Trainee trainee = make_trainee(settings, {.train = data.examples()}, Rng(1));
  auto& model = dynamic_cast<VdmModel&>(*trainee.model);
  std::vector<double> mean(dims), covariance(dims * dims);
  for (std::size_t d = 0; d < dims; ++d) covariance[d * dims + d] = 0.9;
  model.take_moments(mean, covariance);
  CHECK(variance_ratio({make_curve({}, {}), {-13.3, 5}}, dims, 0.9) ==
        doctest::Approx(10.3).epsilon(0.01));
  const double before = variance_ratio(model.schedule(), dims, 0.9);
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(*trainee.task, settings.training, {workers, *ranks}, {.seed = 1});
  static_cast<void>(loop.run());
  const double after = variance_ratio(model.schedule(), dims, 0.9);
  CAPTURE(before);
  CAPTURE(after);
  CHECK(after < 0.5 * before);
  CHECK(model.schedule().ends().last == 5);  // of real numbers they stay
}

TEST_CASE("vdm training: learned endpoints follow the loss, its prior and its reconstruction") {
  check_schedule_gradient(tiny_settings("learned-linear"), {"schedule/b", "schedule/w"});
  Settings free = tiny_settings("alpha-cosine");
  free.model.schedule.learn_endpoints = true;
  check_schedule_gradient(free, {"schedule/gamma_0", "schedule/log_gap"});
}

TEST_CASE("vdm training: endpoints are pulled alike along the path of z and from the ends alone") {
  const HeldRows data = grey_rows(24);
  const std::vector<double> path = pulls_at_start(EndpointGradient::path, data),
                            ends = pulls_at_start(EndpointGradient::boundary, data);
  Spread apart;  // the same draws of x given z_0 and of the prior are in both
  for (std::size_t i = 0; i < path.size(); ++i) apart.add(path[i] - ends[i]);
  CAPTURE(apart.mean());
  CHECK(apart.error() > 0);
  CHECK(apart.error() < 0.02);  // of 0.5 / ln 2 for noise that no network tells from x
  CHECK(std::fabs(apart.mean()) <= 4 * apart.error());
}

// By draws L = factor m for normal data and its best network, whose means are known.
TEST_CASE("vdm training: the bound's mean follows its endpoints and not the curve between them") {
  constexpr double lambda = 0.9;
  const std::vector<double> parameters = {10, 0.7, -0.4, 1.1, 0.3, -0.8, 0.5, 2.0, 1.5, 3.0};
  const NoiseSchedule schedule(make_curve({.kind = CurveKind::monotone, .hidden = 3}, parameters),
                               {-6, 4});
  const auto error_at = [](double gamma, double x, double eps) {
    const NoiseLevel level = Process{}.at(gamma);
    const double z = level.alpha * x + level.sigma * eps,
                 told = level.sigma * z / (level.alpha2 * lambda + level.sigma2);
    return (eps - told) * (eps - told);
  };
  const TimedLosses losses(0, LossWeight("vlb"));
  DrawCursor words(Rng(4).stream(Stream::test));
  std::vector<Spread> curve(parameters.size());
  Spread first, last;
  for (int i = 0; i < 40'000; ++i) {
    const double x = std::sqrt(lambda) * words.normal(), eps = words.normal();
    const TimedLoss loss = losses.at(schedule, words.uniform());
    constexpr double h = 1e-4;
    const double by_gamma =
        (error_at(loss.gamma + h, x, eps) - error_at(loss.gamma - h, x, eps)) / (2 * h);
    const RowPull row{loss, error_at(loss.gamma, x, eps), loss.factor * by_gamma};
    const auto gradient = schedule_gradient(schedule, {&row, 1}, 0, {});
    first.add(gradient.ends.first);
    last.add(gradient.ends.last);
    std::vector<double> slopes(parameters.size());
    const CurvePoint pull{row.by_error, loss.by_slope * row.error};
    schedule.add_curve_gradient({&loss.time, 1}, {&pull, 1}, slopes);
    for (std::size_t p = 0; p < slopes.size(); ++p) curve[p].add(slopes[p]);
  }
  const auto mean_error = [](double gamma) {  // E m
    return 1 / (1 + std::exp(gamma - std::log(lambda)));
  };
  CHECK(std::fabs(first.mean() + 0.5 * mean_error(-6)) <= 4 * first.error());
  CHECK(std::fabs(last.mean() - 0.5 * mean_error(4)) <= 4 * last.error());
  for (const Spread& slope : curve) {
    CHECK(slope.error() > 0);
    CHECK(std::fabs(slope.mean()) <= 4 * slope.error());
  }
}

TEST_CASE("vdm training: in T steps the whole schedule follows the loss") {
  for (const std::string name : {"monotone", "monotone-paper"}) {
    CAPTURE(name);
    Settings settings = tiny_settings(name);
    settings.model.timesteps = 20;
    check_schedule_gradient(settings, {"schedule/gamma_0", "schedule/log_gap", "schedule/w1",
                                       "schedule/w2", "schedule/b2", "schedule/w3"});
  }
}

TEST_CASE("vdm training: weights of the loss move the endpoints by their own slopes") {
  for (const std::string word : {"simple", "sigmoid:1", "snr-clip:2"}) {
    CAPTURE(word);
    Settings settings = tiny_settings("monotone");
    settings.model.schedule.learn_endpoints = true;
    settings.learning.weight = word;
    check_schedule_gradient(settings, {"schedule/gamma_0", "schedule/log_gap"});
  }
}

TEST_CASE("vdm training: a model learns grey pictures, and its bound falls") {
  const HeldRows data = grey_rows(256);
  Settings settings = Settings::presets().make("tiny8");
  settings.training.steps = 40;
  settings.training.lr_warmup = 0;
  settings.training.lr = 0.01;
  settings.training.ema = 0;
  const Trainee trainee = make_trainee(settings, {.train = data.examples()}, Rng(1));
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(*trainee.task, settings.training, {workers, *ranks}, {.seed = 1});
  const TrainingResult result = loop.run();
  CHECK(result.metrics[0].first == "bits_per_dim_train");
  CHECK(result.metrics[0].second < result.first_metric - 0.7);
}

TEST_CASE("vdm training: an endpoint moves by 0.05 at most in one step") {
  const HeldRows data = grey_rows(64);
  Settings settings = tiny_settings("monotone");
  settings.learning.gamma_lr_mult = 1e5;
  settings.training.steps = 1;
  const Trainee trainee = make_trainee(settings, {.train = data.examples()}, Rng(1));
  const auto& model = dynamic_cast<const VdmModel&>(*trainee.model);
  const Endpoints before = model.schedule().ends();
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop loop(*trainee.task, settings.training, {workers, *ranks}, {.seed = 1});
  static_cast<void>(loop.run());
  const Endpoints after = model.schedule().ends();
  CHECK(after.first != before.first);
  CHECK(std::fabs(after.first - before.first) <= 0.0501);
  CHECK(std::fabs(after.last - before.last) <= 0.0501);
}

TEST_CASE("vdm training: augmentation keeps the pixels of a picture and says what it changed") {
  const Extents extents{.dims = 27, .channels = 3, .height = 3, .width = 3};
  const Augmentation all({"flip", "rot90", "channels"}, extents, true);
  std::vector<float> picture(27);
  std::iota(picture.begin(), picture.end(), 0.0F);
  int changed = 0;
  for (std::int64_t place = 0; place < 64; ++place) {
    std::vector<float> x = picture;
    const bool said = all.change(Rng(1).stream(Stream::augmentation), place, x);
    CHECK(x[4] + x[13] + x[22] == 4 + 13 + 22);  // middles stay middles
    if (!said) CHECK(x == picture);
    changed += said ? 1 : 0;
    std::ranges::sort(x);
    CHECK(x == picture);
  }
  CHECK(changed > 48);  // 7 of 8 times
  CHECK(changed < 64);
  CHECK_THROWS_AS(Augmentation({"turn"}, extents, true), Error);
  CHECK_THROWS_AS(Augmentation({"channels"}, {.dims = 9, .height = 3, .width = 3}, true), Error);
  CHECK_THROWS_AS(Augmentation({"rot90"}, {.dims = 6, .height = 2, .width = 3}, true), Error);
  CHECK_THROWS_AS(Augmentation({"flip"}, {.dims = 6}, false), Error);
}

}  // namespace logpx::diffusion_training_test
