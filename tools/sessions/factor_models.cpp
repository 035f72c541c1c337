#include "tools/sessions/factor_models.hpp"

#include "libcore/base/error.hpp"
#include "tools/frame/app.hpp"

#include <utility>

namespace logpx {

LoadedFactors load_factors(App& app, const std::vector<std::string>& files) {
  LoadedFactors loaded;
  for (const std::string& path : files) {
    const ModelFile file(path);
    if (file.family() != "pc")
      fail(ErrorKind::data, file.name(), "is a model of family " + file.family() + ", expected pc");
    LoadedModel model = load_model(file);
    app.add_input({.role = "factor",
                   .path = path,
                   .kind = "model",
                   .content_hash = file.content_hash(),
                   .provenance = file.provenance()});
    loaded.factors.push_back({file.name(), model.model.get(), file.content_hash()});
    loaded.models.push_back(std::move(model));
  }
  return loaded;
}

}  // namespace logpx
