// A sequence of states, each made of the one before and of what attention sees of all so far.
//
//   s_1 = first,   s_t+1 = gelu(norm((s_t + attention(s_t; s_1..t)) U + c)) + e_t
//
// One op, since a graph of single steps would copy all keys and values in each of them. Every
// product is of one step, so that a state does not depend on how many come after it.
#pragma once

#include "libcore/grad/graph.hpp"

#include <cstdint>
#include <optional>

namespace logpx {

struct StateSteps {
  struct Layer {
    Var w, b;  // [C,C], [C]
  };
  Layer query, key, value, next;
  Var scale, shift;               // of the norm, [C]
  std::optional<Var> added = {};  // e [B,N,C], of which the last is not looked at
  std::int64_t count = 1;         // N
};

// first [B,C] to s [B,N,C].
[[nodiscard]] Var attentive_states(Var first, const StateSteps& steps);

}  // namespace logpx
