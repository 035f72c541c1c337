#include "formats/checkpoint_file.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"

#include <cerrno>
#include <filesystem>
#include <utility>

#include <unistd.h>

namespace logpx {
namespace fs = std::filesystem;
namespace {

// Links path.prev to the file at `path`, which stays, so that there is a whole checkpoint under
// `path` at every moment.
void keep_previous(const std::string& path) {
  std::error_code missing;
  const fs::path current = fs::canonical(path, missing);
  if (missing) return;
  const std::string previous = current.string() + ".prev";
  unlink(previous.c_str());
  if (link(current.c_str(), previous.c_str()) == 0) return;
  // On a file system without links there is path.prev alone for a moment.
  if (rename(current.c_str(), previous.c_str()) != 0) fail_errno(previous, errno);
}

void write_head(ArtifactWriter& writer, const CheckpointHead& head) {
  const auto text = [&](const char* name, const std::string& value) {
    writer.attribute(name, h5::Value::text(value));
  };
  text("family", head.family);
  text("config", head.config.dump(-1));
  text("settings", head.settings.dump(-1));
  text("numerics", head.numerics.dump(-1));
  text("data_hash", head.data_hash);
  if (!head.given_hash.empty()) text("given_hash", head.given_hash);
  text("code_version", head.code_version);
  writer.attribute("seed", h5::Value::scalar(head.seed));
  writer.attribute("step", h5::Value::scalar(head.step));
  writer.attribute("epoch", h5::Value::scalar(head.epoch));
  writer.attribute("samples", h5::Value::scalar(head.samples));
  writer.attribute("history_bytes", h5::Value::scalar(head.history_bytes));
  for (const auto& [name, product] : head.products)
    writer.dataset("/products/" + name, h5::Value::scalar(product));
}

CheckpointHead read_head(const ArtifactFile& file) {
  CheckpointHead head;
  head.family = file.text("family");
  head.config = file.json("config");
  head.settings = file.json("settings");
  head.numerics = file.json("numerics");
  head.data_hash = file.text("data_hash");
  if (file.find("given_hash")) head.given_hash = file.text("given_hash");
  head.code_version = file.text("code_version");
  head.seed = file.unsigned_integer("seed");
  head.step = file.integer("step");
  head.epoch = file.integer("epoch");
  head.samples = file.integer("samples");
  head.history_bytes = file.integer("history_bytes");
  for (const NamedTensor& product : read_tensors(file, "/products")) {
    if (product.value.type != h5::ValueType::f64 || !product.value.shape.empty())
      fail(ErrorKind::data, file.file().subject("/products/" + product.name),
           "is not a single f64");
    head.products.emplace_back(product.name, product.value.as<double>()[0]);
  }
  return head;
}

ArtifactFile open_checkpoint(const std::string& source) {
  try {
    ArtifactFile file(source, ArtifactKind::checkpoint);
    file.check();
    return file;
  } catch (const Error& error) {
    std::error_code ignored;
    const std::string previous = source + ".prev";
    if (!fs::exists(previous, ignored)) throw;
    throw error.with_hint("the checkpoint before it is " + previous);
  }
}

}  // namespace

std::string write_checkpoint(const std::string& path, const CheckpointHead& head,
                             const CheckpointTensors& tensors, const Json& provenance) {
  require_finite(tensors.parameters.raw, path);
  require_finite(tensors.parameters.ema, path);
  require_finite(tensors.slots, path);
  require_finite(tensors.state, path);
  OutputFile out(path, Overwrite::replace);
  if (out.to_stdout()) fail(ErrorKind::usage, "--checkpoint", "needs a file, not a stream");
  ArtifactWriter writer(out, ArtifactKind::checkpoint);
  write_head(writer, head);
  write_parameters(writer, tensors.parameters);
  write_tensors(writer, "/optimizer", tensors.slots);
  write_tensors(writer, "/state", tensors.state);
  const std::string hash = writer.finish(provenance);
  keep_previous(path);
  out.commit();
  return hash;
}

CheckpointFile::CheckpointFile(const std::string& source)
    : CheckpointFile(open_checkpoint(source)) {}

CheckpointFile::CheckpointFile(ArtifactFile artifact)
    : artifact_(std::move(artifact)), head_(read_head(artifact_)) {}

}  // namespace logpx
