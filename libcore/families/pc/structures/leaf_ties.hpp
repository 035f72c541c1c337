// Which variables share the parameters of their leaves.
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"

#include <cstdint>
#include <vector>

namespace logpx::pc {

enum class TieLeaves { none, channel, all };

struct LeafTies {
  TieLeaves tied = TieLeaves::none;
  std::int64_t pixels = 1;  // variables of a channel, one channel behind the other

  // The same number for variables that share their leaves.
  [[nodiscard]] int set_of(int variable) const;
};

// Throws a usage error where variables that are to share leaves take different values.
void require_alike(const LeafTies& ties, const std::vector<LeafKind>& kinds,
                   const std::vector<Variable>& variables);

}  // namespace logpx::pc
