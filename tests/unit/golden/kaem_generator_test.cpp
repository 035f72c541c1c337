// Generators of KAEMs against tests/golden/kaem.json.
#include "libcore/families/kaem/generator/generator.hpp"
#include "libcore/grad/ops_conv.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace logpx::kaem_generator_test {

using golden_layer::Values;

namespace {

// Leading axis of one row.
Values one_row(const Json& json) {
  Values values = golden_layer::tensor(json);
  std::vector<std::int64_t> sizes = {1};
  for (const std::int64_t size : values.shape.sizes()) sizes.push_back(size);
  values.shape = Shape(sizes);
  return values;
}

Values repeated(const std::vector<double>& row, std::int64_t times) {
  Values values{{times, std::ssize(row)}, {}};
  for (std::int64_t i = 0; i < times; ++i)
    values.data.insert(values.data.end(), row.begin(), row.end());
  return values;
}

// A generator without hidden layers, as the file says one of its layers.
class OneLayer {
 public:
  OneLayer(const Json& layer, const Values& s, Squash squash)
      : s_(s),
        generate_(model_.site / "generator", form_of(layer),
                  {s.shape[1], {.dims = layer.at("n_out").integer()}},
                  {{.name = "mean", .squash = squash}}) {
    const std::int64_t in = s.shape[1];
    for (const char* tensor : {"coef", "w_base", "w_spline"})
      item_.parameters["generator/layer0/" + std::string(tensor)] =
          golden_layer::tensor(layer.at(tensor));
    item_.parameters["generator/layer0/rho"] = {Shape{}, {std::log(layer.at("tau").number())}};
    item_.inputs["grid0"] = repeated(golden_layer::tensor(layer.at("grid")).data, in);
    item_.inputs["spacing0"] = repeated({layer.at("h").number()}, in);
    item_.inputs["spacing0"].shape = {in};
    item_.inputs["s"] = s;
  }
  // Its mean, and the gradient of s for this upstream one.
  [[nodiscard]] golden_layer::Computed run(std::vector<double> upstream) {
    item_.params = &model_.params;
    item_.wanted = {"s"};
    const std::int64_t outputs = item_.parameters.at("generator/layer0/w_base").shape[1];
    upstream.resize(static_cast<std::size_t>(s_.shape[0] * outputs));
    item_.upstream = std::move(upstream);
    item_.build = [this](Graph& graph) {
      return generate_(model_.params, graph.input("s", s_.shape))[0];
    };
    return golden_layer::compute<double>(item_);
  }

 private:
  static kaem::GeneratorForm form_of(const Json& layer) {
    kaem::GeneratorForm form;
    form.spline.intervals = static_cast<int>(layer.at("grid").size()) - 1;
    form.spline.base = golden_layer::activation_of(layer.at("activation").string());
    return form;
  }
  Values s_;
  LayerModel model_;
  kaem::Generator generate_;
  golden_layer::Case item_ = {};
};

}  // namespace

TEST_CASE("golden/kaem/kan_generator: heads of generators, squashed and not") {
  const Json* entry = golden::field("kaem", "kan_generator");
  if (!entry) return;
  const Json& layers = entry->at("layers");
  const Values s = golden_layer::tensor(entry->at("s")), y = golden_layer::tensor(entry->at("y"));
  std::vector<Values> inputs = {s};  // of each layer
  for (std::size_t k = 0; k + 1 < layers.size(); ++k) {
    OneLayer layer(layers.at(k), inputs.back(), Squash::none);
    inputs.push_back({{s.shape[0], layers.at(k).at("n_out").integer()}, layer.run({}).y});
  }
  OneLayer squashed(layers.at(layers.size() - 1), inputs.back(), Squash::sigmoid);
  golden_layer::check_close("sigmoid y", squashed.run({}).y,
                            golden_layer::tensor(entry->at("sigmoid_y")).data, 1e-10);
  std::vector<double> gradient = golden_layer::tensor(entry->at("cotangent")).data;
  for (std::size_t k = layers.size(); k-- > 0;) {
    OneLayer layer(layers.at(k), inputs[k], Squash::none);
    const golden_layer::Computed computed = layer.run(gradient);
    if (k + 1 == layers.size()) golden_layer::check_close("y", computed.y, y.data, 1e-10);
    gradient = computed.gradients.at("s");
  }
  golden_layer::check_close("s", gradient, golden_layer::tensor(entry->at("grad_input")).data,
                            entry->at("numeric_grad_tol").number());
}

TEST_CASE("golden/kaem/kan_generator: widths") {
  const Json* entry = golden::field("kaem", "kan_generator");
  if (!entry) return;
  for (const Json& item : entry->at("widths").items()) {
    std::vector<std::int64_t> expected;
    for (const Json& width : item.at("widths").items()) expected.push_back(width.integer());
    const std::int64_t latents = 2 * item.at("n_z").integer() + 1;
    std::vector<std::int64_t> found = {latents};
    for (const std::int64_t width :
         kaem::hidden_widths("auto:" + std::to_string(item.at("depth").integer()), latents))
      found.push_back(width);
    CHECK(found == expected);
  }
}

TEST_CASE("golden/kaem/conv_transpose") {
  const Json* entry = golden::field("kaem", "conv_transpose");
  if (!entry) return;
  const Values x = one_row(entry->at("X")), w = golden_layer::tensor(entry->at("W")),
               bias = golden_layer::tensor(entry->at("bias"));
  const ConvOptions options{.stride = entry->at("stride").integer(),
                            .pad = entry->at("padding").integer()};
  golden_layer::Case item;
  item.inputs = {{"x", x}, {"w", w}, {"bias", bias}};
  item.wanted = {"x", "w", "bias"};
  item.upstream = golden_layer::tensor(entry->at("cotangent")).data;
  item.build = [&](Graph& graph) {
    return conv_transpose2d(graph.input("x", x.shape), graph.input("w", w.shape),
                            graph.input("bias", bias.shape), options);
  };
  const golden_layer::Computed computed = golden_layer::compute<double>(item);
  golden_layer::check_close("y", computed.y, golden_layer::tensor(entry->at("Y")).data, 1e-9);
  for (const auto& [input, field] :
       {std::pair{"x", "grad_X"}, {"w", "grad_W"}, {"bias", "grad_bias"}})
    golden_layer::check_close(field, computed.gradients.at(input),
                              golden_layer::tensor(entry->at(field)).data, 1e-9);
}

}  // namespace logpx::kaem_generator_test
