#include "tools/sessions/prior_input.hpp"

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

}  // namespace logpx
