// --numerics det: hashes of the weights that a training ends with, and of what the models then
// code. Every machine must find them; scripts/check-arm64 runs this on another one.
#include "libcore/base/hash.hpp"
#include "libcore/families/vae/family.hpp"
#include "libcore/families/vae/task.hpp"
#include "libcore/train/ranks.hpp"
#include "tests/support/training.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace logpx::numerics_test {

using namespace logpx::vae;

namespace {

constexpr std::int64_t count = 40, edge = 8;

struct Variant {
  std::string name;
  std::string weights;    // half of the SHA-256 of all that a checkpoint holds
  std::string code = "";  // of the message of one item
  Config config = {};
  ObjectiveOptions objective = {};
  std::int64_t levels = 2;  // 0: real numbers
  Curve curve = Curve::constant;
  OptimizerRule rule = OptimizerRule::adam;
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

struct Outcome {
  std::string weights, code;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome trained(const Variant& variant, NumericsChoice numerics) {
  const DatasetInfo info = pictures(variant.levels);
  const Rows rows = rows_for(variant);
  VaeModel model(variant.config, info);
  model.initialise(Rng(1));
  VaeTask task(model, variant.objective, {.train = Examples{info, rows, 0}, .valid = {}}, Rng(1));
  TrainOptions options;
  options.batch = 16;
  options.epochs = 2;
  options.lr = 0.01;
  options.lr_schedule = variant.curve;
  options.lr_final = 0.001;
  options.ema = 0.9;
  options.clip_norm = 1;
  options.optimizer.rule = variant.rule;
  options.keep_best = true;
  options.numerics_choice = numerics;
  MemorySink sink;
  Workers workers(2);
  const auto ranks = join_ranks();
  TrainingLoop loop(task, options, {workers, *ranks}, {.seed = 3, .sink = &sink});
  loop.run();
  Outcome outcome{.weights = sha256_hex(bytes_of(sink.saved())).substr(0, 32), .code = ""};
  if (model.likelihood().is_codable() && variant.config.inference == Inference::encoder) {
    const Abilities can = abilities(model);
    const ModelCodec& codec = *can.code;
    outcome.code = probe_of(*codec.plan()->scheme(workers), codec.item(), 4).substr(0, 32);
  }
  return outcome;
}

std::int64_t levels_of(const char* likelihood) {
  const ValuesOfX takes = values_of_likelihood(likelihood);
  return takes == ValuesOfX::reals ? 0 : takes == ValuesOfX::bits ? 2 : 256;
}

std::vector<Variant> variants() {
  std::vector<Variant> all;
  const auto add = [&all](const char* name, const char* likelihood, const char* weights,
                          const char* code) -> Variant& {
    const std::int64_t levels = levels_of(likelihood);
    const Config config{.latent = 3, .hidden = {12}, .likelihood = likelihood};
    return all.emplace_back(Variant{
        .name = name, .weights = weights, .code = code, .config = config, .levels = levels});
  };
  add("bernoulli", "bernoulli", "72d647fdb8f9c7c469eca37469cec16b",
      "4e7a7c7807f2798bbd353654a37278e9")
      .curve = Curve::cosine;
  Variant& conv = add("convolutions", "bernoulli", "4608469b5a6677acead266b3f0d49332",
                      "ea3096af9725126f15182cb4430a0e43");
  conv.config.encoder = NetworkKind::conv;
  conv.config.conv_width = 0.1;
  Variant& gaussian = add("gaussian", "gaussian", "dcbaf08a2cfa34b7f7f33dc8693bb204", "");
  gaussian.config.activation = Activation::elu;
  gaussian.objective.objective = Objective::iwae_dreg;
  Variant& fixed = add("gaussian-fixed", "gaussian-fixed", "06f2e31ba294be053be4be54f271d21e", "");
  fixed.config.activation = Activation::gelu_tanh;
  fixed.config.obs_std = "learn";
  fixed.objective.objective = Objective::score_function;
  fixed.rule = OptimizerRule::adagrad;
  Variant& cells = add("discretised-gaussian", "discretised-gaussian",
                       "57b2e6a50ce58814de3236a95259bc54", "07452676fb9fc0817bbd2f5975ee4f35");
  cells.config.mean_activation = Squash::sigmoid;
  cells.config.obs_std = "learn";
  Variant& logistic = add("logistic256", "logistic256", "d153aa92f374cd12141cac0127725d61",
                          "4a278f39633f229db1c5a15e749a45a3");
  logistic.config.activation = Activation::silu;
  logistic.objective.kl_warmup = 3;
  logistic.curve = Curve::exponential;
  add("logistic-mix256", "logistic-mix256", "00ae46c7f614c84943f8a9664fffa79a",
      "5192c310341d9c9c91de5d34765c3252")
      .objective.objective = Objective::iwae;
  Variant& planes = add("planes and contexts", "logistic-mix256",
                        "7ccc8460ac31f96bd742bf03a75dc5ca", "83006d5cb38c9931b50a4b079d5dce1d");
  planes.config.encoder = NetworkKind::conv;
  planes.config.conv_width = 0.1;
  planes.config.latent_planes = {2};
  planes.config.context = 4;
  planes.config.context_hidden = {6};
  add("beta-binomial", "beta-binomial", "f49ed9af276bb669114ec6c60bea4999",
      "d76e4a049e0668c8aac97c11f4524f7b")
      .config.activation = Activation::softplus;
  Variant& levels = add("categorical", "categorical", "3cea7ec05aeb76e838eb029686432689",
                        "025a61acce15cc3c17f3ca6aadea4524");
  levels.config.activation = Activation::gelu_erf;
  levels.objective.free_bits = 0.1;
  levels.levels = 5;
  Variant& asleep = add("wake-sleep", "beta-binomial", "128ef898c6e1613a6f81b8d2aba617ef",
                        "2032a90e04266409dd87435bb005e205");
  asleep.objective.algorithm = Algorithm::wake_sleep;
  asleep.rule = OptimizerRule::sgd;
  Variant& chains = add("mcem", "bernoulli", "8fe1a0bbc5e436c97b796225e17a4236", "");
  chains.config.inference = Inference::none;
  chains.objective.algorithm = Algorithm::mcem;
  return all;
}

}  // namespace

TEST_CASE("numerics det: a training ends with the stored weights, and codes with the stored bits") {
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const Outcome outcome = trained(variant, NumericsChoice::det);
    CHECK(outcome.weights == variant.weights);
    CHECK(outcome.code == variant.code);
  }
}

TEST_CASE("numerics det: the option arrives") {
  const Variant variant = variants().front();
  CHECK(trained(variant, NumericsChoice::fast).weights != variant.weights);
}

}  // namespace logpx::numerics_test
