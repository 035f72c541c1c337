// Columns of a batch in which the same variables of a joint leaf are seen: what the holes ask for
// is computed once for all of them.
#pragma once

#include "libcore/families/pc/circuit/circuit.hpp"
#include "libcore/families/pc/circuit/columns.hpp"
#include "libcore/families/pc/leaves/joint_gaussian.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace logpx::pc {

struct SeenGroup {
  SeenPlaces places;
  std::vector<std::int64_t> columns;
  std::vector<double> x;  // [columns, variables of the leaf]; 0 where one is hidden

  [[nodiscard]] std::span<double> row(std::size_t i) {
    const std::size_t width = x.size() / columns.size();
    return std::span(x).subspan(i * width, width);
  }
};

// The variables of a joint leaf at one step.
[[nodiscard]] std::vector<ColumnValues> columns_of_leaf(const Circuit& circuit, const Block& joint,
                                                        const StepColumns& values);
// A hidden variable whose region is known is the first one.
[[nodiscard]] SeenPlaces places_in(const Circuit& circuit, const Block& joint,
                                   std::span<const ColumnValues> values, std::int64_t column);
// In the order of their first columns, without those whose values lie outside their regions.
[[nodiscard]] std::vector<SeenGroup> seen_groups(const Circuit& circuit, const Block& joint,
                                                 const StepColumns& values);

// What statistics of a joint leaf are sums around, so that floats hold them: the mean of the broad
// node, which stays where the data are; else 0.
template <typename T>
[[nodiscard]] std::vector<double> centre_of(const Block& joint, const JointForm& form,
                                            const T* parameters) {
  std::vector<double> centre(static_cast<std::size_t>(form.variables));
  if (joint.broad)
    std::copy_n(parameters + (joint.size - 1) * form.parameters(), centre.size(), centre.begin());
  return centre;
}

}  // namespace logpx::pc
