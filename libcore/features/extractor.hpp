// Features: a vector of numbers for each example, which judges of samples compare. An extractor is
// fitted once, and is then the same for everything that is compared by it.
// [eval/README 10.1]
//
//   const auto extractor = make_extractor(parse_extractor("random-conv:1:64"), {.data = info});
//   std::vector<float> features(64 * 100);
//   extractor->extract({info, rows}, {.features = features});
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx {

struct ExtractorInfo {
  std::string name;          // as users write it: "pca:64"
  DatasetInfo data;          // the rows that it takes; their shape counts
  std::int64_t width = 0;    // features of an example
  std::int64_t classes = 0;  // logits of an example; 0: it gives none
  std::int64_t block = 64;   // rows that are best extracted together
};

// Where the features of a block of rows go.
struct FeatureBlock {
  std::span<float> features;     // [rows, width]
  std::span<float> logits = {};  // [rows, classes]
};

struct FitMachine {
  Rng rng;
  Workers& workers;
  // Called with the share of the fit that is done, from 0 to 1; may throw.
  std::function<void(double)> progress = {};
};
// Facts about a fit.
struct FitReport {
  std::vector<std::pair<std::string, double>> facts = {};  // "accuracy", "explained"
  std::vector<std::string> concerns = {};                  // warnings for the user
};

class Extractor {
 public:
  virtual ~Extractor() = default;
  [[nodiscard]] const ExtractorInfo& info() const { return info_; }

  // Features of each row from the row alone. Several threads at once.
  virtual void extract(const Examples& examples, const FeatureBlock& out) const = 0;

  // Learns its basis once, from rows like those of info().data; for kinds that need a fit.
  virtual FitReport fit(RowStream& rows, const FitMachine& machine);
  // The result of a fit: kept in a file, and passed in when an extractor is made from a file.
  [[nodiscard]] virtual std::vector<TensorRef> tensors() { return {}; }

 protected:
  explicit Extractor(ExtractorInfo info) : info_(std::move(info)) {}
  ExtractorInfo info_;
};

}  // namespace logpx
