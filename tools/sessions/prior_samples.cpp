#include "tools/sessions/prior_samples.hpp"

#include "libcore/base/error.hpp"
#include "libcore/model/mean_rows.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/sessions/prior_report.hpp"

#include <utility>

namespace logpx {

Field& PriorInput::describe_model(Fields& fields) {
  return fields.add("model", model, "a model whose prior is made of energies")
      .positional()
      .metavar("MODEL")
      .files("*.h5 of model");
}

void PriorInput::describe_weights(Fields& fields) {
  static_cast<void>(logpx::describe_weights(fields, weights));
}

OpenPrior PriorInput::open(App& app) const {
  const ModelFile file(model);
  OpenPrior open{load_model(file, weights), file.family(), file.content_hash()};
  app.add_input({.role = "model",
                 .path = model,
                 .kind = "model",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  static_cast<void>(prior_of(open.loaded.can));
  return open;
}

void ExtrasChoice::describe(Fields& f, const Condition& table) {
  f.group("of a model");
  f.add("decode", decode, "add the mean of p(x|z) of every sample, as rows that view-samples draws")
      .unless(table);
  f.add("add-noise", noise, "the deviation of noise before the last activation")
      .at_least(0)
      .shows_default("none")
      .unless(table)
      .when({[this] { return decode; }, "--decode"})
      .rank(Rank::manual);
  f.add("components", components, "add which components of a mixture were chosen")
      .unless(table)
      .rank(Rank::manual);
}

void ExtrasChoice::check(App& app) const {
  for (const char* option : {"--decode", "--components"})
    if (app.fields().find_option(option)->text() == "true" && app.format_of("output") != "h5")
      fail(ErrorKind::usage, option, "needs samples as .h5: CSV and npy hold z alone",
           "-o samples.h5");
}

PriorSamples::PriorSamples(App& app, OpenPrior open, const ExtrasChoice& choice,
                           const InversionOptions& inversion)
    : app_(app),
      open_(std::move(open)),
      choice_(choice),
      source_(open_.prior(), inversion, app.workers()) {
  if (choice.components && !open_.prior().shape().is_mixture)
    fail(ErrorKind::usage, "--components", "this prior is no mixture: there is nothing to choose");
}

InverseLayout PriorSamples::layout(std::int64_t n) const {
  InverseLayout layout{.n = n,
                       .uniforms = source_.uniforms(),
                       .shape = source_.shape(),
                       .family = open_.family,
                       .source_hash = open_.content_hash};
  if (choice_.decode) layout.means = mean_info(rows());
  if (choice_.components) layout.components = open_.prior().shape().latents;
  return layout;
}

SampleExtras PriorSamples::extras(const InverseSamples& samples) const {
  SampleExtras extras;
  if (choice_.components) extras.components = source_.components(samples.u);
  if (!choice_.decode) return extras;
  std::optional<ModelPrior::Noise> noise;
  if (choice_.noise) noise = ModelPrior::Noise{.rng = app_.rng(), .sd = *choice_.noise};
  append_means(rows(), decoded(open_.prior(), samples, noise, app_.workers()), extras.means);
  return extras;
}

}  // namespace logpx
