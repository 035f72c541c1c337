// The scores artifact (logpx-scores(5)): log p(x) of every example that was evaluated, with its
// terms, so that two models can be compared example by example.
#pragma once

#include "formats/artifact.hpp"
#include "formats/json/value.hpp"
#include "formats/text_table.hpp"
#include "libcore/data/measure.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class OutputFile;

struct ScoresContents {
  std::string family, method, likelihood_kind;  // "vae", "iwae", "stochastic_lower_bound"
  std::string model_hash, data_hash;            // content hashes
  MeasuredAs measured = {};    // what log p is the logarithm of; older files do not say
  std::string reading = {};    // how the model reads the data, if it has a choice: "static" bits
  std::int64_t first_row = 0;  // of the dataset; the others follow
  std::vector<std::int64_t> rows = {};    // [n], numbers in the source; none: those of the dataset
  std::vector<std::int32_t> labels = {};  // [n] or none
  // [n], what bits are divided by where rows end early or have gaps; none: all dims of each
  std::vector<std::int64_t> dims_observed = {};
  std::vector<std::string> label_names = {};
  std::vector<double> nats;               // [n]; -inf for what the model holds impossible
  std::vector<double> mc_std_error = {};  // [n] or none
  using Columns = std::vector<std::pair<std::string, std::vector<double>>>;
  Columns terms = {};  // [n] each
  Columns facts = {};
};

// A row of the source for each example, labels (with their names), observed dims where they differ,
// log p, its error, the terms and the facts of the method: a table to be joined with the source.
// Examples begin .. end-1 of them.
[[nodiscard]] TextTable table_of(const ScoresContents& scores, std::int64_t begin,
                                 std::int64_t end);

// Writes and closes the file and returns its content hash; the caller calls out.commit().
std::string write_scores(OutputFile& out, const ScoresContents& scores, const Json& provenance);

class ScoresFile {
 public:
  // Checks the content hash.
  explicit ScoresFile(const std::string& source)
      : ScoresFile(ArtifactFile(source, ArtifactKind::scores)) {}
  explicit ScoresFile(ArtifactFile artifact);

  [[nodiscard]] const std::string& name() const { return artifact_.name(); }  // for messages
  [[nodiscard]] const ScoresContents& contents() const { return contents_; }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }

 private:
  template <typename T>
  [[nodiscard]] std::vector<T> column(const std::string& path) const;
  [[nodiscard]] ScoresContents::Columns columns(const std::string& group) const;

  ArtifactFile artifact_;
  ScoresContents contents_;
};

// A data error unless both are about the same rows of the same data, with the same reading and
// measure, as far as they say.
void require_comparable(const ScoresFile& a, const ScoresFile& b);

}  // namespace logpx
