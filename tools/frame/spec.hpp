// What a tool says about itself, once: help, manual, completions and error lines are made from it.
#pragma once

#include <string>
#include <vector>

namespace logpx {

struct Example {
  std::string command, says;
};

// An answer tool prints its report on stdout always; a maker only with --json.
enum class ToolKind { maker, answer };

// The libraries that decide the last bits of what a tool computes.
struct ComputeFacts {
  std::string blas, blas_kernel, vector_math;
  std::string mpi;            // empty when left out
  std::string faster_kernel;  // for BLAS, if it does not know the processor; else empty
};

struct ToolSpec {
  std::string name;                // "pack-data"
  std::string purpose;             // "turn foreign files into a dataset": no capital, no full stop
  std::vector<std::string> usage;  // what follows the name, one line per form
  std::vector<Example> examples;   // whole commands; the tests run those of the manual
  ToolKind kind = ToolKind::maker;
  // Common options that are accepted and do nothing here; help says so.
  std::vector<std::string> without_effect = {};
  // The tool opens its operands itself, so that a bad one does not stop the others.
  bool opens_inputs_itself = false;
  // A call without arguments is valid if stdin is not a terminal.
  bool filters_stdin = false;
  // Set by tools that compute (compute_facts.hpp); the others link neither BLAS nor MPI, whose
  // loading alone takes longer than --version may.
  ComputeFacts (*compute_facts)() = nullptr;
};

}  // namespace logpx
