#include "libcore/families/arm/networks/order_net.hpp"

#include "libcore/base/error.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_order.hpp"
#include "libcore/grad/ops_pointwise.hpp"

#include <limits>

namespace logpx::arm {
namespace {

// f, with -inf for values that a dim cannot have.
Var possible_values(const NetHeads& heads, const RowForm& form) {
  if (form.values().alike()) return heads.values;
  Tensor<double> left_out({form.dims(), form.levels()});
  for (std::int64_t dim = 0; dim < form.dims(); ++dim)
    for (std::int64_t v = form.levels_of(dim); v < form.levels(); ++v)
      left_out[dim * form.levels() + v] = -std::numeric_limits<double>::infinity();
  return heads.values + heads.values.graph().constant(left_out);
}

}  // namespace

Var log_p_of_values(const NetHeads& heads, const NetInputs& in, const RowForm& form) {
  const Var log_p = categorical_log_prob(possible_values(heads, form), in.x);
  if (!heads.pairs) return log_p;
  return concat({log_p, categorical_log_prob(*heads.pairs, *in.pairs)}, 1);
}

Var entropy_of_values(const NetHeads& heads, const RowForm& form) {
  const Var nats = softmax_entropy(possible_values(heads, form));
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
