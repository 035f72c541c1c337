// The reference artifact (logpx-reference(5)): what mol-metrics keeps of a test set, so that it
// need not be worked through again.
#pragma once

#include "formats/artifact.hpp"
#include "formats/named_tensors.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace logpx {

class OutputFile;

struct ReferenceContents {
  std::string chemistry;           // "RDKit 2022.09.3"
  std::string sa_hash;             // of the table of SA; empty without
  std::string chemnet_hash = {};   // of ChemNet's weights; empty without
  std::vector<std::string> parts;  // that were worked out: "properties" ...
  std::int64_t n = 0;              // lines or rows, whether molecules or not
  std::vector<std::pair<std::string, h5::Value>> numbers;
  std::vector<std::pair<std::string, std::map<std::string, std::int64_t>>> counts;
};

// Writes and closes the file and returns its content hash; the caller calls out.commit().
std::string write_reference(OutputFile& out, const ReferenceContents& reference,
                            const Json& provenance);

class ReferenceFile {
 public:
  // Checks the content hash.
  explicit ReferenceFile(const std::string& source)
      : ReferenceFile(ArtifactFile(source, ArtifactKind::reference)) {}
  explicit ReferenceFile(ArtifactFile artifact);

  [[nodiscard]] const std::string& name() const { return artifact_.name(); }  // for messages
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }
  [[nodiscard]] const ReferenceContents& contents() const { return contents_; }
  // Null where there are none of that name.
  [[nodiscard]] const h5::Value* numbers(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, std::int64_t>* counts(const std::string& name) const;

 private:
  void read_counts(const std::vector<NamedTensor>& tensors);
  ArtifactFile artifact_;
  ReferenceContents contents_;
};

}  // namespace logpx
