// A network as scoring, sampling and coding call it: whole numbers in, logits out.
#pragma once

#include "libcore/families/arm/networks/net_layout.hpp"
#include "libcore/families/arm/state_predictor.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"

namespace logpx::arm {

// The network that looks at states, and the one that weighs orders: the same, another, or none.
struct OrderNets {
  const OrderNet* look = nullptr;
  const OrderNet* choose = nullptr;
};

class NetPredictor final : public StatePredictor {
 public:
  NetPredictor(const ParamSet& params, OrderNets nets, const RowForm& form,
               const Numerics& numerics = {});

  [[nodiscard]] const RowForm& form() const override { return form_; }
  void look(const States& states, Looks& looks) const override;
  void choose(std::span<const std::int32_t> x, std::span<double> g) const override;

 private:
  const ParamSet& params_;
  RowForm form_;
  mutable ExecutorPool looks_, choices_;
};

}  // namespace logpx::arm
