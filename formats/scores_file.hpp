// The scores artifact (logpx-scores(5)): log p(x) of every example that was evaluated, with its
// terms, so that two models can be compared example by example.
#pragma once

#include "formats/artifact.hpp"
#include "formats/json/value.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class OutputFile;

struct ScoresContents {
  std::string family, method, likelihood_kind;  // "vae", "iwae", "stochastic_lower_bound"
  std::string model_hash, data_hash;            // content hashes
  std::string reading = {};    // how the model reads the data where it may: "static" bits of grey
  std::int64_t first_row = 0;  // of the dataset; the others follow
  std::vector<double> nats;    // [n]; -inf for what the model holds impossible
  std::vector<double> mc_std_error = {};  // [n] or none
  using Columns = std::vector<std::pair<std::string, std::vector<double>>>;
  Columns terms = {};  // [n] each
  Columns facts = {};
};

// Writes and closes the file and returns its content hash; out.commit() stays the caller's.
std::string write_scores(OutputFile& out, const ScoresContents& scores, const Json& provenance);

class ScoresFile {
 public:
  explicit ScoresFile(const std::string& source)
      : ScoresFile(ArtifactFile(source, ArtifactKind::scores)) {}
  explicit ScoresFile(ArtifactFile artifact);

  [[nodiscard]] const std::string& name() const { return artifact_.name(); }  // for messages
  [[nodiscard]] const ScoresContents& contents() const { return contents_; }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }

 private:
  [[nodiscard]] std::vector<double> column(const std::string& path) const;
  [[nodiscard]] ScoresContents::Columns columns(const std::string& group) const;

  ArtifactFile artifact_;
  ScoresContents contents_;
};

// A data error unless both speak of the same rows of the same data, read alike.
void require_comparable(const ScoresFile& a, const ScoresFile& b);

}  // namespace logpx
