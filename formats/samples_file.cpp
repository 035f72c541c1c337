#include "formats/samples_file.hpp"

#include "formats/dataset_file.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"

#include <utility>

namespace logpx {

SamplesWriter::SamplesWriter(OutputFile& out, const DatasetInfo& info, Workers* workers)
    : artifact_(out, ArtifactKind::samples), table_(artifact_, info, workers), workers_(workers) {}

std::string SamplesWriter::finish(const DatasetInfo& whole, const SamplesOrigin& origin,
                                  const std::vector<TensorView>& codes, const Json& provenance) {
  for (const TensorView& code : codes)
    LOGPX_ASSERT(!code.shape.empty() && code.shape[0] == whole.n);
  table_.finish(whole);
  write_tensors(artifact_, "/codes", codes);
  artifact_.attribute("family", h5::Value::text(origin.family));
  artifact_.attribute("model_hash", h5::Value::text(origin.model_hash));
  artifact_.attribute("seed", h5::Value::scalar(origin.seed));
  artifact_.attribute("sampler", h5::Value::text(origin.sampler.dump(-1)));
  return artifact_.finish(provenance, workers_);
}

SamplesFile::SamplesFile(ArtifactFile artifact)
    : artifact_(std::move(artifact)),
      table_(artifact_, {"family", "model_hash", "seed", "sampler"}),
      origin_{artifact_.text("family"), artifact_.text("model_hash"),
              artifact_.unsigned_integer("seed"), artifact_.json("sampler")} {}

Rows SamplesFile::read(std::int64_t begin, std::int64_t end) {
  if (!has_x())
    fail(ErrorKind::data, artifact_.file().subject("/data/x"),
         "is missing: these samples are codes that were not decoded", "sample-its --decode");
  return table_.read(begin, end);
}

OpenRows open_rows(const std::string& source) {
  ArtifactFile artifact(source);
  const ArtifactKind kind = artifact.kind();
  std::string hash = artifact.content_hash();
  if (kind == ArtifactKind::samples)
    return {std::make_unique<SamplesFile>(std::move(artifact)), kind, std::move(hash)};
  artifact.require_kind(ArtifactKind::dataset);
  return {std::make_unique<DatasetFile>(std::move(artifact)), kind, std::move(hash)};
}

}  // namespace logpx
