#include "libcore/families/vae/model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numeric>

namespace logpx::model_test {

using namespace logpx::vae;

namespace {

struct Case {
  const char* likelihood;
  std::int64_t levels;
};
constexpr Case cases[] = {{"bernoulli", 2},        {"gaussian", 0},
                          {"gaussian-fixed", 0},   {"logistic256", 256},
                          {"logistic-mix256", 17}, {"beta-binomial", 256},
                          {"categorical", 5},      {"discretised-gaussian", 256}};

Config tiny(const std::string& likelihood) {
  Config config;
  config.likelihood = likelihood;
  config.latent = 2;
  config.hidden = {3};
  config.components = 2;
  config.obs_std = "learn";
  return config;
}

DatasetInfo pictures(std::int64_t side, std::int64_t channels, std::int64_t levels) {
  DatasetInfo info = vectors_of(side * side * channels, levels);
  info.content = Content::image;
  info.shape = {side, side, channels};
  return info;
}

// Values in the middle and at the ends of the support.
std::vector<double> values(std::int64_t count, std::int64_t levels) {
  std::vector<double> x;
  for (std::int64_t i = 0; i < count; ++i)
    x.push_back(levels > 0 ? static_cast<double>((i * i * 7 + levels - 1) % levels)
                           : std::sin(static_cast<double>(i)));
  return x;
}

// Gradients of an objective by every parameter and the noise, against differences.
std::string trouble(const VaeModel& model, const ObjectiveOptions& options) {
  const std::int64_t rows = 3, dims = model.dims(), copies = options.copies();
  const std::vector<double> x = values(rows * dims, model.likelihood().levels());
  layer_check::Given given = {{"x", x}};
  if (model.likelihood().takes_index())
    for (std::int64_t l = 0; l < copies; ++l)
      given["index"].insert(given["index"].end(), x.begin(), x.end());
  if (options.schedules_kl()) given["kl_weight"] = {0.3};
  return layer_check::trouble(
      model.param_set(),
      [&](Graph& graph) {
        build_objective(model, options, graph, {rows});
        const NodeInput& loss =
            graph.outputs()[static_cast<std::size_t>(graph.find_output("loss"))].value;
        return Var(graph, loss.node, loss.shape, loss.offset);
      },
      given);
}

}  // namespace

TEST_CASE("vae: gradients of every likelihood and network equal differences") {
  for (const Case& c : cases) {
    CAPTURE(c.likelihood);
    const VaeModel dense(tiny(c.likelihood), vectors_of(4, c.levels));
    CHECK(trouble(dense, {.samples = 2}) == "");
    Config config = tiny(c.likelihood);
    config.encoder = NetworkKind::linear;
    CHECK(trouble(VaeModel(config, vectors_of(3, c.levels)), {.samples = 2}) == "");
  }
  for (const Case& c : {cases[0], cases[6]}) {  // one and several numbers per dimension
    CAPTURE(c.likelihood);
    Config config = tiny(c.likelihood);
    config.encoder = NetworkKind::conv;
    config.conv_width = 0.05;
    const std::int64_t channels = c.levels == 2 ? 1 : 2;  // drawn away from the kinks of relu
    CHECK(trouble(VaeModel(config, pictures(4, channels, c.levels)), {}) == "");
  }
}

TEST_CASE("vae: gradients of planes of latents equal differences") {
  for (const std::vector<std::int64_t>& planes : {std::vector<std::int64_t>{2}, {1, 2}}) {
    Config config = tiny("bernoulli");
    config.encoder = NetworkKind::conv;
    config.conv_width = 0.05;
    config.latent_planes = planes;
    const VaeModel model(config, pictures(4, 1, 2));
    CHECK(model.latent() == (planes.size() == 1 ? 2 : 4 + 2));
    CHECK(trouble(model, {.samples = 2}) == "");
  }
}

TEST_CASE("vae: a latent of a plane speaks of its place alone") {
  Config config = tiny("bernoulli");
  config.encoder = NetworkKind::conv;
  config.latent_planes = {1};
  const VaeModel model(config, pictures(32, 1, 2));
  REQUIRE(model.latent() == 64);
  Graph graph;
  graph.output("logits", model.decode(graph.input("z", {2, 64}))[0]);
  Executor<float> run(graph, {});
  std::vector<float> z(128, 0.3F), block(at(model.param_set().block_size()));
  z[64] = 2;  // of the second picture, above on the left
  fill_normals(Rng(3).stream(Stream::test), 0, block);
  run.bind("z", z);
  run.bind_parameters(block);
  run.forward();
  const std::span<const float> logits = run.output("logits").span();
  const auto changed = [&](std::size_t row, std::size_t column) {
    const std::size_t pixel = row * 32 + column;
    return logits[pixel] != logits[1024 + pixel];
  };
  CHECK(changed(1, 1));
  CHECK_FALSE(changed(20, 1));
  CHECK_FALSE(changed(1, 20));
}

TEST_CASE("vae: gradients of every objective equal differences") {
  const VaeModel model(tiny("bernoulli"), vectors_of(4, 2));
  CHECK(trouble(model, {.estimator = Estimator::a, .samples = 3}) == "");
  CHECK(trouble(model, {.objective = Objective::beta, .samples = 2, .beta = 0.3}) == "");
  CHECK(trouble(model, {.objective = Objective::beta, .estimator = Estimator::a, .beta = 3}) == "");
  CHECK(trouble(model, {.kl_warmup = 7}) == "");
  CHECK(trouble(model, {.free_bits = 0.02}) == "");
  CHECK(trouble(model, {.objective = Objective::iwae, .k = 4}) == "");
}

TEST_CASE("vae: what each discrete likelihood gives sums to one over its support") {
  for (const Case& c : cases) {
    if (c.levels == 0) continue;
    CAPTURE(c.likelihood);
    const VaeModel model(tiny(c.likelihood), vectors_of(1, c.levels));
    for (const double scale : {0.5, 5.0, 60.0}) {  // of the weights: extreme heads too
      Graph graph;
      const std::int64_t n = c.levels;
      const Target target = model.target(graph, n, 1);
      const Var z = graph.input("z", {1, n, 2});
      graph.output("log_p", model.log_likelihood(target, z));
      Executor<float> run(graph, {});
      std::vector<float> x(static_cast<std::size_t>(n)), noise(x.size() * 2, 0.7F);
      std::iota(x.begin(), x.end(), 0.0F);
      std::vector<std::int32_t> index(x.begin(), x.end());
      std::vector<float> block(static_cast<std::size_t>(model.param_set().block_size()));
      fill_normals(Rng(3).stream(Stream::test), 0, block);
      for (float& w : block) w *= static_cast<float>(scale);
      run.bind("x", x);
      if (model.likelihood().takes_index()) run.bind_index("index", index);
      run.bind("z", noise);
      run.bind_parameters(block);
      run.forward();
      double sum = 0;
      for (const float log_p : run.output("log_p").span())
        sum += std::exp(static_cast<double>(log_p));
      CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("vae: a config that contradicts itself or the data is refused with a remedy") {
  const auto refused = [](const Config& config, const DatasetInfo& data) {
    try {
      const VaeModel model(config, data);
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.hint();
    }
    return std::string("accepted");
  };
  DatasetInfo gray = pictures(28, 1, 256);
  CHECK(refused({}, gray).find("256 levels | --binarise static") != std::string::npos);
  Config config;
  config.likelihood = "logistic256";
  config.reading.binarise = "static";
  CHECK(refused(config, gray).find("makes binary data") != std::string::npos);
  config = {};
  config.reading.binarise = "static";
  config.encoder = NetworkKind::conv;
  CHECK(refused(config, gray) == "accepted");
  CHECK(refused(config, pictures(30, 1, 256)).find("height 30") != std::string::npos);
  CHECK(refused(config, pictures(30, 1, 256)).find("--size 32x32 --fit pad") != std::string::npos);
  config = {};
  config.hidden = {0};
  CHECK(refused(config, vectors_of(3, 2)).find("--hidden") != std::string::npos);
  config = {};
  config.likelihood = "beta-binomial";
  CHECK(refused(config, vectors_of(3, 0)).find("needs whole numbers") != std::string::npos);
}

TEST_CASE("vae: gray values under bernoulli are a surrogate and say so") {
  Config config;
  config.allow_gray = true;
  const VaeModel model(config, pictures(4, 1, 256));
  CHECK(model.kind() == Bound::surrogate);
  CHECK(model.likelihood().supports(0.25F, 0));
}

TEST_CASE("vae: the decoder starts at the mean of the data when asked to") {
  const std::vector<float> mean = {0.2F, 0.7F, 0.0F};
  Config config = tiny("bernoulli");
  config.init_output_bias = OutputBias::data;
  VaeModel model(config, vectors_of(3, 2));
  model.initialise(Rng(1));
  model.set_data_mean(mean);
  const auto bias = model.param_set().view(model.param_set().find("decoder/logits/b")).span();
  for (std::size_t d = 0; d < 3; ++d)
    CHECK(1 / (1 + std::exp(-static_cast<double>(bias[d]))) ==
          doctest::Approx(std::max(0.001, static_cast<double>(mean[d]))));
}

TEST_CASE("vae: one bias per channel starts at the mean of its channel's pixels") {
  for (const std::string likelihood : {"logistic-mix256", "logistic256"}) {
    Config config = tiny(likelihood);
    config.encoder = NetworkKind::conv;
    config.conv_width = 0.05;
    config.init_output_bias = OutputBias::data;
    VaeModel model(config, pictures(4, 2, 256));
    model.initialise(Rng(1));
    // The first channel is dark above and light below, the second one is black.
    std::vector<float> mean(32, 0.0F);
    std::fill_n(mean.begin(), 8, 51.0F);
    std::fill_n(mean.begin() + 8, 8, 204.0F);
    model.set_data_mean(mean);
    const auto bias = model.param_set().view(model.param_set().find("decoder/mean/b")).span();
    const std::size_t per_channel = bias.size() / 2;
    CHECK(per_channel == (likelihood == "logistic256" ? 1 : 2));
    for (std::size_t i = 0; i < bias.size(); ++i)
      CHECK(static_cast<double>(bias[i]) == doctest::Approx(i < per_channel ? 0 : -1));
  }
}

}  // namespace logpx::model_test
