// A network as scoring, sampling and coding call it: whole numbers in, logits out.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/families/arm/networks/order_net.hpp"
#include "libcore/families/arm/state_predictor.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/grad/graph_inputs.hpp"
#include "libcore/grad/params.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

// The inputs of a network for molecules of up to `extent` atoms: the dims of larger ones are left
// out. For plain rows: all dims.
//
//   const NetLayout layout(form, form.extent_of(x));
//   const NetInputs in = layout.states(graph, rows);      // "x", "exists", "seen"
//   layout.bind_values(row, x, inputs);
//   layout.bind(inputs.values("seen"), row, seen);
class NetLayout {
 public:
  NetLayout(const RowForm& form, std::int64_t extent);

  [[nodiscard]] std::int64_t dims() const { return std::ssize(dims_); }
  // Which dim of a row each input dim is, or `absent`.
  [[nodiscard]] std::span<const std::int32_t> dims_of_rows() const { return dims_; }
  // How many input dims, from the first on, have their values under "x"; the others are the bonds
  // of molecules, under "pairs".
  [[nodiscard]] std::int64_t first_dims() const { return first_dims_; }

  // Whole rows; and rows of which the input "seen" says what is known.
  [[nodiscard]] NetInputs whole_rows(Graph& graph, std::int64_t rows) const;
  [[nodiscard]] NetInputs states(Graph& graph, std::int64_t rows) const;

  // "x", "pairs" and "exists" of one row, from x in the dims of rows; what is absent becomes 0.
  void bind_values(std::size_t row, std::span<const std::int32_t> x, GraphInputs& inputs) const;
  // One row of an input, from numbers in the dims of rows.
  template <typename T>
  void bind(std::span<float> input, std::size_t row, std::span<const T> numbers) const {
    for (std::size_t k = 0; k < dims_.size(); ++k)
      input[row * dims_.size() + k] =
          dims_[k] == absent ? 0.0F : static_cast<float>(numbers[at(dims_[k])]);
  }

 private:
  std::vector<std::int32_t> dims_;
  std::int64_t first_dims_;
};

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
