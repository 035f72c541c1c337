// Networks as what scores, samples and codes call: whole numbers in, logits out.
#pragma once

#include "libcore/families/arm/networks/order_net.hpp"
#include "libcore/families/arm/state_predictor.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>

namespace logpx::arm {

// The network that looks at states, and the one that weighs orders: the same, another, or none.
struct OrderNets {
  const OrderNet* look = nullptr;
  const OrderNet* choose = nullptr;
};

// "x", "seen" and "exists" of so many rows.
[[nodiscard]] NetInputs net_inputs(Graph& graph, std::int64_t rows, std::int64_t dims);
// Fills "x" and "exists": where x says that a dim is absent it takes 0.
void bind_values(std::span<const std::int32_t> x, GraphInputs& inputs);

class NetPredictor final : public StatePredictor {
 public:
  struct Form {
    std::int64_t dims = 1, levels = 2;
    Numerics numerics = {};
  };
  NetPredictor(const ParamSet& params, OrderNets nets, const Form& form);

  [[nodiscard]] std::int64_t dims() const override { return form_.dims; }
  [[nodiscard]] std::int64_t levels() const override { return form_.levels; }
  void look(const States& states, Looks& looks) const override;
  void choose(std::span<const std::int32_t> x, std::span<double> g) const override;

 private:
  const ParamSet& params_;
  Form form_;
  mutable ExecutorPool looks_, choices_;
};

}  // namespace logpx::arm
