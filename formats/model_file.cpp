#include "formats/model_file.hpp"

#include "formats/file/output.hpp"

#include <utility>

namespace logpx {

std::string write_model(OutputFile& out, const ModelContents& model, const Json& provenance) {
  ArtifactWriter writer(out, ArtifactKind::model);
  writer.attribute("family", h5::Value::text(model.family));
  writer.attribute("config", h5::Value::text(model.config.dump(-1)));
  write_attributes(writer, model.attributes);
  write_parameters(writer, model.parameters);
  write_tensors(writer, "/constants", model.constants);
  return writer.finish(provenance);
}

ModelFile::ModelFile(ArtifactFile artifact)
    : artifact_(std::move(artifact)),
      family_(artifact_.text("family")),
      config_(artifact_.json("config")) {}

}  // namespace logpx
