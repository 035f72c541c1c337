// Checks the backward of ops against central differences.
//
//   const std::vector<gradcheck::Case> cases = {
//       {"matmul", {{{3, 5}}, {{5, 2}}},
//        [](const auto& in) { return matmul(in[0], in[1]); }, {.linear_in = {0, 1}}}};
//   const bool listed = gradcheck::list(cases);          // for the meta-test
//   TEST_CASE("grad: matrix ops ...") { for (const auto& c : cases) gradcheck::run(c); }
//
// A case is run in double (against differences) and in float (against double); with every gradient
// wanted, with each alone, with a second use of the same inputs, and without reuse of memory.
#pragma once

#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace logpx::gradcheck {

struct Input {
  Shape shape;
  double low = -2, high = 2;
  std::vector<double> kinks = {};   // values are moved away from these by more than 10 h
  std::int64_t classes = 0;         // > 0: an index input with entries below this
  bool differentiable = true;       // false: no gradient is asked for
  std::vector<double> values = {};  // instead of drawn ones
};

struct Options {
  std::vector<int> linear_in = {};  // inputs in which the result is linear: <J v, u> = <v, J' u>
  double float_tolerance = 2e-3;    // of the gradient's scale
  bool gradient_stops = false;      // nothing may flow
};

struct Case {
  std::string name;
  std::vector<Input> inputs;
  std::function<Var(const std::vector<Var>&)> build;
  Options options = {};
};

// "" or what is wrong, for the checker's own tests.
[[nodiscard]] std::string trouble(const Case& item);
// A doctest CHECK that there is no trouble.
void run(const Case& item);

// Cases that the meta-test counts; call it at namespace scope. Always true.
bool list(const std::vector<Case>& cases);
// The op that each listed case ends with (what it only passes through is not checked by it), and
// all ops in the sources of libcore/grad.
[[nodiscard]] std::set<std::string> names_checked();
[[nodiscard]] std::set<std::string> names_in_sources();

}  // namespace logpx::gradcheck
