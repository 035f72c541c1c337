// An extractor that is a network: rows go in as unit_rows, blocks run on executors that are kept.
#pragma once

#include "libcore/features/extractor.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/nn/site.hpp"

namespace logpx {

// A data error that names the extractor, unless rows are pictures.
void require_pictures(const DatasetInfo& data, const std::string& extractor);
// [rows, C, H, W] of such pictures.
[[nodiscard]] Shape picture_shape(const DatasetInfo& data, std::int64_t rows);

class NetExtractor : public Extractor {
 public:
  void extract(const Examples& examples, const FeatureBlock& out) const final;

 protected:
  explicit NetExtractor(ExtractorInfo info);
  // Nodes from the input x, pictures [rows,C,H,W], to features [rows, width] and, with classes, to
  // logits.
  struct Outputs {
    Var features;
    std::optional<Var> logits = {};
  };
  [[nodiscard]] virtual Outputs nodes(Var x) const = 0;
  // The input of so many rows, and what is in it.
  [[nodiscard]] virtual Shape input_shape(std::int64_t rows) const {
    return picture_shape(info_.data, rows);
  }
  virtual void fill_input(const Examples& examples, std::span<float> x) const;

  ParamSet params_;

 private:
  mutable ExecutorPool passes_;
};

}  // namespace logpx
