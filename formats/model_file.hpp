// The model artifact (logpx-model(5)). It knows no family: a model is a family's word, its config,
// named parameters in the order of their creation, constants, and free root attributes.
// families/registry builds a model back from these.
#pragma once

#include "formats/json/value.hpp"
#include "formats/named_tensors.hpp"

#include <string>
#include <vector>

namespace logpx {

class OutputFile;

struct ModelContents {
  std::string family;  // "vae"
  Json config;         // what describes the architecture and how x is read
  ParameterViews parameters;
  std::vector<TensorView> constants;  // tables that are not trained: grids, masks, histograms
  Attributes attributes;              // further root attributes, e.g. a circuit's structure as JSON
};

// Writes and closes the file and returns its content hash; the caller calls out.commit().
std::string write_model(OutputFile& out, const ModelContents& model, const Json& provenance);

class ModelFile {
 public:
  explicit ModelFile(const std::string& source)
      : ModelFile(ArtifactFile(source, ArtifactKind::model)) {}
  explicit ModelFile(ArtifactFile artifact);

  [[nodiscard]] const std::string& name() const { return artifact_.name(); }  // for messages
  [[nodiscard]] const std::string& family() const { return family_; }
  [[nodiscard]] const Json& config() const { return config_; }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }
  void check() const { artifact_.check(); }  // against its content hash

  [[nodiscard]] Parameters parameters() const { return read_parameters(artifact_); }
  [[nodiscard]] std::vector<NamedTensor> constants() const {
    return read_tensors(artifact_, "/constants");
  }
  [[nodiscard]] Attributes attributes() const {
    return read_attributes(artifact_, {"family", "config"});
  }

 private:
  ArtifactFile artifact_;
  std::string family_;
  Json config_;
};

}  // namespace logpx
