// Checks whole layers in double: gradients of parameters and inputs against central differences,
// and the same bytes with and without recomputation and reuse of memory.
//
//   ParamSet params;
//   Initialisers initialisers;
//   const Linear layer(Site(params, initialisers) / "layer", 3, 5);
//   CHECK(layer_check::trouble(params, [&](Graph& graph) {
//           return layer(params, graph.input("x", {2, 3}));
//         }) == "");
//
// All parameters and inputs are drawn, so that nothing hides behind weights that start at zero.
#pragma once

#include "libcore/grad/graph.hpp"
#include "libcore/grad/params.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace logpx::layer_check {

using Build = std::function<Var(Graph&)>;

// Inputs with given values: no gradient is asked of them. Index inputs must be among them.
using Given = std::map<std::string, std::vector<double>>;

// "" or what is wrong.
[[nodiscard]] std::string trouble(const ParamSet& params, const Build& build,
                                  const Given& given = {});

// Whether nothing depends on a parameter of this name but by rounding: a softmax does not see what
// all keys share. Its gradient may be zero everywhere.
[[nodiscard]] bool is_without_slope(const std::string& name);

// Names and shapes, in order: "hidden/w [3,5]".
[[nodiscard]] std::vector<std::string> tensors(const ParamSet& params);

}  // namespace logpx::layer_check
