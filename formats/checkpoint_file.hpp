// The checkpoint artifact (logpx-checkpoint(5)): all that a training run needs to go on as if it
// had never stopped.   [train/README 5.1]
#pragma once

#include "formats/json/value.hpp"
#include "formats/named_tensors.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

struct CheckpointHead {
  std::string family;
  Json config;                                    // of the model
  Json settings;                                  // every resolved setting: what --resume compares
  Json numerics;                                  // what results depend on: BLAS core ..., or det
  std::string data_hash;                          // content hash of the training data
  std::string given_hash = {};                    // and of models given to the run, if any
  std::string code_version;                       // of logpx
  std::uint64_t seed = 1;                         // the generator has no other state
  std::int64_t step = 0, epoch = 0, samples = 0;  // done so far
  std::int64_t history_bytes = 0;                 // length of the history file at this step
  std::vector<std::pair<std::string, double>> products;  // b^t of the optimiser, by name
};

struct CheckpointTensors {
  ParameterViews parameters;
  std::vector<TensorView> slots;  // optimiser state: blocks laid out like the parameters
  std::vector<TensorView> state;  // whatever else lives from step to step, of any number type
};

// Replaces `path` atomically; what was there before is kept as path.prev. Parameters or slots that
// are not finite are never written. Returns the content hash.
std::string write_checkpoint(const std::string& path, const CheckpointHead& head,
                             const CheckpointTensors& tensors, const Json& provenance);

class CheckpointFile {
 public:
  explicit CheckpointFile(const std::string& source);  // checks its content hash
  explicit CheckpointFile(ArtifactFile artifact);

  [[nodiscard]] const std::string& name() const { return artifact_.name(); }  // for messages
  [[nodiscard]] const CheckpointHead& head() const { return head_; }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }
  [[nodiscard]] Parameters parameters() const { return read_parameters(artifact_); }
  [[nodiscard]] std::vector<NamedTensor> slots() const {
    return read_tensors(artifact_, "/optimizer");
  }
  [[nodiscard]] std::vector<NamedTensor> state() const { return read_tensors(artifact_, "/state"); }

 private:
  ArtifactFile artifact_;
  CheckpointHead head_;
};

}  // namespace logpx
