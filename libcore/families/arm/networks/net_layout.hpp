// The inputs of a network for rows of which the largest has so many atoms: the dims of larger ones
// are left out. Of plain rows, all dims.
//
//   const NetLayout layout(form, form.extent_of(x));
//   const NetInputs in = layout.states(graph, rows);      // "x", "exists", "seen"
//   layout.bind_values(row, x, inputs);
//   layout.bind(inputs.values("seen"), row, seen);
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/families/arm/networks/order_net.hpp"
#include "libcore/grad/graph_inputs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

class NetLayout {
 public:
  NetLayout(const RowForm& form, std::int64_t extent);

  [[nodiscard]] std::int64_t dims() const { return std::ssize(dims_); }
  // Which dim of the rows each of them is; or `absent`.
  [[nodiscard]] std::span<const std::int32_t> dims_of_rows() const { return dims_; }
  // How many of them, from the first on, have values of their own under "x"; the others are the
  // bonds of molecules, under "pairs".
  [[nodiscard]] std::int64_t first_dims() const { return first_dims_; }

  // Rows of which all that exists is seen; and with an input "seen".
  [[nodiscard]] NetInputs whole_rows(Graph& graph, std::int64_t rows) const;
  [[nodiscard]] NetInputs states(Graph& graph, std::int64_t rows) const;

  // "x", "pairs" and "exists" of one row, x by the dims of rows; what is absent is 0.
  void bind_values(std::size_t row, std::span<const std::int32_t> x, GraphInputs& inputs) const;
  // One row of an input by dim, of numbers by the dims of rows.
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

}  // namespace logpx::arm
