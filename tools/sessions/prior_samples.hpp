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
#include "tools/sessions/prior_input.hpp"

#include <optional>

namespace logpx {

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
