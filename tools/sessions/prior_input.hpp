// A model that is read for its prior: the operand and the option of such tools, and the model,
// noted as an input of the report.
//
//   PriorInput input;                          // input.describe(fields)
//   const OpenPrior open = input.open(app);
//   open.prior().component(0, 1);
#pragma once

#include "libcore/base/fields.hpp"
#include "tools/store/model_store.hpp"

#include <string>

namespace logpx {

class App;

struct OpenPrior {
  LoadedModel loaded;
  std::string family, content_hash;

  [[nodiscard]] const ModelPrior& prior() const { return *loaded.can.prior; }
  [[nodiscard]] const char* weights() const {
    return loaded.weights == Weights::ema ? "ema" : "raw";
  }
};

struct PriorInput {
  std::string model;
  Weights weights = Weights::best;

  // The operand, which the caller may require, and --weights.
  Field& describe_model(Fields& fields);
  void describe_weights(Fields& fields);
  // A model without such a prior is a usage error that names the families that have one.
  [[nodiscard]] OpenPrior open(App& app) const;
};

}  // namespace logpx
