#pragma once

#include "libcore/grad/ops_attention.hpp"
#include "libcore/nn/linear.hpp"
#include "libcore/nn/mlp.hpp"
#include "libcore/nn/norm.hpp"

namespace logpx {

struct SelfAttentionOptions {
  std::int64_t heads = 1;
  Probabilities probabilities = Probabilities::saved;
  Init weights = {Init::Rule::lecun_normal};
  Init last_weights = {Init::Rule::lecun_normal};  // of the output projection
};

// Multi-head attention of a sequence to itself: x [B,N,C] to [B,N,C]; layers q, k, v, o.
class SelfAttention {
 public:
  SelfAttention(const Site& site, std::int64_t width, const SelfAttentionOptions& options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x,
                               std::optional<Var> key_mask = {}) const;

 private:
  std::string step_;
  Linear q_, k_, v_, o_;
  AttentionOptions options_;
};

// Pre-norm transformer block: x + attention(norm1(x)), then y + dense(norm2(y)).
class TransformerBlock {
 public:
  TransformerBlock(const Site& site, std::int64_t width, std::int64_t hidden,
                   const SelfAttentionOptions& options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x,
                               std::optional<Var> key_mask = {}) const;

 private:
  std::string step_;
  LayerNorm norm_;
  SelfAttention attention_;
  ResidualDense dense_;
};

struct ImageAttentionOptions {
  std::int64_t heads = 1, groups = 32;
  double eps = 1e-6;
};

// Attention among the pixels of an image, NCHW: x + o(attention(norm(x))); o starts at zero.
// [VDM; vdm/README 8.2]
class ImageAttention {
 public:
  ImageAttention(const Site& site, std::int64_t channels,
                 const ImageAttentionOptions& options = {});
  [[nodiscard]] Var operator()(const ParamSet& params, Var x) const;

 private:
  std::string step_;
  GroupNorm norm_;
  SelfAttention attention_;
};

}  // namespace logpx
