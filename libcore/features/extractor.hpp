// A vector of numbers that says what an example looks like: what judges of samples compare. An
// extractor is fitted once, and is then the same for everything that is compared by it.
// [spec/kaem.md section 12.6]
//
//   const auto extractor = make_extractor(parse_extractor("random-conv:1:64"), {.data = info});
//   std::vector<float> features(64 * 100);
//   extractor->extract({info, rows}, {.features = features});
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/data/dataset.hpp"
#include "libcore/math/tensor_ref.hpp"
#include "libcore/model/model.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

struct ExtractorInfo {
  std::string name;          // as users write it: "pca:64"
  DatasetInfo data;          // of the rows that it takes: their shape counts
  std::int64_t width = 0;    // features of an example
  std::int64_t classes = 0;  // logits of an example; 0: it gives none
};

// Where the features of a block of rows go.
struct FeatureBlock {
  std::span<float> features;     // [rows, width]
  std::span<float> logits = {};  // [rows, classes]
};

struct FitMachine {
  Rng rng;
  Workers& workers;
  // Told how much of the fit is done, from 0 to 1; may throw.
  std::function<void(double)> progress = {};
};

class Extractor {
 public:
  virtual ~Extractor() = default;
  [[nodiscard]] const ExtractorInfo& info() const { return info_; }

  // Features of each row from the row alone: [rows, width]. Several threads at once.
  virtual void extract(const Examples& examples, const FeatureBlock& out) const = 0;

  // Learns its basis from rows like those of info().data, once; only where there are tensors().
  virtual void fit(RowStream& rows, const FitMachine& machine);
  // What fitting leaves: kept in a file, and filled from one.
  [[nodiscard]] virtual std::vector<TensorRef> tensors() { return {}; }
  // The tensors have their values, which came out of a file: a data error where they cannot be.
  virtual void filled() {}

 protected:
  explicit Extractor(ExtractorInfo info) : info_(std::move(info)) {}
  ExtractorInfo info_;
};

// Pictures as extractors see them: [rows, C, H, W], levels scaled to [0, 1], grey repeated where
// three channels are wanted. Other rows keep their order; real values keep theirs where their
// domain has no ends.
void unit_rows(const Examples& examples, const DatasetInfo& wanted, std::span<float> x);

}  // namespace logpx
