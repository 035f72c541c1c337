// Which circuits can be multiplied: those that are built alike, block for block, and differ in
// sizes and numbers alone.   [pc/README 4.6]
#pragma once

#include "libcore/families/pc/text/circuit_text.hpp"

#include <span>
#include <string>
#include <vector>

namespace logpx::pc {

// A circuit with all of its numbers, and what messages call it.
struct ProductFactor {
  std::string name;
  CircuitText whole;

  [[nodiscard]] const Circuit& circuit() const { return whole.circuit; }
  // The numbers of a block, which may be those of the block that it is tied to.
  [[nodiscard]] const std::vector<double>& numbers(int block) const {
    return whole.weights[static_cast<std::size_t>(owner_of(circuit(), block))];
  }
};

// Throws a data error that names the file whose circuit cannot be a factor, or two files whose
// circuits differ and in what.
void require_one_form(std::span<const ProductFactor> factors);
[[noreturn]] void differ_in_form(const std::string& first, const std::string& second,
                                 const std::string& how);

}  // namespace logpx::pc
