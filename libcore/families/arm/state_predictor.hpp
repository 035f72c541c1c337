// A network's logits for partly known rows, as scoring, sampling and coding ask for them.
#pragma once

#include "libcore/families/arm/row_form.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::arm {

// S of each row, [rows, dims]: what is seen of it. Where a dim is not seen, x only says whether the
// row has it.
struct States {
  std::span<const std::int32_t> x;
  std::span<const std::uint8_t> seen;
};

// Logits of each dim that is not seen; those of other dims have no meaning.
struct Looks {
  std::vector<double> values;  // f [rows, dims, levels]; -inf for values that a dim cannot have
  std::vector<double> policy;  // h [rows, dims]; empty where the network has none
};

class StatePredictor {
 public:
  virtual ~StatePredictor() = default;
  [[nodiscard]] virtual const RowForm& form() const = 0;
  // Any thread may call it.
  virtual void look(const States& states, Looks& looks) const = 0;
  // Logits g [rows, dims] of q(z|x), for whole rows.
  virtual void choose(std::span<const std::int32_t> x, std::span<double> g) const = 0;

  [[nodiscard]] std::int64_t dims() const { return form().dims(); }
  [[nodiscard]] std::int64_t levels() const { return form().levels(); }
};

}  // namespace logpx::arm
