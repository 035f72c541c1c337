// What a network says of rows of which some values are known: what scores, samples and codes call.
#pragma once

#include "libcore/families/arm/row_form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

// S of each row: what is seen of it, [rows, dims]. Where nothing is seen x says only whether the
// dim exists.
struct States {
  std::span<const std::int32_t> x;
  std::span<const std::uint8_t> seen;
};

// Logits for each dim that is not seen; of others they say nothing.
struct Looks {
  std::vector<double> values;  // f [rows, dims, levels]; -inf for values that a dim cannot have
  std::vector<double> policy;  // h [rows, dims]; empty where the network has none
};

class StatePredictor {
 public:
  virtual ~StatePredictor() = default;
  [[nodiscard]] virtual const RowForm& form() const = 0;
  // From any thread.
  virtual void look(const States& states, Looks& looks) const = 0;
  // Logits g [rows, dims] of q(z|x), for rows of which all is known.
  virtual void choose(std::span<const std::int32_t> x, std::span<double> g) const = 0;

  [[nodiscard]] std::int64_t dims() const { return form().dims(); }
  [[nodiscard]] std::int64_t levels() const { return form().levels(); }
};

}  // namespace logpx::arm
