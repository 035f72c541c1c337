// The features artifact (logpx-features(5)): a vector per example with the extractor that made it,
// or only their mean and covariance.
#pragma once

#include "formats/artifact.hpp"
#include "formats/json/value.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

class OutputFile;

struct FeaturesInfo {
  std::string extractor = {};    // "pca:64"
  Json params = {};              // of the extractor
  std::string source_hash = {};  // content hash of the source
  std::int64_t n = 0, d = 0;
  std::int64_t classes = 0;  // columns of /logits; 0: none
  bool has_labels = false;
};

struct FeatureRows {
  std::int64_t count = 0;
  std::vector<float> features;       // [count, d]
  std::vector<float> logits;         // [count, classes], for the inception score
  std::vector<std::int32_t> labels;  // [count]
};

class FeaturesWriter {
 public:
  FeaturesWriter(OutputFile& out, const FeaturesInfo& info);
  void append(const FeatureRows& rows);
  // The source's hash, where it is known only once the source has been read.
  void note_source(std::string hash) { info_.source_hash = std::move(hash); }
  // Closes the file and returns the content hash; the caller calls out.commit().
  std::string finish(const Json& provenance);

 private:
  ArtifactWriter artifact_;
  FeaturesInfo info_;
  ArtifactColumn* features_;
  ArtifactColumn* logits_ = nullptr;
  std::vector<std::int32_t> labels_;
};

// Statistics alone: mean [d], covariance [d, d] with n - 1 in its denominator.
std::string write_feature_statistics(OutputFile& out, const FeaturesInfo& info,
                                     std::span<const double> mean,
                                     std::span<const double> covariance, const Json& provenance);

class FeaturesFile {
 public:
  // Checks the content hash.
  explicit FeaturesFile(const std::string& source);
  explicit FeaturesFile(ArtifactFile artifact);

  [[nodiscard]] const std::string& name() const { return artifact_.name(); }  // for messages
  [[nodiscard]] const FeaturesInfo& info() const { return info_; }
  [[nodiscard]] bool has_rows() const { return artifact_.has("/features"); }
  [[nodiscard]] FeatureRows read(std::int64_t begin, std::int64_t end) const;
  [[nodiscard]] std::vector<double> mean() const { return statistic("/mean", {info_.d}); }
  [[nodiscard]] std::vector<double> covariance() const {
    return statistic("/cov", {info_.d, info_.d});
  }
  [[nodiscard]] const std::string& content_hash() const { return artifact_.content_hash(); }
  [[nodiscard]] Json provenance() const { return artifact_.provenance(); }

 private:
  [[nodiscard]] std::vector<double> statistic(const std::string& path,
                                              const h5::Shape& shape) const;

  ArtifactFile artifact_;
  FeaturesInfo info_;
};

}  // namespace logpx
