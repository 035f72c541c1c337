// Rows of a dataset as a model reads them. A row that it cannot read is a data error that names the
// row; where a model reads whole rows only, those that end early count as whole, with whatever
// follows their ends.
//
//   FittingRows rows(file, model.info(), "text.h5");
//   const Rows some = rows.read(0, 64);   // text.h5: row 17 has 40 symbols, and this hmm reads ...
#pragma once

#include "libcore/model/model.hpp"

#include <string>

namespace logpx {

// A data error unless the model reads a row of that length (info.dims(), or its /data/length).
void require_length(const ModelInfo& model, const std::string& name, std::int64_t row,
                    std::int64_t length);

class FittingRows final : public RowSource {
 public:
  FittingRows(RowSource& rows, const ModelInfo& model, std::string name);
  [[nodiscard]] const DatasetInfo& info() const override { return info_; }
  [[nodiscard]] Rows read(std::int64_t begin, std::int64_t end) override;

 private:
  RowSource& rows_;
  const ModelInfo& model_;
  std::string name_;
  DatasetInfo info_;
};

}  // namespace logpx
