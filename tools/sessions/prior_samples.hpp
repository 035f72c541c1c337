// Samples of a model's prior, and what goes with z: the means of p(x|z), and the components that
// were chosen.   [eval/README 7]
//
//   extras.check(app);
//   const PriorSamples prior(app, input.open(app), extras, inversion);
//   output->append(samples, prior.extras(samples));
#pragma once

#include "libcore/base/fields.hpp"
#include "libcore/eval/prior_source.hpp"
#include "tools/sessions/inverse_output.hpp"
#include "tools/store/model_store.hpp"

#include <optional>
#include <string>

namespace logpx {

// A model that is read for its prior: the operand and the option of such tools, and the model,
// noted as an input of the report.
//
//   PriorInput input;                          // input.describe(fields)
//   const OpenPrior open = input.open(app);
//   open.prior().component(0, 1);

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

class App;

struct ExtrasChoice {
  bool decode = false, components = false;
  std::optional<double> noise;

  // `table`: samples are of a density that stands in a table.
  void describe(Fields& fields, const Condition& table);
  // A usage error for what only samples in an .h5 file hold.
  void check(App& app) const;
};

class PriorSamples {
 public:
  PriorSamples(App& app, OpenPrior open, const ExtrasChoice& choice,
               const InversionOptions& inversion);

  [[nodiscard]] const PriorSource& source() const { return source_; }
  // The layout for n samples.
  [[nodiscard]] InverseLayout layout(std::int64_t n) const;
  [[nodiscard]] SampleExtras extras(const InverseSamples& samples) const;

 private:
  [[nodiscard]] const DatasetInfo& rows() const { return open_.loaded.can.info().samples; }

  App& app_;
  OpenPrior open_;
  ExtrasChoice choice_;
  PriorSource source_;
};

}  // namespace logpx
