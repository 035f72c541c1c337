// What the circuit of a table is made of, and which of it is open.   [pc/README 4.7]
#pragma once

#include "libcore/families/pc/structures/table.hpp"

#include <vector>

namespace logpx::pc {

struct TableChoice {
  TableForm form;
  double pseudocount = 0.1;
  double pooled = 0;  // rows of the mean covariance
  double epochs = 20;
  std::vector<double> weights = {};  // of the parts; empty: all alike
};

// Which of these no option has said.
struct TableOpen {
  bool tree_states = false, block_states = false, pseudocount = false, pooled = false,
       epochs = false;

  [[nodiscard]] bool any() const {
    return tree_states || block_states || pseudocount || pooled || epochs;
  }
};

}  // namespace logpx::pc
