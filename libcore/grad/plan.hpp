// What a graph does when it runs, step by step, and where every tensor lives. Made once per (graph,
// request): dead nodes removed, backward listed, lifetimes found, buffers placed; nothing else.
// [math/README 4.2]
#pragma once

#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace logpx {

enum class Reuse {
  memory,   // tensors share the arena when their lifetimes allow it
  nothing,  // every tensor has its own buffer, filled with NaN before a run: for tests
};

struct PlanRequest {
  std::string from = {};    // output whose gradient starts the reverse pass; empty: none
  bool parameters = false;  // gradients of parameters ...
  std::vector<std::string> written = {};  // ... that lie under these paths; empty: of all
  std::vector<std::string> inputs = {};   // gradients of these inputs
  bool recompute = false;                 // honour Graph::Recompute regions
  Reuse reuse = Reuse::memory;
  Numerics numerics = {};
};

struct Plan {
  enum class StepKind { forward, recompute, zero_gradient, backward };
  struct Operand {
    int value_buffer = -1;     // of an op's output; -1: bound input, parameter or constant
    int gradient_buffer = -1;  // -1: not wanted, or a parameter's
    bool wants_gradient = false, accumulate = false;
  };
  struct Step {
    StepKind kind = StepKind::forward;
    int node = 0;
    std::vector<Operand> operands;
    // zero_gradient without a buffer: that of a parameter
    int output_buffer = -1, output_gradient = -1, saved = -1, workspace = -1;
  };
  struct Buffer {
    std::int64_t elements = 0;
    int first = 0, last = 0;  // steps
    std::int64_t offset = 0;  // elements from the arena's start
    int node = 0;             // for reports
  };

  std::vector<Step> steps;
  int backward_begin = 0;  // steps before it are the forward pass
  std::vector<Buffer> buffers;
  std::int64_t arena_elements = 0;
  std::vector<int> output_buffers;          // per graph output; -1 as in Operand
  std::vector<int> input_gradient_buffers;  // per PlanRequest::inputs; -1: no gradient flows there
  std::map<std::int64_t, std::int64_t> parameter_gradients;  // offset in the block -> elements
  int seed_buffer = -1;                                      // gradient of `from`
  Numerics numerics;

  [[nodiscard]] std::int64_t arena_bytes(Precision precision) const;
};

[[nodiscard]] Plan make_plan(const Graph& graph, const PlanRequest& request);

// Bytes at the moment of the peak, per first component of the layer path, largest first.
struct ModuleMemory {
  std::string module;
  std::int64_t bytes = 0;
};
[[nodiscard]] std::vector<ModuleMemory> peak_by_module(const Graph& graph, const Plan& plan);

}  // namespace logpx
