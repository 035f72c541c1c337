// Linear layers over the same x, each with tensors of its own, computed as one product: of x once,
// where each alone would have but a few columns.
#pragma once

#include "libcore/nn/linear.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

class JoinedLinear {
 public:
  struct Part {
    std::string name;
    std::int64_t out = 0;
  };
  // Tensors NAME/w [in,out] and NAME/b [out], as those of a Linear at site / NAME.
  JoinedLinear(const Site& site, std::int64_t in, const std::vector<Part>& parts,
               const LinearOptions& options = {});
  // x [...,in] to [...,out] for each part.
  [[nodiscard]] std::vector<Var> operator()(const ParamSet& params, Var x) const;
  [[nodiscard]] int bias(std::size_t part) const { return biases_[part]; }  // its tensor

 private:
  std::vector<int> weights_, biases_;
  std::vector<std::int64_t> widths_;
  Activation activation_;
};

}  // namespace logpx
