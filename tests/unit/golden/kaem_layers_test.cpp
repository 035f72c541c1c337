// Bases and spline layers against tests/golden/kaem.json.
#include "libcore/grad/ops_spline.hpp"
#include "libcore/nn/spline_layer.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_layer.hpp"
#include "tests/support/layer_model.hpp"

#include <cmath>
#include <numbers>

namespace logpx::kaem_layers_test {

using golden_layer::Values;

namespace {

// One row for each of `features`.
Values repeated(const std::vector<double>& row, std::int64_t features) {
  Values values{{features, static_cast<std::int64_t>(row.size())}, {}};
  for (std::int64_t i = 0; i < features; ++i)
    values.data.insert(values.data.end(), row.begin(), row.end());
  return values;
}

// Values and derivatives of a basis [x][j] at points x; null derivatives are not compared.
void check_basis(const std::vector<double>& x, const Json& values, const Json& derivatives,
                 const std::function<Var(Var)>& basis) {
  const Values expected = golden_layer::tensor(values);
  const auto count = static_cast<std::size_t>(expected.shape[1]);
  golden_layer::Case item;
  item.inputs = {{"x", {{expected.shape[0], 1}, x}}};
  item.wanted = {"x"};
  item.build = [&](Graph& graph) { return basis(graph.input("x", {expected.shape[0], 1})); };
  for (std::size_t j = 0; j < count; ++j) {
    item.upstream.assign(expected.data.size(), 0);
    for (std::size_t i = 0; i < x.size(); ++i) item.upstream[i * count + j] = 1;
    const golden_layer::Computed computed = golden_layer::compute<double>(item);
    golden_layer::check_close("basis", computed.y, expected.data, 1e-12);
    if (derivatives.is_null()) continue;
    const Values slopes = golden_layer::tensor(derivatives);
    std::vector<double> column;
    for (std::size_t i = 0; i < x.size(); ++i) column.push_back(slopes.data[i * count + j]);
    golden_layer::check_close("slope", computed.gradients.at("x"), column, 1e-10,
                              golden_layer::largest_of(slopes.data));
  }
}

Var row_constant(Graph& graph, const Json& row) {
  const Values values = golden_layer::tensor(row);
  return graph.constant(Tensor<double>(values.shape, values.data));
}

}  // namespace

TEST_CASE("golden/kaem/bspline") {
  const Json* bases = golden::field("kaem", "bspline");
  if (!bases) return;
  for (const Json& entry : bases->items()) {
    const int degree = static_cast<int>(entry.at("degree").integer());
    check_basis(
        golden_layer::tensor(entry.at("x")).data, entry.at("B"), entry.at("dB"), [&](Var x) {
          return bspline_basis(x, row_constant(x.graph(), entry.at("knots_extended")), degree);
        });
  }
}

TEST_CASE("golden/kaem/other_bases: rbf") {
  const Json* bases = golden::field("kaem", "other_bases");
  if (!bases) return;
  const Json& rbf = bases->at("rbf");
  const double width = rbf.at("h").number() * rbf.at("tau").number() * std::numbers::sqrt2;
  check_basis(golden_layer::tensor(bases->at("x")).data, rbf.at("B"), rbf.at("dB_dx"), [&](Var x) {
    return rbf_basis(x, row_constant(x.graph(), rbf.at("grid")), x.graph().constant(width));
  });
}

TEST_CASE("golden/kaem/other_bases: activations") {
  const Json* bases = golden::field("kaem", "other_bases");
  if (!bases) return;
  const Values x = golden_layer::tensor(bases->at("x"));
  for (const auto& [name, expected] : bases->at("activations").members()) {
    CAPTURE(name);
    const Activation activation = golden_layer::activation_of(name);
    // `none` stands for no base term.
    if (activation == Activation::none) continue;
    std::vector<double> y(x.data.size()), slopes(y.size());
    const std::vector<double> ones(y.size(), 1);
    activate(activation, x.data, y);
    activation_backward(activation, derivative_from_result(activation) ? y : x.data, ones, slopes);
    golden_layer::check_close("y", y, golden_layer::tensor(expected.at("y")).data, 1e-12);
    golden_layer::check_close("slope", slopes, golden_layer::tensor(expected.at("dy")).data, 1e-12);
  }
}

TEST_CASE("golden/kaem/kan_generator") {
  const Json* generator = golden::field("kaem", "kan_generator");
  if (!generator) return;
  LayerModel model;
  std::vector<SplineLayer> layers;
  const Values s = golden_layer::tensor(generator->at("s"));
  golden_layer::Case item{.params = &model.params};
  for (const Json& layer : generator->at("layers").items()) {
    const std::string name = "layer" + std::to_string(layers.size());
    const std::int64_t in = layer.at("n_in").integer();
    const Values grid = golden_layer::tensor(layer.at("grid"));
    layers.emplace_back(
        model.site / name, in, layer.at("n_out").integer(),
        SplineOptions{.intervals = static_cast<int>(grid.data.size()) - 1,
                      .base = golden_layer::activation_of(layer.at("activation").string())});
    for (const char* tensor : {"coef", "w_base", "w_spline"})
      item.parameters[name + "/" + tensor] = golden_layer::tensor(layer.at(tensor));
    item.parameters[name + "/rho"] = {Shape{}, {std::log(layer.at("tau").number())}};
    item.inputs[name + "/grid"] = repeated(grid.data, in);
    item.inputs[name + "/h"] = {
        {in}, std::vector<double>(static_cast<std::size_t>(in), layer.at("h").number())};
  }
  item.inputs["s"] = s;
  item.wanted = {"s"};
  item.upstream = golden_layer::tensor(generator->at("cotangent")).data;
  item.build = [&](Graph& graph) {
    Var x = graph.input("s", s.shape);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const std::string name = "layer" + std::to_string(i);
      const auto input = [&](const std::string& part) {
        return graph.input(name + part, item.inputs.at(name + part).shape);
      };
      x = layers[i](model.params, x, {input("/grid"), input("/h")});
    }
    return x;
  };
  const golden_layer::Computed computed = golden_layer::compute<double>(item);
  golden_layer::check_close("y", computed.y, golden_layer::tensor(generator->at("y")).data, 1e-10);

  const double tolerance = generator->at("numeric_grad_tol").number();
  golden_layer::check_close("s", computed.gradients.at("s"),
                            golden_layer::tensor(generator->at("grad_input")).data, tolerance);
  const auto part = [&](const std::string& name, std::size_t first, std::size_t count) {
    const std::vector<double>& all = computed.gradients.at(name);
    REQUIRE(first + count <= all.size());
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  const std::vector<double> curve =
                                golden_layer::tensor(generator->at("grad_layer0_coef_1_2")).data,
                            row =
                                golden_layer::tensor(generator->at("grad_layer1_w_base_row0")).data;
  const auto outputs = static_cast<std::size_t>(item.parameters.at("layer0/coef").shape[1]);
  golden_layer::check_close("coef", part("layer0/coef", (outputs + 2) * curve.size(), curve.size()),
                            curve, tolerance);
  golden_layer::check_close("w_base", part("layer1/w_base", 0, row.size()), row, tolerance);
}

}  // namespace logpx::kaem_layers_test
