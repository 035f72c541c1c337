// Generators of KAEMs against tests/golden/kaem.json.
#include "libcore/families/kaem/generator.hpp"
#include "libcore/grad/ops_conv.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/layer_model.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace logpx;

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

}  // namespace

TEST_CASE("golden/kaem/kan_generator: heads of the generator, squashed and not") {
  const Json* entry = golden::field("kaem", "kan_generator");
  if (!entry) return;
  const Values s = golden_layer::tensor(entry->at("s")), y = golden_layer::tensor(entry->at("y"));
  for (const Squash squash : {Squash::none, Squash::sigmoid}) {
    LayerModel model;
    golden_layer::Case item{.params = &model.params};
    kaem::GeneratorForm form;
    const Json& layers = entry->at("layers");
    for (std::size_t k = 0; k < layers.size(); ++k) {
      const Json& layer = layers.at(k);
      const std::string name = "generator/layer" + std::to_string(k);
      const std::int64_t in = layer.at("n_in").integer();
      if (k > 0) form.hidden.push_back(in);
      const Values grid = golden_layer::tensor(layer.at("grid"));
      form.spline.intervals = static_cast<int>(grid.data.size()) - 1;
      REQUIRE(layer.at("activation").string() == "silu");
      for (const char* tensor : {"coef", "w_base", "w_spline"})
        item.parameters[name + '/' + tensor] = golden_layer::tensor(layer.at(tensor));
      item.parameters[name + "/rho"] = {Shape{}, {std::log(layer.at("tau").number())}};
      item.inputs["grid" + std::to_string(k)] = repeated(grid.data, in);
      item.inputs["spacing" + std::to_string(k)] = {
          {in}, std::vector<double>(static_cast<std::size_t>(in), layer.at("h").number())};
    }
    const kaem::Generator generate(model.site / "generator", form, {s.shape[1], {y.shape[1]}},
                                   {{.name = "mean", .squash = squash}});
    item.inputs["s"] = s;
    item.wanted = {"s"};
    item.upstream = golden_layer::tensor(entry->at("cotangent")).data;
    item.build = [&](Graph& graph) { return generate(model.params, graph.input("s", s.shape))[0]; };
    const golden_layer::Computed computed = golden_layer::compute<double>(item);
    const bool plain = squash == Squash::none;
    golden_layer::check_close(
        "y", computed.y, golden_layer::tensor(entry->at(plain ? "y" : "sigmoid_y")).data, 1e-10);
    if (plain)
      golden_layer::check_close("s", computed.gradients.at("s"),
                                golden_layer::tensor(entry->at("grad_input")).data,
                                entry->at("numeric_grad_tol").number());
  }
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
