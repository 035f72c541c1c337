// The basis artifact (logpx-basis(5)): what an extractor has learned, or weights that it was given,
// so that features of other data are made in the same way later.
#pragma once

#include "formats/artifact.hpp"
#include "formats/named_tensors.hpp"
#include "libcore/data/dataset.hpp"

#include <optional>
#include <string>
#include <vector>

namespace logpx {

class OutputFile;

struct BasisContents {
  std::string extractor;            // "classifier:64"
  std::optional<DatasetInfo> data;  // of the rows that it takes; unknown for weights of others
  std::vector<TensorView> tensors;
};

// Writes and closes the file and returns its content hash; the caller calls out.commit().
std::string write_basis(OutputFile& out, const BasisContents& basis, const Json& provenance);

class BasisFile {
 public:
  explicit BasisFile(const std::string& source)
      : BasisFile(ArtifactFile(source, ArtifactKind::basis)) {}
  explicit BasisFile(ArtifactFile artifact);

  [[nodiscard]] const std::string& name() const { return artifact_.name(); }  // for messages
  [[nodiscard]] const std::string& extractor() const { return extractor_; }
  [[nodiscard]] const std::optional<DatasetInfo>& data() const { return data_; }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }
  void check() const { artifact_.check(); }  // against its content hash
  // A data error for values that are not finite: anyone may have written them.
  [[nodiscard]] std::vector<NamedTensor> tensors() const;

 private:
  ArtifactFile artifact_;
  std::string extractor_;
  std::optional<DatasetInfo> data_;
};

}  // namespace logpx
