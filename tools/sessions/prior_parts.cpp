#include "tools/sessions/prior_parts.hpp"

#include "libcore/base/fields.hpp"
#include "tools/frame/app.hpp"

namespace logpx {
namespace {

// None without a path; `given` gets its role and content hash.
std::unique_ptr<Model> model_of(App& app, const std::string& path, const std::string& role,
                                std::string& given) {
  if (path.empty()) return nullptr;
  const ModelFile file(path);
  given += (given.empty() ? "" : " ") + role + ' ' + file.content_hash();
  app.add_input({.role = role,
                 .path = path,
                 .kind = "model",
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
  return load_model(file).model;
}

}  // namespace

void StartFiles::describe(Fields& f) {
  f.group("parts of other models");
  f.add("init-prior", prior, "a model whose prior the fit begins with")
      .metavar("MODEL")
      .files("*.h5 of model")
      .external()
      .rank(Rank::manual);
  f.add("init-generator", generator, "a model whose generator it begins with")
      .metavar("MODEL")
      .files("*.h5 of model")
      .external()
      .rank(Rank::manual);
}

kaem::StartParts StartModels::parts() const {
  return {.prior = {prior.get(), prior_name}, .generator = {generator.get(), generator_name}};
}

StartModels StartFiles::load(App& app, kaem::Config& config) const {
  StartModels models{.prior_name = prior, .generator_name = generator};
  models.prior = model_of(app, prior, "prior", models.given_hash);
  models.generator = model_of(app, generator, "generator", models.given_hash);
  if (models.parts().any()) kaem::take_options(models.parts(), app.fields(), config);
  return models;
}

}  // namespace logpx
