#include "libcore/families/arm/networks/order_net.hpp"
#include "libcore/grad/ops_index.hpp"
#include "libcore/mol/molecule.hpp"
#include "libcore/nn/graph_net.hpp"

namespace logpx::arm {
namespace {

GraphWidths widths_of(const std::vector<std::int64_t>& widths) {
  return {widths[0], widths[1], widths[2]};
}

GraphNetOptions graph_options(const NetForm& form) {
  using Logits = GraphNetOptions::Logits;
  return {.node_values = form.rows.atom_types(),
          .edge_values = bond_kinds,
          .most_nodes = form.rows.most_atoms(),
          .layers = form.options.layers,
          .heads = form.options.heads,
          .width = widths_of(form.options.widths),
          .feed_forward = widths_of(form.options.ff_widths),
          .hidden = widths_of(form.options.io_widths),
          .policies = (form.policy ? 1 : 0) + (form.choice ? 1 : 0),
          .logits = form.values ? Logits::with : Logits::without,
          .features = form.features};
}

class MoleculeNet final : public OrderNet {
 public:
  MoleculeNet(const Site& site, const NetForm& form)
      : net_(site / "", graph_options(form)),
        has_policy_(form.policy),
        policies_(graph_options(form).policies) {}

  [[nodiscard]] NetHeads look(const ParamSet& params, const NetInputs& in) const override {
    const GraphAnswer answer = net_(params, state_of(in));
    NetHeads heads{.values = *answer.node_logits, .policy = {}, .pairs = answer.pair_logits};
    if (has_policy_) heads.policy = policy_of(answer, 0);
    return heads;
  }
  [[nodiscard]] Var choose(const ParamSet& params, const NetInputs& in) const override {
    return policy_of(net_(params, state_of(in)), policies_ - 1);
  }

 private:
  [[nodiscard]] static GraphState state_of(const NetInputs& in) {
    const std::int64_t atoms = in.x.shape()[1], dims = in.exists.shape()[1];
    return {.node_values = in.x,
            .pair_values = *in.pairs,
            .exists = slice(in.exists, 1, 0, atoms),
            .nodes_shown = slice(in.seen, 1, 0, atoms),
            .pairs_shown = slice(in.seen, 1, atoms, dims)};
  }
  // One of the numbers beside the logits of every variable, [B,L].
  [[nodiscard]] static Var policy_of(const GraphAnswer& answer, std::int64_t number) {
    const auto part = [&](Var all) {
      return slice(all, 2, number, number + 1).reshape({all.shape()[0], all.shape()[1]});
    };
    return concat({part(*answer.node_policy), part(*answer.pair_policy)}, 1);
  }

  GraphNet net_;
  bool has_policy_;
  std::int64_t policies_;
};

}  // namespace

std::unique_ptr<const OrderNet> molecule_net(const Site& site, const NetForm& form) {
  return std::make_unique<MoleculeNet>(site, form);
}

}  // namespace logpx::arm
