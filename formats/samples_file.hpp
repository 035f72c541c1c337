// The samples artifact (logpx-samples(5)): rows like those of a dataset, the model and settings
// they were drawn with, and optionally the codes (latents, uniforms, orders) behind each row.
#pragma once

#include "formats/json/value.hpp"
#include "formats/named_tensors.hpp"
#include "formats/row_table.hpp"
#include "libcore/data/dataset.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

class OutputFile;
class Workers;

struct SamplesOrigin {
  std::string family, model_hash;  // content hash of the model
  std::uint64_t seed = 1;
  Json sampler;                   // settings of the sampler
  std::int64_t grid_columns = 0;  // how many samples a sheet should have in a row; 0: any
  bool is_mean = false;           // rows are means of p(x|z), not draws
};

class SamplesWriter {
 public:
  // Like DatasetWriter's; an empty shape means codes alone, without /data/x.
  SamplesWriter(OutputFile& out, const DatasetInfo& info, Workers* workers = nullptr);
  void append(const Rows& rows) { table_.append(rows); }
  // Codes of float64 that grow as samples are made, whole rows at a time: /codes/NAME.
  [[nodiscard]] ArtifactColumn& code(const std::string& name, const h5::Shape& row_shape);
  // The other codes. All have one row per sample: shape [n, ...].
  std::string finish(const DatasetInfo& whole, const SamplesOrigin& origin,
                     const std::vector<TensorView>& codes, const Json& provenance);

 private:
  ArtifactWriter artifact_;
  RowTableWriter table_;
  std::vector<const ArtifactColumn*> growing_;
  Workers* workers_;
};

class SamplesFile final : public RowSource {
 public:
  explicit SamplesFile(const std::string& source)
      : SamplesFile(ArtifactFile(source, ArtifactKind::samples)) {}
  explicit SamplesFile(ArtifactFile artifact);

  [[nodiscard]] const DatasetInfo& info() const override { return table_.info(); }
  [[nodiscard]] bool has_x() const { return table_.has_x(); }
  // A data error where only codes were kept.
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) override;
  [[nodiscard]] const SamplesOrigin& origin() const { return origin_; }
  [[nodiscard]] std::vector<NamedTensor> codes() const { return read_tensors(artifact_, "/codes"); }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }

 private:
  ArtifactFile artifact_;
  RowTableReader table_;
  SamplesOrigin origin_;
};

// Rows of a dataset or of samples, whichever the file is.
struct OpenRows {
  std::unique_ptr<RowSource> rows;
  ArtifactKind kind;
  std::string content_hash;
  int grid_columns = 0;  // as the samples ask for
};
[[nodiscard]] OpenRows open_rows(ArtifactFile artifact);
[[nodiscard]] inline OpenRows open_rows(const std::string& source) {
  return open_rows(ArtifactFile(source));
}

}  // namespace logpx
