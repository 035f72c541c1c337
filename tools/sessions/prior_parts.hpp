// --init-prior and --init-generator: the files of models whose parts a fit begins with.
//
//   StartFiles start;   start.describe(fields);
//   const StartModels models = start.load(app, config);
//   kaem::take_tensors(models.parts(), kaem);
#pragma once

#include "libcore/families/kaem/transfer.hpp"
#include "tools/store/model_store.hpp"

#include <memory>
#include <string>

namespace logpx {

class App;
class Fields;

struct StartModels {
  std::unique_ptr<Model> prior = nullptr, generator = nullptr;
  std::string prior_name, generator_name;
  std::string given_hash = {};  // as in Trainee
  [[nodiscard]] kaem::StartParts parts() const;
};

struct StartFiles {
  std::string prior, generator;

  void describe(Fields& fields);
  // Reads them, and takes the options that come with them.
  [[nodiscard]] StartModels load(App& app, kaem::Config& config) const;
};

}  // namespace logpx
