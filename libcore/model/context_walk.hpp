// p(x|z) whose dimensions see those before them, as numbers that are the same on every machine and
// for every batch: all heads at once where x is known, front after front where it is drawn or
// decoded.   [vae/README 3.4, 7]
//
//   const ContextWalk walk({params, heads, likelihood, decode, latents});
//   const std::vector<float> x = walk.draw(z, first, rng);        // [n,dims]
//   walk.symbols(z)->push(message, item);
#pragma once

#include "libcore/codec/symbol_vector.hpp"
#include "libcore/model/context_heads.hpp"
#include "libcore/model/item_encoder.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace logpx {

class ContextWalk {
 public:
  struct Parts {
    const ParamSet& params;
    const ContextHeads& heads;
    const Likelihood& likelihood;
    std::function<Var(Var z)> features;  // z [n,J] to [n,pixels,F]
    std::int64_t latents = 0;            // J
  };
  // Keeps references to the parts.
  explicit ContextWalk(Parts parts);

  // What a decoder makes of z [n,J]: [n,pixels,F].
  [[nodiscard]] std::vector<float> features(std::span<const float> z) const;
  // The heads of some dimensions of each row, given what it sees of x [n,dims]: those of the first
  // row, then those of the next.
  struct RowsInPart {
    std::span<const float> features, x;
  };
  [[nodiscard]] Likelihood::ItemHeads heads(const RowsInPart& rows,
                                            std::span<const std::int32_t> dims) const;

  // x ~ p(x|z) [n,dims], for the samples numbered first, first + 1 ...
  [[nodiscard]] std::vector<float> draw(std::span<const float> z, std::int64_t first,
                                        const Rng& rng) const;
  // The mean of every dimension, given z and what it sees of x.
  [[nodiscard]] std::vector<float> mean(std::span<const float> z, std::span<const float> x) const;
  // p(x|z) of one z as a coder takes it, item elements with channels last. Refers to this.
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> symbols(std::span<const float> z) const;

  [[nodiscard]] const Fronts& fronts() const { return fronts_; }
  [[nodiscard]] std::span<const std::int32_t> order() const { return order_; }  // all fronts
  [[nodiscard]] const Likelihood& likelihood() const { return parts_.likelihood; }
  [[nodiscard]] const ContextTable& table() const { return *parts_.heads.table(); }

 private:
  Parts parts_;
  Fronts fronts_;
  std::vector<std::int32_t> order_;
  RepeatableNet decoder_, net_;
};

}  // namespace logpx
