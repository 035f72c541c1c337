#pragma once

#include "libcore/nn/site.hpp"

namespace logpx {

// A learned row per symbol: index [...] below `count` to [...,width]; tensor w [count,width].
class Embedding {
 public:
  Embedding(const Site& site, std::int64_t count, std::int64_t width, Init rows = Init::normal(1));
  [[nodiscard]] Var operator()(const ParamSet& params, Var index) const;

 private:
  std::string step_;
  int w_;
};

}  // namespace logpx
