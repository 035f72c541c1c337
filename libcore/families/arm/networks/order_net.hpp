// Networks as nodes of a graph: what they say of rows of which some values are known, and of the
// order of rows of which all are.   [spec/loarm.md section 9]
#pragma once

#include "libcore/families/arm/networks/net_options.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/nn/site.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace logpx::arm {

struct NetInputs {
  Var x;             // index [B,L]; a dim that is absent or not known may have any value
  Var seen, exists;  // [B,L], 1 where a value is known, 1 where the row has the dim; else 0
};

struct NetHeads {
  Var values;                      // f [B,L,levels]
  std::optional<Var> policy = {};  // h [B,L]
};

struct NetForm {
  NetOptions options;
  Extents extents;
  std::int64_t levels = 2;
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

}  // namespace logpx::arm
