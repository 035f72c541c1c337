// VAEs whose pixels see those before them.
#include "libcore/base/error.hpp"
#include "libcore/codec/rans.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/families/vae/sample.hpp"
#include "libcore/grad/executor.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/vae_models.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace logpx::context_test {

using namespace logpx::vae;

namespace {

DatasetInfo picture(std::int64_t height, std::int64_t width, std::int64_t channels,
                    std::int64_t levels) {
  DatasetInfo info = vectors_of(height * width * channels, levels);
  info.content = Content::image;
  info.shape = {height, width, channels};
  return info;
}

Config seeing(const std::string& likelihood, std::int64_t neighbours) {
  return {.latent = 2,
          .hidden = {3},
          .context = neighbours,
          .context_hidden = {4},
          .likelihood = likelihood,
          .components = 2,
          .init = "normal:0.4"};
}

std::unique_ptr<VaeModel> model_of(const Config& config, const DatasetInfo& info) {
  auto model = std::make_unique<VaeModel>(config, info);
  model->initialise(Rng(3));
  return model;
}

// log p(x|z) by the graph that training and scores use.
std::vector<double> log_likelihoods(const VaeModel& model, const std::vector<float>& z,
                                    const std::vector<float>& rows) {
  const std::int64_t count = std::ssize(rows) / model.dims();
  Graph graph;
  const Target target = model.target(graph, count, 1);
  const Var codes = graph.input("z", {1, count, model.latent()});
  graph.output("nats", model.log_likelihood(target, codes));
  std::vector<float> repeated;
  for (std::int64_t i = 0; i < count; ++i) repeated.insert(repeated.end(), z.begin(), z.end());
  const std::vector<std::int32_t> index(rows.begin(), rows.end());
  Executor<float> run(graph, {});
  run.bind("x", rows);
  run.bind("z", repeated);
  if (model.likelihood().takes_index()) run.bind_index("index", index);
  run.bind_parameters(model.param_set().block());
  run.forward();
  const auto nats = run.output("nats").span();
  return {nats.begin(), nats.end()};
}

// Number i in digits of base `levels`, the first dimension last.
std::vector<float> nth_picture(std::int64_t i, std::int64_t dims, std::int64_t levels) {
  std::vector<float> x;
  for (std::int64_t d = 0; d < dims; ++d, i /= levels) x.push_back(static_cast<float>(i % levels));
  return x;
}

std::vector<float> all_pictures(std::int64_t dims, std::int64_t levels) {
  const auto count = static_cast<std::int64_t>(std::pow(levels, dims));
  std::vector<float> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::vector<float> x = nth_picture(i, dims, levels);
    rows.insert(rows.end(), x.begin(), x.end());
  }
  return rows;
}

struct Case {
  std::string likelihood;
  DatasetInfo info;
};
std::vector<Case> cases() {
  return {{"bernoulli", picture(3, 3, 1, 2)},       {"logistic256", picture(3, 2, 1, 3)},
          {"logistic-mix256", picture(2, 3, 1, 3)}, {"beta-binomial", picture(1, 2, 3, 3)},
          {"categorical", picture(3, 2, 1, 3)},     {"discretised-gaussian", picture(2, 1, 3, 3)}};
}

const std::vector<float> z = {0.4F, -1.1F};

}  // namespace

TEST_CASE("vae contexts: p(x|z) of all small pictures sums to one, for every likelihood") {
  for (const Case& c : cases()) {
    CAPTURE(c.likelihood);
    const auto model = model_of(seeing(c.likelihood, 12), c.info);
    double sum = 0;
    for (const double nats : log_likelihoods(*model, z, all_pictures(model->dims(), c.info.levels)))
      sum += std::exp(nats);
    CHECK(sum == doctest::Approx(1).epsilon(1e-4));
  }
}

TEST_CASE("vae contexts: gradients equal differences, of all dimensions and of chosen ones") {
  for (const Case& c : cases()) {
    CAPTURE(c.likelihood);
    const auto model = model_of(seeing(c.likelihood, 4), c.info);
    constexpr std::int64_t rows = 2, taken = 3;
    const std::int64_t dims = model->dims();
    layer_check::Given given;
    for (std::int64_t i = 0; i < rows * dims; ++i)
      given["x"].push_back(static_cast<double>(i * i % c.info.levels));
    if (model->likelihood().takes_index()) given["index"] = given["x"];
    for (const std::int64_t extent : {std::int64_t{0}, taken}) {
      CAPTURE(extent);
      if (extent > 0) {
        given["dims"] = {0, 2, 5, 1, 4, 0};
        given["weights"] = {1, 2.5, 1, 0.5, 3, 0};
        if (model->likelihood().takes_index())
          for (std::size_t i = 0; i < given["dims"].size(); ++i)
            given["taken_index"].push_back(given["x"][i / taken * static_cast<std::size_t>(dims) +
                                                      static_cast<std::size_t>(given["dims"][i])]);
      }
      const std::string trouble = layer_check::trouble(
          model->param_set(),
          [&](Graph& graph) {
            build_objective(*model, {}, graph, {rows, extent});
            const NodeInput& loss =
                graph.outputs()[static_cast<std::size_t>(graph.find_output("loss"))].value;
            return Var(graph, loss.node, loss.shape, loss.offset);
          },
          given);
      CHECK(trouble == "");
    }
  }
}

TEST_CASE("vae contexts: another value of a pixel changes no term before it, but some after it") {
  for (const Case& c : cases()) {
    CAPTURE(c.likelihood);
    const auto model = model_of(seeing(c.likelihood, 12), c.info);
    const auto walk = make_walk(*model);
    const auto symbols = walk->symbols(z);
    const auto size = static_cast<std::size_t>(model->dims());
    std::vector<std::uint8_t> x(size, 1);
    std::vector<double> before(size), after(size);
    symbols->log_probabilities(x, before);
    int moved = 0;
    for (std::size_t changed = 0; changed < size; ++changed) {
      std::vector<std::uint8_t> other = x;
      other[changed] = 0;
      symbols->log_probabilities(other, after);
      for (std::size_t i = 0; i < changed; ++i) CHECK(after[i] == before[i]);
      for (std::size_t i = changed + 1; i < size; ++i) moved += after[i] != before[i] ? 1 : 0;
    }
    CHECK(moved > 0);
  }
}

TEST_CASE("vae contexts: what a coder pushes takes -log2 p(x|z) bits and comes back") {
  for (const Case& c : cases()) {
    CAPTURE(c.likelihood);
    Config config = seeing(c.likelihood, 12);
    config.init = "normal:0.2";  // no value as rare as a coder's leak
    const auto model = model_of(config, c.info);
    const auto walk = make_walk(*model);
    const ChannelsFirst place(c.info);
    for (std::int64_t i = 0; i < 20; ++i) {
      const std::vector<float> row = nth_picture(37 * i % 64, model->dims(), c.info.levels);
      std::vector<std::uint8_t> item;
      for (std::size_t e = 0; e < row.size(); ++e)
        item.push_back(static_cast<std::uint8_t>(row[place(e)]));
      const double nats = log_likelihoods(*model, z, row)[0];
      CHECK(walk->symbols(z)->add_log_probability(item, 0) == doctest::Approx(nats).epsilon(1e-4));
      codec::Message message(4);
      const double empty = message.bits();
      walk->symbols(z)->push(message, item);
      CHECK((message.bits() - empty) * std::log(2) == doctest::Approx(-nats).epsilon(1e-3));
      std::vector<std::uint8_t> back(item.size());
      walk->symbols(z)->pop(message, back);
      CHECK(back == item);
    }
  }
}

TEST_CASE("vae contexts: pictures are drawn as often as p(x|z) says, alone or with others") {
  const auto model = model_of(seeing("bernoulli", 12), picture(2, 2, 1, 2));
  const auto walk = make_walk(*model);
  constexpr std::int64_t count = 4000, together = 50;
  std::vector<float> codes;
  for (std::int64_t i = 0; i < together; ++i) codes.insert(codes.end(), z.begin(), z.end());
  std::map<std::vector<float>, double> found;
  for (std::int64_t first = 0; first < count; first += together) {
    const std::vector<float> x = walk->draw(codes, first, Rng(5));
    for (std::int64_t i = 0; i < together; ++i) ++found[{&x[i * 4], &x[i * 4] + 4}];
    const std::vector<float> alone = walk->draw(z, first + 7, Rng(5));
    CHECK(std::equal(alone.begin(), alone.end(), &x[7 * 4]));
  }
  const std::vector<double> nats = log_likelihoods(*model, z, all_pictures(4, 2));
  double chi_square = 0;
  for (std::int64_t i = 0; i < 16; ++i) {
    const double expected = count * std::exp(nats[static_cast<std::size_t>(i)]),
                 difference = found[nth_picture(i, 4, 2)] - expected;
    chi_square += difference * difference / expected;
  }
  CHECK(chi_square < 40);  // 15 degrees of freedom: by chance once in 2,000
}

TEST_CASE("vae contexts: components start apart over all values, one distribution at the mean") {
  const DatasetInfo info = picture(2, 2, 1, 256);
  const auto biases = [&](const std::string& likelihood, const std::string& head) {
    Config config = seeing(likelihood, 4);
    config.components = 3;
    config.init_output_bias = OutputBias::data;
    const auto model = model_of(config, info);
    model->set_data_mean(std::vector<float>{0, 51, 102, 51});
    const auto bias =
        model->param_set().view(model->param_set().find("context/" + head + "/b")).span();
    return std::vector<float>(bias.begin(), bias.end());
  };
  CHECK(biases("logistic-mix256", "mean") == std::vector<float>{-1, 0, 1});
  CHECK(biases("logistic-mix256", "log_scale") == std::vector<float>(3, -2.5F));
  CHECK(biases("logistic256", "mean")[0] == doctest::Approx(-0.6));
}

TEST_CASE("vae contexts: real numbers and data without pixels are refused with a remedy") {
  const auto refused = [](const Config& config, const DatasetInfo& info) {
    try {
      static_cast<void>(VaeModel(config, info));
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  DatasetInfo reals = picture(2, 2, 1, 0);
  CHECK(refused(seeing("gaussian", 12), reals) ==
        "needs pixels that are bits or levels, and --likelihood gaussian takes real numbers");
  CHECK(refused(seeing("bernoulli", 12), vectors_of(4, 2)) ==
        "needs images, whose pixels have neighbours");
}

}  // namespace logpx::context_test
