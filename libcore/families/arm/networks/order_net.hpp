// Networks as nodes of a graph: logits of the unknown values of rows, and of the order in which
// the values of whole rows may become known.   [arm/README 8]
#pragma once

#include "libcore/families/arm/networks/net_options.hpp"
#include "libcore/families/arm/row_form.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/nn/graph_features.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace logpx::arm {

// A learned vector for every value, and one more for what is not seen.
class Tokens {
 public:
  Tokens(const Site& site, std::int64_t levels, std::int64_t width)
      : levels_(levels), w_(site.tensor("w", {levels + 1, width}, Init::normal(1))) {}

  // x [B,L], seen [B,L,1], to [B,L,width].
  [[nodiscard]] Var operator()(const ParamSet& params, Var x, Var seen) const {
    const Var w = x.graph().parameter(params, w_);
    const std::int64_t width = w.shape()[1];
    const Var hidden = w.rows(levels_, levels_ + 1).reshape({1, 1, width});
    return embedding(w.rows(0, levels_), x) * seen + hidden * (1.0 - seen);
  }

 private:
  std::int64_t levels_;
  int w_;
};

struct NetInputs {
  Var x;             // index [B,L]; a dim that is absent or not known may have any value
  Var seen, exists;  // [B,L], 1 where a value is known, 1 where the row has the dim; else 0
  // For molecules: x holds the n atoms alone, and this their pairs, index [B,n(n-1)/2].
  std::optional<Var> pairs = {};
};

struct NetHeads {
  Var values;                      // f [B,L,levels]; for molecules [B,n,types of atoms]
  std::optional<Var> policy = {};  // h [B,L]
  std::optional<Var> pairs = {};   // f of pairs, [B,n(n-1)/2,kinds of bonds]
};
// log p(x_k|x_S) and the entropy of p(.|x_S), by dim: [B,L].
[[nodiscard]] Var log_p_of_values(const NetHeads& heads, const NetInputs& in, const RowForm& form);
[[nodiscard]] Var entropy_of_values(const NetHeads& heads, const RowForm& form);

struct NetForm {
  NetOptions options;
  Extents extents;
  RowForm rows;
  GraphFeatures features = {};  // for molecules
  // Which heads it has: f of the values, h of the policy, g of q.
  bool values = true, policy = false, choice = false;
};

class OrderNet {
 public:
  virtual ~OrderNet() = default;
  [[nodiscard]] virtual NetHeads look(const ParamSet& params, const NetInputs& in) const = 0;
  // g [B,L] of whole rows.
  [[nodiscard]] virtual Var choose(const ParamSet& params, const NetInputs& in) const = 0;
};

// Heads h and g start at zero: all orders are alike.
[[nodiscard]] std::unique_ptr<const OrderNet> make_net(const Site& site, const NetForm& form);

// The networks that make_net chooses from:
// tokens -> dense layer -> residual blocks -> heads
[[nodiscard]] std::unique_ptr<const OrderNet> dense_net(const Site& site, const NetForm& form);
// value, mask and token of every pixel -> unet conditioned on the share that is seen -> heads
[[nodiscard]] std::unique_ptr<const OrderNet> picture_net(const Site& site, const NetForm& form);
// A row of free numbers for every state: f [(m+1)^L, L m], h [(m+1)^L, L], g [m^L, L]; dim 0 varies
// fastest, and m stands for what is not seen.
[[nodiscard]] std::unique_ptr<const OrderNet> table_net(const Site& site, const NetForm& form);
// known atoms and bonds -> graph transformer -> heads of atoms and of pairs
[[nodiscard]] std::unique_ptr<const OrderNet> molecule_net(const Site& site, const NetForm& form);

}  // namespace logpx::arm
