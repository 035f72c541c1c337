// --numerics det: the weights that a training ends with are stored here, and every machine must
// find them. scripts/check-arm64 asks another one.
#include "libcore/base/hash.hpp"
#include "libcore/families/vae/presets.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/training.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace logpx;
using namespace logpx::vae;

namespace {

constexpr std::int64_t count = 40, edge = 8;

struct Variant {
  std::string name, weights;  // half of the SHA-256 of all that a checkpoint holds
  Config config = {};
  ObjectiveOptions objective = {};
  std::int64_t levels = 2;  // 0: real numbers
  Curve curve = Curve::constant;
};

DatasetInfo pictures(std::int64_t levels) {
  DatasetInfo info = vectors_of(edge * edge, levels);
  if (levels == 0) return info;
  info.content = Content::image;
  info.shape = {edge, edge, 1};
  return info;
}

Rows rows_for(const Variant& variant) {
  const DatasetInfo info = pictures(variant.levels);
  DrawCursor draws(Rng(8).stream(Stream::test));
  Rows rows;
  rows.count = count;
  rows.x.resize(static_cast<std::size_t>(count * info.dims()) *
                (variant.levels == 0 ? sizeof(float) : 1));
  if (variant.levels == 0)
    for (float& x : rows.values<float>()) x = static_cast<float>(draws.uniform());
  else
    for (std::uint8_t& x : rows.values<std::uint8_t>())
      x = static_cast<std::uint8_t>(draws.uniform() * static_cast<double>(variant.levels));
  return rows;
}

std::string trained(const Variant& variant, NumericsChoice numerics) {
  const DatasetInfo info = pictures(variant.levels);
  const Rows rows = rows_for(variant);
  VaeModel model(variant.config, info);
  model.initialise(Rng(1));
  VaeTask task(model, variant.objective, {.train = {info, rows, 0}, .valid = {}}, Rng(1));
  TrainOptions options;
  options.batch = 16;
  options.epochs = 2;
  options.lr = 0.01;
  options.lr_schedule = variant.curve;
  options.lr_final = 0.001;
  options.ema = 0.9;
  options.clip_norm = 1;
  options.arithmetic = numerics;
  MemorySink sink;
  Workers workers(2);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {.seed = 3, .sink = &sink});
  loop.run();
  return sha256_hex(bytes_of(sink.saved())).substr(0, 32);
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  const auto add = [&all](const char* name, Likelihood likelihood,
                          const char* weights) -> Variant& {
    const bool bits = likelihood == Likelihood::bernoulli;
    const std::int64_t levels = is_density(likelihood) ? 0 : bits ? 2 : 256;
    const Config config{.latent = 3, .hidden = {12}, .likelihood = likelihood};
    return all.emplace_back(
        Variant{.name = name, .weights = weights, .config = config, .levels = levels});
  };
  add("bernoulli", Likelihood::bernoulli, "a4e9cbc0729dbe57fd4564d9dab6e312").curve = Curve::cosine;
  Variant& conv = add("convolutions", Likelihood::bernoulli, "9cf9e011d1c31a65e75edbfbcb9093af");
  conv.config.encoder = NetworkKind::conv;
  conv.config.conv_width = 0.1;
  Variant& gaussian = add("gaussian", Likelihood::gaussian, "b5dc9cd911bdaa3ac2f47f58751d00f0");
  gaussian.config.activation = Activation::elu;
  gaussian.objective.objective = Objective::iwae_dreg;
  Variant& fixed =
      add("gaussian-fixed", Likelihood::gaussian_fixed, "8916a7b2c5b7faa82fb66fa7b78de964");
  fixed.config.activation = Activation::gelu_tanh;
  fixed.config.obs_std = "learn";
  fixed.objective.objective = Objective::score_function;
  Variant& logistic =
      add("logistic256", Likelihood::logistic256, "ce74015dc096ec5161a90fe8718770cd");
  logistic.config.activation = Activation::silu;
  logistic.objective.kl_warmup = 3;
  logistic.curve = Curve::exponential;
  add("logistic-mix256", Likelihood::logistic_mix256, "ee8dd6d7b1c95e0f71fa593bd53e6769")
      .objective.objective = Objective::iwae;
  add("beta-binomial", Likelihood::beta_binomial, "e312b19577981df22f45b2039030c404")
      .config.activation = Activation::softplus;
  Variant& levels = add("categorical", Likelihood::categorical, "de4f4facbe95e6eb0102380705a062c6");
  levels.config.activation = Activation::gelu_erf;
  levels.objective.free_bits = 0.1;
  levels.levels = 5;
  Variant& asleep =
      add("wake-sleep", Likelihood::beta_binomial, "36b385c1e72f1c51a095fb31360cf26a");
  asleep.objective.algorithm = Algorithm::wake_sleep;
  Variant& chains = add("mcem", Likelihood::bernoulli, "311ab821b80e487d4f5dc0c5bfea34e7");
  chains.config.inference = Inference::none;
  chains.objective.algorithm = Algorithm::mcem;
  return all;
}

}  // namespace

TEST_CASE("numerics det: a training ends with the stored weights, whatever the machine") {
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    CHECK(trained(variant, NumericsChoice::det) == variant.weights);
  }
}

TEST_CASE("numerics det: the option arrives") {
  const Variant variant = variants().front();
  CHECK(trained(variant, NumericsChoice::fast) != trained(variant, NumericsChoice::det));
}
