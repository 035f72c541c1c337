// An extractor that is a network: its input are unit_rows, and executors are kept for blocks.
#pragma once

#include "libcore/features/extractor.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/nn/site.hpp"

namespace logpx {

// A data error that names the extractor if rows are not pictures.
void require_pictures(const DatasetInfo& data, const std::string& extractor);
// [rows, C, H, W] of such pictures.
[[nodiscard]] Shape picture_shape(const DatasetInfo& data, std::int64_t rows);

class NetExtractor : public Extractor {
 public:
  void extract(const Examples& examples, const FeatureBlock& out) const final;

 protected:
  explicit NetExtractor(ExtractorInfo info);
  // Nodes from the input x, pictures [rows,C,H,W], to features [rows, width] and, if there are
  // classes, to logits.
  struct Outputs {
    Var features;
    std::optional<Var> logits = {};
  };
  [[nodiscard]] virtual Outputs nodes(Var x) const = 0;
  // The shape of the input for so many rows, and its values.
  [[nodiscard]] virtual Shape input_shape(std::int64_t rows) const {
    return picture_shape(info_.data, rows);
  }
  virtual void fill_input(const Examples& examples, std::span<float> x) const;

  ParamSet params_;

 private:
  mutable ExecutorPool passes_;
};

}  // namespace logpx
