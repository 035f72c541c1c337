// Products of models: what they are made of, and the config and numbers of the circuit.
// [pc/README 4.6]
//
//   ModelProduct product = multiply_models(factors, {.normalize = Normalise::push}, use, memory);
//   const std::unique_ptr<PcModel> model = model_of(std::move(product), rng);
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/families/pc/model.hpp"
#include "libcore/families/pc/products/options.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace logpx::pc {

// A model, and what messages call it.
struct FactorModel {
  std::string name;
  const Model* model = nullptr;
  std::string hash = {};  // of its content
};

struct ModelProduct {
  Config config;
  DatasetInfo data;  // that of the first factor
  CircuitText whole;
  ProductOptions options;  // settled
  double ln_z = 0;         // of rows of full length, in the units of the data
  std::int64_t steps = 1;  // of these rows
};

// What a product is made for decides what `auto` is: push or perron, or local.
enum class ProductUse { distribution, start };

// Throws data errors where models do not fit each other, and a usage error for memory beyond the
// limit (0: none).
[[nodiscard]] ModelProduct multiply_models(std::span<const FactorModel> factors,
                                           const ProductOptions& options, ProductUse use,
                                           std::int64_t memory);
// `rng` draws what --perturb asks for.
[[nodiscard]] std::unique_ptr<PcModel> model_of(ModelProduct product, const Rng& rng);

// A usage error for an option that asks for another circuit than a product.
void require_asked(const Config& asked, const Config& product, const Fields& given);

}  // namespace logpx::pc
