#include "libcore/families/arm/networks/order_net.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/grad/ops_matrix.hpp"
#include "libcore/grad/ops_pointwise.hpp"

namespace logpx::arm {
namespace {

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::int64_t product = 1;
  for (std::int64_t i = 0; i < exponent; ++i) product *= base;
  return product;
}

class TableNet final : public OrderNet {
 public:
  TableNet(const Site& site, const NetForm& form)
      : dims_(form.extents.dims), levels_(form.rows.levels()) {
    const std::int64_t states = power(levels_ + 1, dims_);
    if (form.values) values_ = site.tensor("f", {states, dims_ * levels_}, Init::zeros());
    if (form.policy) policy_ = site.tensor("h", {states, dims_}, Init::zeros());
    if (form.choice) choice_ = site.tensor("g", {power(levels_, dims_), dims_}, Init::zeros());
  }

  [[nodiscard]] NetHeads look(const ParamSet& params, const NetInputs& in) const override {
    const std::int64_t rows = in.seen.shape()[0];
    const Var seen = in.seen.reshape({rows, dims_, 1});
    const Var state = chosen(concat({one_hot(in.x, levels_) * seen, 1.0 - seen}, 2));
    Graph& graph = in.seen.graph();
    NetHeads heads{matmul(state, graph.parameter(params, values_)).reshape({rows, dims_, levels_})};
    if (policy_ >= 0) heads.policy = matmul(state, graph.parameter(params, policy_));
    return heads;
  }
  [[nodiscard]] Var choose(const ParamSet& params, const NetInputs& in) const override {
    const Var x = chosen(one_hot(in.x, levels_));
    return matmul(x, in.seen.graph().parameter(params, choice_));
  }

 private:
  // One-hot [B,L,n] to one-hot [B,n^L]: the last dim counts most.
  [[nodiscard]] Var chosen(Var each) const {
    const std::int64_t rows = each.shape()[0], n = each.shape()[2];
    Var state = slice(each, 1, dims_ - 1, dims_).reshape({rows, n});
    for (std::int64_t k = dims_ - 1; k-- > 0;) {
      const Var next = outer(state, slice(each, 1, k, k + 1).reshape({rows, n}));
      state = next.reshape({rows, next.shape().elements() / rows});
    }
    return state;
  }

  std::int64_t dims_, levels_;
  int values_ = -1, policy_ = -1, choice_ = -1;
};

}  // namespace

std::unique_ptr<const OrderNet> table_net(const Site& site, const NetForm& form) {
  return std::make_unique<TableNet>(site, form);
}

}  // namespace logpx::arm
