// Samples of a model's prior, and what goes with z: the means of p(x|z), and the components that
// were chosen.   [eval/README 7]
//
//   extras.check(app, input.model.empty());
//   const PriorSamples prior(app, input.open(app), extras, inversion);
//   output->append(samples, prior.extras(samples));
#pragma once

#include "libcore/base/fields.hpp"
#include "libcore/eval/prior_source.hpp"
#include "tools/sessions/inverse_output.hpp"
#include "tools/sessions/prior_input.hpp"

#include <optional>

namespace logpx {

class App;

struct ExtrasChoice {
  bool decode = false, components = false;
  std::optional<double> noise;

  void describe(Fields& fields);
  // A usage error for extras of a model if the density comes from a table, and for extras that only
  // an .h5 file can hold.
  void check(App& app, bool from_table) const;
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
