// Features that were made before, in memory: the artifact of extract-features, or what other
// programs keep in .npz, .npy and .csv.
//
//   const FeatureSet real = read_feature_set("real.npz");
//   if (!real.has_rows()) use(real.mean, real.covariance);
#pragma once

#include "formats/features_file.hpp"
#include "formats/json/value.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace logpx {

class Container;

struct FeatureSet {
  std::string name = {};   // of the file, for messages
  std::string kind = {};   // "features" of an artifact, "npz", "table"
  FeaturesInfo info = {};  // no extractor: not in the file; n 0: statistics of an unknown number
  std::vector<double> rows = {};                   // [n,d]; empty: statistics alone
  std::vector<double> logits = {};                 // [n,classes]
  std::vector<double> mean = {}, covariance = {};  // [d], [d,d]: of statistics alone
  std::uint64_t bytes = 0;
  std::string content_hash = {};  // of an artifact; of other files their SHA-256
  Json provenance = {};           // of an artifact

  [[nodiscard]] bool has_rows() const { return !rows.empty(); }
};

// The first bytes say what it is; "-" is stdin. An .npz holds `features` [n,d] and perhaps `logits`
// [n,classes], or `mu` [d] and `sigma` [d,d]; an array that is alone in it is taken for features.
// Sizes that do not match, values that are not finite (with the row), a sigma that is not
// symmetric, fewer than two rows and rows that are all the same are data errors.
[[nodiscard]] FeatureSet read_feature_set(const std::string& path);
// The last two of these checks, for rows that come from elsewhere.
void check_rows(const FeatureSet& set);
// Whether a file holds a mean and a covariance instead of rows. False where there is no file, or
// its kind is unknown.
[[nodiscard]] bool holds_statistics(const std::string& path);
// The features of an open .npz: for fuzzers.
[[nodiscard]] FeatureSet feature_set_of(std::shared_ptr<const Container> archive);

}  // namespace logpx
