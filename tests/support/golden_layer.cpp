#include "tests/support/golden_layer.hpp"

#include "tests/support/golden.hpp"

#include <algorithm>
#include <cmath>

namespace logpx::golden_layer {
namespace {

void flatten(const Json& json, std::vector<double>& data) {
  if (!json.is_array()) {
    data.push_back(golden::real(json));
    return;
  }
  for (const Json& item : json.items()) flatten(item, data);
}

}  // namespace

Values tensor(const Json& json) {
  Values values;
  std::vector<std::int64_t> sizes;
  if (json.is_object()) {
    for (const Json& size : json.at("shape").items()) sizes.push_back(size.integer());
    flatten(json.at("data"), values.data);
  } else {
    for (const Json* level = &json; level->is_array(); level = &level->at(std::size_t{0}))
      sizes.push_back(static_cast<std::int64_t>(level->size()));
    flatten(json, values.data);
  }
  values.shape = Shape(sizes);
  REQUIRE(values.shape.elements() == static_cast<std::int64_t>(values.data.size()));
  return values;
}

Values transposed(const Values& matrix) {
  const std::int64_t rows = matrix.shape[0], columns = matrix.shape[1];
  Values turned{{columns, rows}, {}};
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t r = 0; r < rows; ++r)
      turned.data.push_back(matrix.data[static_cast<std::size_t>(r * columns + c)]);
  return turned;
}

Activation activation_of(const std::string& name) {
  const std::map<std::string, Activation> names = {
      {"relu", Activation::relu}, {"leakyrelu", Activation::leaky_relu},
      {"silu", Activation::silu}, {"gelu", Activation::gelu_erf},
      {"tanh", Activation::tanh}, {"sigmoid", Activation::sigmoid},
      {"elu", Activation::elu},   {"none", Activation::none}};
  return names.at(name);
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

void check_close(const std::string& what, const std::vector<double>& computed,
                 const std::vector<double>& expected, double tolerance, double largest) {
  CAPTURE(what);
  REQUIRE(computed.size() == expected.size());
  largest = std::max(largest, largest_of(expected));
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    worst =
        std::max(worst, std::abs(computed[i] - expected[i]) / (std::abs(expected[i]) + largest));
  CHECK(worst <= tolerance);
}

}  // namespace logpx::golden_layer
