#include "libcore/math/monarch_form.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace logpx {

namespace {

// Beyond any memory, but small enough that counts of rows and edges stay exact.
constexpr std::int64_t most_states = std::int64_t{1} << 31;
constexpr double most_edges = 0x1p40;
constexpr std::size_t most_axes = 40;

std::int64_t states_in(const std::vector<std::int64_t>& extents, const std::string& name) {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 1)
      fail(ErrorKind::usage, "--factors",
           "has the factor " + std::to_string(extent) + " in " + name + ", expected 1 or more");
    if (extent > most_states / product)
      fail(ErrorKind::usage, "--factors", "has a product of " + name + " beyond 2^31");
    product *= extent;
  }
  return product;
}

// States of the axes from `first` on, cyclically, up to but without `last`.
std::int64_t between(const std::vector<std::int64_t>& extents, std::size_t first,
                     std::size_t last) {
  std::int64_t product = 1;
  for (std::size_t axis = first; axis != last; axis = (axis + 1) % extents.size())
    product *= extents[axis];
  return product;
}

void check_program(const MonarchFactors& factors) {
  const auto d = static_cast<int>(factors.m.size());
  if (factors.program.size() > most_axes)
    fail(ErrorKind::usage, "--program",
         "has " + std::to_string(factors.program.size()) + " layers, at most 40");
  std::set<int> contracted;
  for (const int axis : factors.program) {
    if (axis < 1 || axis > d)
      fail(ErrorKind::usage, "--program",
           "names axis " + std::to_string(axis) + ", but there " +
               (d == 1 ? "is one factor" : "are " + std::to_string(d) + " factors"));
    contracted.insert(axis);
  }
  for (int axis = 1; axis <= d; ++axis)
    if (!contracted.contains(axis) && factors.m[at(axis - 1)] != factors.n[at(axis - 1)])
      fail(ErrorKind::usage, "--program",
           "leaves out axis " + std::to_string(axis) + ", whose factors of m and n differ");
}

}  // namespace

std::int64_t MonarchLayer::in_row(std::int64_t r, std::int64_t i) const {
  const std::int64_t outer = blocks / in_step;
  return (r % outer * n + i) * in_step + r / outer;
}

std::int64_t MonarchLayer::out_row(std::int64_t r, std::int64_t j) const {
  const std::int64_t outer = blocks / out_step;
  return (r % outer * m + j) * out_step + r / outer;
}

MonarchLayer::State MonarchLayer::output(std::int64_t row) const {
  const std::int64_t outer = blocks / out_step, before = row / out_step;
  return {row % out_step * outer + before / m, before % m};
}

Monarch::Monarch(MonarchFactors factors) : factors_(std::move(factors)) {
  const std::size_t d = factors_.m.size();
  if (d == 0 || d > most_axes || factors_.n.size() != d)
    fail(ErrorKind::usage, "--factors",
         "has " + std::to_string(d) + " factors of outputs and " +
             std::to_string(factors_.n.size()) + " of inputs, expected as many, 1 to 40");
  rows_ = states_in(factors_.m, "m");
  columns_ = states_in(factors_.n, "n");
  if (factors_.program.empty()) {
    factors_.program.resize(d);
    std::iota(factors_.program.begin(), factors_.program.end(), 1);
  }
  check_program(factors_);
  std::vector<std::int64_t> extents = factors_.n;
  // Axes of a vector lie in cyclic order. A layer finds its own axis slowest if the layer before it
  // could arrange that.
  std::size_t first = 0;
  for (std::size_t t = 0; t < factors_.program.size(); ++t) {
    const std::size_t axis = at(factors_.program[t] - 1), behind = (axis + 1) % d;
    const bool last = t + 1 == factors_.program.size();
    const std::size_t then = last ? 0 : at(factors_.program[t + 1] - 1);
    MonarchLayer layer;
    layer.axis = static_cast<int>(axis);
    layer.n = extents[axis];
    layer.m = factors_.m[axis];
    layer.in_step = between(extents, behind, first);
    layer.out_step = between(extents, behind, then);
    layer.blocks = between(extents, behind, axis);
    if (static_cast<double>(layer.in_rows()) * static_cast<double>(layer.m) > most_edges)
      fail(ErrorKind::usage, "--factors", "has a layer of more than 2^40 weights");
    extents[axis] = layer.m;
    layers_.push_back(layer);
    first = then;
  }
}

Monarch Monarch::dense(std::int64_t rows, std::int64_t columns) {
  return Monarch({.m = {rows}, .n = {columns}, .program = {}});
}

std::int64_t Monarch::edges() const {
  std::int64_t edges = 0;
  for (const MonarchLayer& layer : layers_) edges += layer.edges();
  return edges;
}

bool Monarch::unique_paths() const {
  return std::set<int>(factors_.program.begin(), factors_.program.end()).size() == layers_.size();
}

std::int64_t Monarch::inner_rows() const {
  std::int64_t rows = 0;
  for (std::size_t t = 0; t + 1 < layers_.size(); ++t) rows += layers_[t].out_rows();
  return rows;
}

std::int64_t Monarch::longest_inner() const {
  std::int64_t rows = 0;
  for (std::size_t t = 0; t + 1 < layers_.size(); ++t) rows = std::max(rows, layers_[t].out_rows());
  return rows;
}

std::int64_t Monarch::room(std::int64_t batch) const {
  return (inner_rows() + 2 * longest_inner()) * batch;
}

}  // namespace logpx
