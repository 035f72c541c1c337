// Circuits that are multiplied, from files.
#pragma once

#include "libcore/families/pc/products/product_model.hpp"
#include "tools/store/model_store.hpp"

#include <string>
#include <vector>

namespace logpx {

class App;

struct LoadedFactors {
  std::vector<LoadedModel> models;
  std::vector<pc::FactorModel> factors;  // they point to these models
};
// Notes them as inputs. A data error for a model of another family.
[[nodiscard]] LoadedFactors load_factors(App& app, const std::vector<std::string>& files);

}  // namespace logpx
