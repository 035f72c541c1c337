// Generators of every kind: gradients, sizes, state, and what goes into them besides s.
#include "libcore/families/kaem/generator/generator.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/ops_index.hpp"
#include "tests/support/layer_check.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace logpx::generator_test {

using kaem::Decoding;
using kaem::Generator;
using kaem::GeneratorForm;
using kaem::GeneratorKind;

namespace {

using Names = std::vector<std::string>;

const std::vector<HeadForm> one_mean = {{.name = "mean"}};
const std::vector<HeadForm> two_heads = {{.name = "mean", .per_dim = 2, .squash = Squash::sigmoid},
                                         {.name = "log_var", .low = -3, .high = 3},
                                         {.name = "shared", .shared = true}};

Extents picture(std::int64_t size, std::int64_t channels) {
  return {.dims = channels * size * size, .channels = channels, .height = size, .width = size};
}

// 4x4 pixels in two layers.
GeneratorForm small_cnn() {
  return {.kind = GeneratorKind::cnn,
          .channels = {3, 2},
          .kernels = {2, 4},
          .strides = {1, 2},
          .pads = {0, 1}};
}

// What bind() fills, for graphs in double.
layer_check::Given state_of(Generator& generate) {
  layer_check::Given given;
  for (std::int64_t k = 0; k < generate.spline_layers(); ++k) {
    const auto grid = generate.grid(k).span(), spacing = generate.spacing(k).span();
    given["grid" + std::to_string(k)].assign(grid.begin(), grid.end());
    given["spacing" + std::to_string(k)].assign(spacing.begin(), spacing.end());
  }
  return given;
}

// All heads, one after the other.
Var joined(const Likelihood::Heads& heads) {
  std::vector<Var> parts;
  for (const Var& head : heads) parts.push_back(head.reshape({head.shape().elements()}));
  return concat(parts, 0);
}

struct Checked {
  GeneratorForm form;
  Extents extents = {.dims = 4};
  std::vector<HeadForm> heads = one_mean;
  Decoding::Statistics statistics = Decoding::Statistics::running;
};

std::string trouble(const Checked& item) {
  LayerModel model;
  Generator generate(model.site / "generator", item.form, {3, item.extents}, item.heads);
  layer_check::Given given = state_of(generate);
  if (generate.takes_tokens()) given["tokens"] = {1, 0, 1, 1, 0, 0, 1, 0};
  if (item.form.batch_norm && item.statistics == Decoding::Statistics::running)
    given["statistics0"] = {0.1, -0.2, 0.3, 0.5, 2, 1.5};
  const auto build = [&](Graph& graph) {
    Decoding decoding{.statistics = item.statistics};
    if (generate.takes_tokens())
      decoding.tokens = graph.index_input("tokens", {2, item.extents.dims});
    decoding.noise = graph.input("noise", {2, generate.noise_size()});
    return joined(generate(model.params, graph.input("s", {2, 3}), decoding));
  };
  return layer_check::trouble(model.params, build, given);
}

using Bound = std::map<std::string, std::vector<float>>;

// A generator with parameters drawn by their rules, and its first head for given inputs.
struct Bench {
  LayerModel model;
  Generator generate;
  Bench(const GeneratorForm& form, const Extents& extents, const std::vector<HeadForm>& heads)
      : generate(model.site / "generator", form, {3, extents}, heads) {
    model.start();
  }
  [[nodiscard]] std::vector<float> head(const std::vector<float>& s, Decoding decoding,
                                        const std::vector<float>& noise = {},
                                        const std::vector<std::int32_t>& tokens = {}) {
    Graph graph;
    const std::int64_t rows = std::ssize(s) / 3;
    const Var latents = graph.input("s", {rows, 3});
    if (!noise.empty()) decoding.noise = graph.input("noise", {rows, generate.noise_size()});
    if (!tokens.empty())
      decoding.tokens = graph.index_input("tokens", {rows, std::ssize(tokens) / rows});
    graph.output("head", generate(model.params, latents, decoding)[0]);
    GraphInputs inputs(graph, "");
    generate.bind(inputs);
    Executor<float> run(graph, {});
    inputs.bind_to(run);
    std::ranges::copy(s, inputs.values("s").begin());
    if (!noise.empty()) std::ranges::copy(noise, inputs.values("noise").begin());
    if (!tokens.empty()) std::ranges::copy(tokens, inputs.indices("tokens").begin());
    run.bind_parameters(model.params.block());
    run.forward();
    for (const Graph::Output& output : graph.outputs()) {
      const auto values = run.output(output.name).span();
      outputs[output.name].assign(values.begin(), values.end());
    }
    return outputs["head"];
  }
  Bound outputs = {};
};

}  // namespace

TEST_CASE("kaem: gradients of every kind of generator agree with differences") {
  const SplineOptions spline{.intervals = 4};
  const std::vector<Checked> all = {
      {{.hidden = {}, .spline = spline}},
      {{.hidden = {5}, .spline = spline}, {.dims = 4}, two_heads},
      {{.hidden = {5}, .spline = spline, .range_fix = kaem::RangeFix::sigmoid}},
      {{.hidden = {5}, .spline = spline, .range_fix = kaem::RangeFix::affine, .layer_norm = true}},
      {{.kind = GeneratorKind::mlp, .hidden = {5, 4}}, {.dims = 4}, two_heads},
      {small_cnn(), picture(4, 2)},
      {small_cnn(), picture(4, 2), two_heads},
      {{.kind = GeneratorKind::seq, .hidden = {4}, .autoregressive = false},
       {.dims = 4},
       {{.name = "logits", .per_dim = 2}}},
      {{.kind = GeneratorKind::seq, .hidden = {4}},
       {.dims = 4},
       {{.name = "logits", .per_dim = 2}}}};
  for (const Checked& item : all) {
    CAPTURE(&item - all.data());
    CHECK(trouble(item) == "");
  }
}

TEST_CASE("kaem: gradients of a convolutional generator with all its switches") {
  Checked item{small_cnn(), picture(4, 2)};
  item.form.latent_concat = item.form.batch_norm = true;
  item.form.leaky_slope = 0.1;
  CHECK(trouble(item) == "");
  item.statistics = Decoding::Statistics::own;
  CHECK(trouble(item) == "");
}

TEST_CASE("kaem: tensors and state of a generator have the names of its layers") {
  LayerModel model;
  Generator generate(model.site / "generator", {.hidden = {5}, .spline = {.intervals = 4}},
                     {3, {.dims = 4}}, two_heads);
  CHECK(layer_check::tensors(model.params) ==
        Names{"generator/layer0/w_base [3,5]", "generator/layer0/w_spline [3,5]",
              "generator/layer0/coef [3,5,5]", "generator/layer0/rho []",
              "generator/layer1/w_base [5,12]", "generator/layer1/w_spline [5,12]",
              "generator/layer1/coef [5,12,5]", "generator/layer1/rho []", "generator/shared [1]"});
  Names names;
  for (const TensorRef& ref : generate.state()) names.push_back(ref.name + ' ' + ref.shape.text());
  CHECK(names == Names{"generator/layer0/grid [3,5]", "generator/layer0/spacing [3]",
                       "generator/layer1/grid [5,5]", "generator/layer1/spacing [5]"});
  CHECK(generate.grid(0)[0] == -1.5F);
  CHECK(generate.grid(0)[4] == 1.5F);
  CHECK(generate.spacing(1)[4] == 0.75F);
}

TEST_CASE("kaem: a graph has the grids as they stand when it is bound") {
  Bench bench({.hidden = {5}, .spline = {.intervals = 4}}, {.dims = 4}, one_mean);
  const std::vector<float> s = {0.3F, -0.6F, 1};
  const std::vector<float> before = bench.head(s, {});
  for (float& point : bench.generate.grid(1).span()) point += 0.25F;
  CHECK(bench.head(s, {}) != before);
}

TEST_CASE("kaem: noise is added to the mean before its activation") {
  const std::vector<HeadForm> squashed = {{.name = "mean", .squash = Squash::tanh}};
  Bench plain({.hidden = {5}}, {.dims = 2}, one_mean), bent({.hidden = {5}}, {.dims = 2}, squashed);
  const std::vector<float> s = {0.3F, -0.6F, 1}, noise = {0.5F, -0.25F};
  const std::vector<float> mean = plain.head(s, {}), noisy = bent.head(s, {}, noise);
  for (std::size_t d = 0; d < noise.size(); ++d)
    CHECK(noisy[d] == doctest::Approx(std::tanh(mean[d] + noise[d])));
}

TEST_CASE("kaem: what the curves of each layer get can be seen") {
  Bench bench({.hidden = {5}, .range_fix = kaem::RangeFix::sigmoid}, {.dims = 2}, one_mean);
  const std::vector<float> s = {0.3F, -0.6F, 1, 9, -9, 0};
  static_cast<void>(bench.head(s, {.layer_inputs = Decoding::Inputs::shown}));
  CHECK(bench.outputs.at("layer_input0") == s);
  REQUIRE(bench.outputs.at("layer_input1").size() == 10);
  for (const float value : bench.outputs.at("layer_input1")) CHECK((value > 0 && value < 1));
  CHECK(bench.generate.grid(1)[0] == 0);
}

TEST_CASE("kaem: pictures of the tables, and of any size that doubles from at most seven") {
  const auto fitted = [](std::int64_t size, std::int64_t channels) {
    return kaem::fitted_form({.kind = GeneratorKind::cnn}, picture(size, channels));
  };
  using List = std::vector<std::int64_t>;
  CHECK(fitted(32, 3).channels == List{256, 128, 64, 3});
  CHECK(fitted(64, 3).channels == List{512, 256, 128, 64, 3});
  CHECK(fitted(64, 3).kernels == List{4, 4, 4, 4, 4});
  CHECK(fitted(64, 3).strides == List{1, 2, 2, 2, 2});
  CHECK(fitted(64, 3).pads == List{0, 1, 1, 1, 1});
  CHECK(fitted(28, 1).channels == List{128, 64, 1});
  CHECK(fitted(28, 1).kernels == List{7, 4, 4});
  Bench bench(fitted(12, 2), picture(12, 2), one_mean);
  CHECK(bench.head({1, 2, 3}, {}).size() == 2 * 12 * 12);
}

TEST_CASE("kaem: pictures that a convolutional generator cannot make are an error of the data") {
  const auto trouble_of = [](GeneratorForm form, const Extents& extents) {
    try {
      static_cast<void>(kaem::fitted_form(std::move(form), extents));
    } catch (const Error& error) {
      return std::pair{error.kind(), std::string(error.what())};
    }
    return std::pair{ErrorKind::refused, std::string()};
  };
  const GeneratorForm svhn{.kind = GeneratorKind::cnn, .channels = {256, 128, 64, 3}};
  const auto [kind, text] = trouble_of(svhn, picture(28, 3));
  CHECK(kind == ErrorKind::data);
  CHECK(text.find("32x32 pixels of 3 channels") != std::string::npos);
  CHECK(text.find("28x28 pixels of 3 channels") != std::string::npos);
  CHECK(trouble_of(svhn, picture(32, 1)).first == ErrorKind::data);
  CHECK(trouble_of({.kind = GeneratorKind::cnn}, {.dims = 6}).first == ErrorKind::usage);
  CHECK(trouble_of({.kind = GeneratorKind::cnn, .channels = {8, 3}, .pads = {0}}, picture(8, 3))
            .second.find("--pads") != std::string::npos);
  Extents wide = picture(32, 3);
  wide.width = 16;
  wide.dims /= 2;
  CHECK(trouble_of({.kind = GeneratorKind::cnn}, wide).first == ErrorKind::data);
}

TEST_CASE("kaem: weights of convolutions start with variance 2/(in + out), biases at zero") {
  Bench bench(kaem::fitted_form({.kind = GeneratorKind::cnn}, picture(16, 3)), picture(16, 3),
              one_mean);
  const ParamSet& params = bench.model.params;
  const auto w = params.view(params.find("generator/layer1/w")).span();
  double squares = 0;
  for (const float value : w) squares += static_cast<double>(value) * static_cast<double>(value);
  const double fans = 16 * (128 + 64);
  CHECK(squares / static_cast<double>(w.size()) == doctest::Approx(2 / fans).epsilon(0.02));
  for (const float value : params.view(params.find("generator/layer1/b")).span()) CHECK(value == 0);
}

TEST_CASE("kaem: an autoregressive position sees true tokens before it, and no others") {
  const std::int64_t positions = 5, symbols = 3;
  Bench bench({.kind = GeneratorKind::seq, .hidden = {6}}, {.dims = positions},
              {{.name = "logits", .per_dim = symbols}});
  const std::vector<float> s = {0.3F, -0.6F, 1};
  const std::vector<std::int32_t> tokens = {0, 1, 2, 1, 0};
  const std::vector<float> first = bench.head(s, {}, {}, tokens);
  REQUIRE(std::ssize(first) == positions * symbols);
  for (std::int64_t changed = 0; changed < positions; ++changed) {
    std::vector<std::int32_t> others = tokens;
    others[at(changed)] = (others[at(changed)] + 1) % 3;
    const std::vector<float> found = bench.head(s, {}, {}, others);
    for (std::int64_t t = 0; t < positions; ++t) {
      CAPTURE(changed);
      CAPTURE(t);
      bool same = true;
      for (std::int64_t c = 0; c < symbols; ++c)
        same = same && found[at(t * symbols + c)] == first[at(t * symbols + c)];
      CHECK(same == (t <= changed));
    }
  }
}

TEST_CASE("kaem: hidden widths are a list, or follow the width before") {
  using List = std::vector<std::int64_t>;
  CHECK(kaem::hidden_widths("81,162", 9) == List{81, 162});
  CHECK(kaem::hidden_widths("auto:2", 9) == List{19, 39});
  CHECK(kaem::hidden_widths("auto:0", 9).empty());
  for (const char* bad : {"", "auto:", "auto:-1", "auto:17", "81,x", "0", "auto:1,2"})
    CHECK_THROWS_WITH_AS((void)kaem::hidden_widths(bad, 9), doctest::Contains("auto:D"), Error);
}

}  // namespace logpx::generator_test
