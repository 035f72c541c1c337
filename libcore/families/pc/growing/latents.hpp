// The hidden variables of a circuit, each a number of blocks whose nodes are its states, one for
// one: what a hadamard product joins, what a chain hands on, and what is tied.   [pc/README 7.1]
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <cstdint>
#include <vector>

namespace logpx::pc {

struct Latent {
  std::int64_t states = 0;
  // The last axis of the grids that Monarch sums make of the states; 0: no sum makes a grid, -1:
  // such grids differ.
  std::int64_t axis = 0;
  // No hidden variable: the root, indicators, or what a sum mixes its leaves from.
  bool fixed = false;
  int joint = -1;  // a kronecker product, whose states are pairs of others; or -1
};

struct Latents {
  std::vector<int> of_block;
  std::vector<Latent> all;

  [[nodiscard]] const Latent& at_block(int b) const {
    return all[static_cast<std::size_t>(of_block[static_cast<std::size_t>(b)])];
  }
};
// A usage error for circuits whose states cannot be told apart.
[[nodiscard]] Latents find_latents(const Circuit& circuit);

}  // namespace logpx::pc
