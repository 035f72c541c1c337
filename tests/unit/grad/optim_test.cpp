// Optimisers, clipping and averages against the golden numbers, and the rules of groups.
#include "libcore/grad/optim.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/rng.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::optim_test {
namespace {

std::vector<float> numbers(const Json& list) {
  std::vector<float> values;
  for (const Json& item : list.items()) values.push_back(static_cast<float>(golden::real(item)));
  return values;
}

void check_close(std::span<const float> found, const Json& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double truth = golden::real(expected.at(i));
    // golden/vae.md: relative 2e-5, absolute 1e-5 near zero.
    CHECK(std::abs(static_cast<double>(found[i]) - truth) <=
          std::max(2e-5 * std::abs(truth), 1e-5));
  }
}

// A ParamSet of one tensor that holds these values.
struct OneTensor {
  explicit OneTensor(std::span<const float> values) {
    params.add("theta", {std::ssize(values)});
    std::copy(values.begin(), values.end(), params.block().begin());
    gradient.resize(params.block().size());
  }
  void set_gradient(std::span<const float> g) { std::copy(g.begin(), g.end(), gradient.begin()); }
  ParamSet params;
  std::vector<float> gradient;
};

OptimizerOptions options_of(const std::string& name, const Json& given) {
  OptimizerOptions options;
  const auto take = [&](const char* key, double& value) {
    if (const Json* found = given.find(key)) value = golden::real(*found);
  };
  options.rule = name == "sgd"       ? OptimizerRule::sgd
                 : name == "adagrad" ? OptimizerRule::adagrad
                 : name == "adam"    ? OptimizerRule::adam
                                     : OptimizerRule::adamw;
  take("momentum", options.momentum);
  take("beta1", options.beta1);
  take("beta2", options.beta2);
  take("eps", options.eps);
  take("initial_accumulator", options.initial_accumulator);
  take("weight_decay", options.weight_decay);
  return options;
}

}  // namespace

TEST_CASE("golden/vae/optimizers") {
  const Json* cases = golden::field("vae", "optimizers");
  if (cases == nullptr) return;
  Workers workers(2);
  for (const char* name : {"sgd", "adagrad", "adam", "adamw"}) {
    CAPTURE(name);
    const Json& given = cases->at(name);
    OneTensor one(numbers(cases->at("theta0")));
    Optimizer optimizer(one.params, options_of(name, given));
    const Selection all = optimizer.select();
    for (std::size_t step = 0; step < cases->at("grads").size(); ++step) {
      one.set_gradient(numbers(cases->at("grads").at(step)));
      optimizer.step(all, {one.params.block(), one.gradient},
                     {.rate = golden::real(given.at("lr"))}, workers);
      check_close(one.params.block(), given.at("theta").at(step));
    }
  }
}

TEST_CASE("golden/vae/ema") {
  const Json* ema = golden::field("vae", "ema");
  const Json* optimizers = golden::field("vae", "optimizers");
  if (ema == nullptr || optimizers == nullptr) return;
  Workers workers(1);
  const Json& adam = optimizers->at("adam");
  OneTensor one(numbers(optimizers->at("theta0")));
  Optimizer optimizer(one.params, options_of("adam", adam));
  std::vector<float> average(one.params.block().begin(), one.params.block().end());
  const Averaging averaging{.decay = golden::real(ema->at("decay"))};
  for (std::size_t step = 0; step < ema->at("ema").size(); ++step) {
    one.set_gradient(numbers(optimizers->at("grads").at(step)));
    optimizer.step(optimizer.select(), {one.params.block(), one.gradient, average},
                   {.rate = golden::real(adam.at("lr")),
                    .average_decay = averaging.decay_at(static_cast<std::int64_t>(step))},
                   workers);
    check_close(average, ema->at("ema").at(step));
  }
}

TEST_CASE("golden/vae/clip_global_norm") {
  const Json* clip = golden::field("vae", "clip_global_norm");
  if (clip == nullptr) return;
  Workers workers(1);
  const std::vector<float> gradient = numbers(clip->at("grad"));
  OneTensor one(std::vector<float>(gradient.size(), 0.0f));
  one.set_gradient(gradient);
  Optimizer optimizer(one.params, {.rule = OptimizerRule::sgd});
  const double norm = optimizer.norm(optimizer.select(), one.gradient, workers);
  CHECK(norm == doctest::Approx(golden::real(clip->at("norm"))).epsilon(2e-5));
  const Clipping clipping{Clipping::By::norm, golden::real(clip->at("max_norm"))};
  // A plain step of rate -1 from zero leaves the clipped gradient.
  optimizer.step(optimizer.select(), {one.params.block(), one.gradient},
                 {.rate = -1, .clip_scale = clipping.scale(norm)}, workers);
  check_close(one.params.block(), clip->at("clipped"));
  CHECK(clipping.scale(clipping.limit / 2) == 1);
}

TEST_CASE("optim: groups change the rate, freeze and stay outside the norm; longest prefix wins") {
  ParamSet params;
  const int encoder = params.add("encoder/w", {3}), slow = params.add("encoder/slow/w", {3}),
            prior = params.add("prior/w", {3}), gamma = params.add("gamma/w", {3});
  const std::vector<ParamGroup> groups = {{.prefix = "encoder", .rate = 2},
                                          {.prefix = "encoder/slow", .rate = 0.5},
                                          {.prefix = "prior", .frozen = true},
                                          {.prefix = "gamma", .clipped = false}};
  Optimizer optimizer(params, {.rule = OptimizerRule::sgd}, groups);
  Workers workers(2);
  std::vector<float> gradient(params.block().size(), 1.0f);
  const Selection all = optimizer.select();
  CHECK(optimizer.norm(all, gradient, workers) == doctest::Approx(std::sqrt(6.0)));
  optimizer.step(all, {params.block(), gradient}, {.rate = 1, .clip_scale = 0.5}, workers);
  CHECK(params.view(encoder)[0] == -1.0f);
  CHECK(params.view(slow)[2] == -0.25f);
  CHECK(params.view(prior)[0] == 0.0f);
  CHECK(params.view(gamma)[1] == -1.0f);
  optimizer.step(optimizer.select({"gamma", "prior"}), {params.block(), gradient}, {.rate = 1},
                 workers);
  CHECK(params.view(encoder)[0] == -1.0f);
  CHECK(params.view(gamma)[1] == -2.0f);
  gradient[static_cast<std::size_t>(params.infos()[static_cast<std::size_t>(gamma)].offset)] =
      std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(optimizer.norm(all, gradient, workers)));
}

TEST_CASE("optim: biases and norms do not decay; a reset tensor starts afresh, others go on") {
  ParamSet params;
  const int w = params.add("a/w", {2}), b = params.add("a/b", {2}),
            scale = params.add("group_norm1/scale", {2});
  for (float& value : params.block()) value = 1;
  OptimizerOptions options{.rule = OptimizerRule::adamw, .weight_decay = 0.5};
  Optimizer optimizer(params, options);
  Workers workers(1);
  const Selection all = optimizer.select();
  const std::vector<float> zero(params.block().size(), 0.0f), one(params.block().size(), 1.0f);
  optimizer.step(all, {params.block(), zero}, {.rate = 0.5}, workers);
  CHECK(params.view(w)[0] == 0.75f);
  CHECK(params.view(b)[0] == 1.0f);
  CHECK(params.view(scale)[0] == 1.0f);
  // After a reset the first step of Adam is the whole rate again, whatever came before.
  optimizer.reset(b);
  optimizer.step(all, {params.block(), one}, {.rate = 0.25}, workers);
  CHECK(params.view(b)[0] == doctest::Approx(0.75));
  CHECK(params.view(scale)[0] > 0.751f);
}

TEST_CASE("optim: a prefix ends with a component; a word of decay is a whole word") {
  ParamSet params;
  const int alone = params.add("theta", {2}), under = params.add("theta/w", {2}),
            other = params.add("theta2/w", {2});
  Optimizer grouped(params, {.rule = OptimizerRule::sgd}, {{.prefix = "theta", .rate = 2}});
  Workers workers(1);
  const std::vector<float> one(params.block().size(), 1.0f);
  grouped.step(grouped.select(), {params.block(), one}, {.rate = 1}, workers);
  CHECK(params.view(alone)[0] == -2.0f);
  CHECK(params.view(under)[0] == -2.0f);
  CHECK(params.view(other)[0] == -1.0f);
  const Selection selected = grouped.select({"theta"});
  CHECK(std::vector<int>(selected.tensors().begin(), selected.tensors().end()) ==
        std::vector<int>{alone, under});

  ParamSet decaying;
  const std::vector<std::string> kept = {"norm/w", "a/norm12/w", "a/layer_norm/w"};
  const std::vector<std::string> decayed = {"normaliser/w", "a/enormous/w", "a/abnorm/w"};
  for (const std::string& name : kept) decaying.add(name, {1});
  for (const std::string& name : decayed) decaying.add(name, {1});
  for (float& value : decaying.block()) value = 1;
  Optimizer adamw(decaying, {.rule = OptimizerRule::adamw, .weight_decay = 0.5});
  const std::vector<float> zero(decaying.block().size(), 0.0f);
  adamw.step(adamw.select(), {decaying.block(), zero}, {.rate = 1}, workers);
  for (const std::string& name : kept) CHECK(decaying.view(decaying.find(name))[0] == 1.0f);
  for (const std::string& name : decayed) CHECK(decaying.view(decaying.find(name))[0] == 0.5f);
}

TEST_CASE("optim: a prior's l2 joins the gradient behind clipping whatever the rule") {
  const auto moved = [](OptimizerRule rule, double l2, bool by_hand) {
    ParamSet params;
    params.add("a/w", {3});
    params.add("a/b", {2});
    params.add("free/w", {2});
    for (std::size_t i = 0; i < params.block().size(); ++i)
      params.block()[i] = 0.5f + static_cast<float>(i);
    std::vector<ParamGroup> groups = {{.prefix = "a", .l2 = by_hand ? 0 : l2}};
    Optimizer optimizer(params, {.rule = rule}, groups);
    Workers workers(1);
    std::vector<float> gradient(params.block().size());
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < gradient.size(); ++i)
        gradient[i] = by_hand && i < 32 ? static_cast<float>(l2) * params.block()[i] : 0.0f;
      // If a gradient is clipped to nothing, only the prior's part is left.
      optimizer.step(optimizer.select(), {params.block(), gradient},
                     {.rate = 0.25, .clip_scale = by_hand ? 1.0 : 1e-30}, workers);
    }
    return std::vector<float>(params.block().begin(), params.block().end());
  };
  for (const auto rule :
       {OptimizerRule::sgd, OptimizerRule::adagrad, OptimizerRule::adam, OptimizerRule::adamw}) {
    const std::vector<float> prior = moved(rule, 0.125, false);
    CHECK(prior == moved(rule, 0.125, true));
    CHECK(prior != moved(rule, 0, false));
    CHECK(prior[32] == 32.5f);  // another group
    CHECK(prior[16] < 16.5f);   // a bias has its prior too
  }
}

TEST_CASE("optim: the same bytes for any number of threads") {
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3}) {
    ParamSet params;
    params.add("big/w", {70'001});
    params.add("small/w", {17});
    Optimizer optimizer(params, {.rule = OptimizerRule::adam, .adam_l2 = 0.01});
    Workers workers(threads);
    const Substream noise(1, Stream::test, 0);
    std::vector<float> gradient(params.block().size()), average(params.block().size());
    for (std::size_t i = 0; i < gradient.size(); ++i)
      gradient[i] = static_cast<float>(noise.uniform(i) - 0.4);
    const Selection all = optimizer.select();
    double norms = 0;
    for (int step = 0; step < 3; ++step) {
      norms += optimizer.norm(all, gradient, workers);
      optimizer.step(all, {params.block(), gradient, average},
                     {.rate = 0.1, .clip_scale = 0.1, .average_decay = 0.5}, workers);
    }
    results.emplace_back(params.block().begin(), params.block().end());
    results.back().insert(results.back().end(), average.begin(), average.end());
    results.back().push_back(static_cast<float>(norms));
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
}

TEST_CASE("optim: an option that the rule would ignore is an error") {
  CHECK_THROWS_AS((OptimizerOptions{.rule = OptimizerRule::adam, .weight_decay = 0.1}).validate(),
                  Error);
  CHECK_THROWS_AS((OptimizerOptions{.rule = OptimizerRule::adamw, .adam_l2 = 0.1}).validate(),
                  Error);
  CHECK_THROWS_AS((OptimizerOptions{.rule = OptimizerRule::adam, .momentum = 0.9}).validate(),
                  Error);
  CHECK_THROWS_AS((OptimizerOptions{.rule = OptimizerRule::sgd, .nesterov = true}).validate(),
                  Error);
}

TEST_CASE("ema: the warm-up follows (1 + t) / (10 + t) up to the decay") {
  const Averaging averaging{.decay = 0.999, .warmup = true};
  CHECK(averaging.decay_at(0) == doctest::Approx(0.1));
  CHECK(averaging.decay_at(8) == doctest::Approx(0.5));
  CHECK(averaging.decay_at(1'000'000) == 0.999);
}

}  // namespace logpx::optim_test
