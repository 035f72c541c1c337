#include "formats/samples_file.hpp"

#include "formats/dataset_file.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"

#include <utility>

namespace logpx {

SamplesWriter::SamplesWriter(OutputFile& out, const DatasetInfo& info, Workers* workers)
    : artifact_(out, ArtifactKind::samples), table_(artifact_, info, workers), workers_(workers) {}

ArtifactColumn& SamplesWriter::code(const std::string& name, const h5::Shape& row_shape) {
  // Numbers drawn at random do not become smaller.
  ArtifactColumn& column = artifact_.column(
      "/codes/" + name,
      {.type = h5::ValueType::f64, .row_shape = row_shape, .filter = h5::Filter::none});
  growing_.push_back(&column);
  return column;
}

std::string SamplesWriter::finish(const DatasetInfo& whole, const SamplesOrigin& origin,
                                  const std::vector<TensorView>& codes, const Json& provenance) {
  for (const TensorView& code : codes)
    LOGPX_ASSERT(!code.shape.empty() && code.shape[0] == whole.n);
  for (const ArtifactColumn* column : growing_) LOGPX_ASSERT(column->column().rows() == whole.n);
  table_.finish(whole);
  write_tensors(artifact_, "/codes", codes);
  artifact_.attribute("family", h5::Value::text(origin.family));
  artifact_.attribute("model_hash", h5::Value::text(origin.model_hash));
  artifact_.attribute("seed", h5::Value::scalar(origin.seed));
  artifact_.attribute("sampler", h5::Value::text(origin.sampler.dump(-1)));
  if (origin.grid_columns > 0)
    artifact_.attribute("grid_columns", h5::Value::scalar(origin.grid_columns));
  if (origin.is_mean) artifact_.attribute("is_mean", h5::Value::scalar(std::int64_t{1}));
  return artifact_.finish(provenance, workers_);
}

SamplesFile::SamplesFile(ArtifactFile artifact)
    : artifact_(std::move(artifact)),
      table_(artifact_, {"family", "model_hash", "seed", "sampler"}),
      origin_{artifact_.text("family"), artifact_.text("model_hash"),
              artifact_.unsigned_integer("seed"), artifact_.json("sampler")} {
  if (artifact_.find("grid_columns")) origin_.grid_columns = artifact_.integer("grid_columns");
  origin_.is_mean = artifact_.find("is_mean") && artifact_.integer("is_mean") != 0;
  if (origin_.grid_columns < 0 || origin_.grid_columns > INT32_MAX)
    fail(ErrorKind::data, artifact_.file().subject("@grid_columns"), "is not a number of columns");
}

Rows SamplesFile::read(std::int64_t begin, std::int64_t end) {
  if (!has_x())
    fail(ErrorKind::data, artifact_.file().subject("/data/x"),
         "is missing: these samples are codes that were not decoded");
  return table_.read(begin, end);
}

OpenRows open_rows(ArtifactFile artifact) {
  const ArtifactKind kind = artifact.kind();
  std::string hash = artifact.content_hash();
  if (kind == ArtifactKind::samples) {
    auto samples = std::make_unique<SamplesFile>(std::move(artifact));
    const auto columns = static_cast<int>(samples->origin().grid_columns);
    return {std::move(samples), kind, std::move(hash), columns};
  }
  if (kind == ArtifactKind::model)
    fail(ErrorKind::data, artifact.name(), "is a model, expected a dataset or samples",
         "sample-model MODEL -o SAMPLES.h5 draws samples from it");
  artifact.require_kind(ArtifactKind::dataset);
  return {std::make_unique<DatasetFile>(std::move(artifact)), kind, std::move(hash)};
}

}  // namespace logpx
