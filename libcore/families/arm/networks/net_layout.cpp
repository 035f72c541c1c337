#include "libcore/families/arm/networks/net_layout.hpp"

namespace logpx::arm {

NetLayout::NetLayout(const RowForm& form, std::int64_t extent)
    : dims_(form.dims_of(extent)),
      first_dims_(form.holds_molecules() ? extent : std::ssize(dims_)) {}

NetInputs NetLayout::whole_rows(Graph& graph, std::int64_t rows) const {
  const Var exists = graph.input("exists", {rows, dims()});
  NetInputs in{.x = graph.index_input("x", {rows, first_dims_}), .seen = exists, .exists = exists};
  if (first_dims_ < dims()) in.pairs = graph.index_input("pairs", {rows, dims() - first_dims_});
  return in;
}

NetInputs NetLayout::states(Graph& graph, std::int64_t rows) const {
  NetInputs in = whole_rows(graph, rows);
  in.seen = graph.input("seen", {rows, dims()});
  return in;
}

void NetLayout::bind_values(std::size_t row, std::span<const std::int32_t> x,
                            GraphInputs& inputs) const {
  const std::size_t all = dims_.size(), first = at(first_dims_), rest = all - first;
  const std::span<float> exists = inputs.values("exists").subspan(row * all, all);
  const std::span<std::int32_t> values = inputs.indices("x").subspan(row * first, first);
  std::span<std::int32_t> pairs;
  if (rest > 0) pairs = inputs.indices("pairs").subspan(row * rest, rest);
  for (std::size_t k = 0; k < all; ++k) {
    const std::int32_t value = dims_[k] == absent ? absent : x[at(dims_[k])];
    exists[k] = value == absent ? 0.0F : 1.0F;
    (k < first ? values[k] : pairs[k - first]) = value == absent ? 0 : value;
  }
}

}  // namespace logpx::arm
