// Networks as nodes of a graph: what they say of rows of which some values are known, and of the
// order of rows of which all are.   [spec/loarm.md section 9]
#pragma once

#include "libcore/families/arm/networks/net_options.hpp"
#include "libcore/families/arm/row_form.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/nn/graph_features.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace logpx::arm {

struct NetInputs {
  Var x;             // index [B,L]; a dim that is absent or not known may have any value
  Var seen, exists;  // [B,L], 1 where a value is known, 1 where the row has the dim; else 0
  // Of molecules: x is of the n atoms alone, and this of their pairs, index [B,n(n-1)/2].
  std::optional<Var> pairs = {};
};

struct NetHeads {
  Var values;                      // f [B,L,levels]; of molecules [B,n,types of atoms]
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
  GraphFeatures features = {};  // of molecules
  // Which of the heads it has: what is known of the others, and which dim comes next.
  bool values = true, policy = false, choice = false;
};

class OrderNet {
 public:
  virtual ~OrderNet() = default;
  [[nodiscard]] virtual NetHeads look(const ParamSet& params, const NetInputs& in) const = 0;
  // g [B,L], of rows of which all that exists is seen.
  [[nodiscard]] virtual Var choose(const ParamSet& params, const NetInputs& in) const = 0;
};

// Heads h and g start at zero: all orders are alike.
[[nodiscard]] std::unique_ptr<const OrderNet> make_net(const Site& site, const NetForm& form);

// One of them each:
// tokens -> dense layer -> residual blocks -> heads
[[nodiscard]] std::unique_ptr<const OrderNet> dense_net(const Site& site, const NetForm& form);
// value, mask and token of every pixel -> unet, told the share that is seen -> heads
[[nodiscard]] std::unique_ptr<const OrderNet> picture_net(const Site& site, const NetForm& form);
// A row of free numbers for every state: f [(m+1)^L, L m], h [(m+1)^L, L], g [m^L, L], dim 0 the
// fastest, m for what is not seen.
[[nodiscard]] std::unique_ptr<const OrderNet> table_net(const Site& site, const NetForm& form);
// known atoms and bonds -> graph transformer -> heads of atoms and of pairs
[[nodiscard]] std::unique_ptr<const OrderNet> molecule_net(const Site& site, const NetForm& form);

}  // namespace logpx::arm
