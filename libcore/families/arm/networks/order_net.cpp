#include "libcore/families/arm/networks/order_net.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_order.hpp"

namespace logpx::arm {

Var log_p_of_values(const NetHeads& heads, const NetInputs& in) {
  const Var log_p = categorical_log_prob(heads.values, in.x);
  if (!heads.pairs) return log_p;
  return concat({log_p, categorical_log_prob(*heads.pairs, *in.pairs)}, 1);
}

Var entropy_of_values(const NetHeads& heads) {
  const Var nats = softmax_entropy(heads.values);
  return heads.pairs ? concat({nats, softmax_entropy(*heads.pairs)}, 1) : nats;
}

std::unique_ptr<const OrderNet> make_net(const Site& site, const NetForm& form) {
  switch (form.options.kind) {
    case NetKind::mlp: return dense_net(site, form);
    case NetKind::unet: return picture_net(site, form);
    case NetKind::graph: return molecule_net(site, form);
    case NetKind::tabular: return table_net(site, form);
    case NetKind::automatic: break;
  }
  LOGPX_ASSERT(false);
  return nullptr;
}

}  // namespace logpx::arm
