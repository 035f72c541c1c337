// What scoring, sampling and coding need to know of a model of this family.
#pragma once

#include "libcore/families/arm/level_reader.hpp"
#include "libcore/families/arm/orders/order_rule.hpp"
#include "libcore/families/arm/row_form.hpp"
#include "libcore/families/arm/state_predictor.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace logpx::arm {

class OrderModel {
 public:
  virtual ~OrderModel() = default;
  [[nodiscard]] virtual const ModelInfo& model_info() const = 0;
  [[nodiscard]] virtual const LevelReader& reader() const = 0;
  // p(z|x_S) by the current parameters, like the predictors. Where it is learned, so is q(z|x),
  // which StatePredictor::choose gives; else q is the same.
  [[nodiscard]] virtual OrderRule rule() const = 0;
  [[nodiscard]] virtual const StatePredictor& predictor() const = 0;
  // The same networks by numbers that are equal on every machine, for a coder of rows of this form.
  [[nodiscard]] virtual std::unique_ptr<const StatePredictor> repeatable_predictor(
      const RowForm& form) const = 0;

  // For molecules: p(n), null for other rows; and by what renumbering atoms changes log p, "" if
  // by nothing.
  [[nodiscard]] virtual const AtomCounts* atom_counts() const { return nullptr; }
  [[nodiscard]] virtual std::string sees_numbers_by() const { return ""; }
  [[nodiscard]] bool is_equivariant() const {
    return atom_counts() != nullptr && sees_numbers_by().empty();
  }

  [[nodiscard]] const RowForm& form() const { return predictor().form(); }
  [[nodiscard]] std::int64_t dims() const { return predictor().dims(); }
  [[nodiscard]] std::int64_t levels() const { return predictor().levels(); }
};

}  // namespace logpx::arm
