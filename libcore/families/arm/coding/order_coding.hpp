// A model as the entropy coder asks it: which place of an item comes next, and which symbol it has;
// places are those of stored rows.   [arm/README 7]
#pragma once

#include "libcore/codec/ordered.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/arm/order_model.hpp"

#include <memory>

namespace logpx::arm {

class OrderCoding final : public codec::OrderedCoding {
 public:
  OrderCoding(const OrderModel& model, const RowForm& form);
  [[nodiscard]] std::size_t item_size() const override;
  [[nodiscard]] std::unique_ptr<codec::OrderWalk> walk() const override;
  [[nodiscard]] std::unique_ptr<codec::OrderPosterior> posterior() const override;
  [[nodiscard]] std::unique_ptr<const codec::ItemForms> forms() const override;

 private:
  const OrderModel& model_;
  ChannelsFirst place_;
  std::unique_ptr<const StatePredictor> predictor_;
};

}  // namespace logpx::arm
