// Lossless coding in the order that a model chooses.   [arm/README 7]
#pragma once

#include "libcore/codec/ordered.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/arm/order_model.hpp"
#include "libcore/model/codec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace logpx::arm {

// A model as the entropy coder asks it: which place of an item comes next, and which symbol it has;
// places are those of stored rows.   [arm/README 7]
class OrderCoding final : public codec::OrderedCoding {
 public:
  OrderCoding(const OrderModel& model, const RowForm& form);
  [[nodiscard]] std::size_t item_size() const override;
  [[nodiscard]] std::unique_ptr<codec::OrderWalk> walk() const override;
  [[nodiscard]] std::unique_ptr<codec::OrderPosterior> posterior() const override;
  [[nodiscard]] std::unique_ptr<const codec::ItemForms> forms() const override;
  // Ends of so many groups of positions, in any one order, that cost these rows the fewest bits.
  [[nodiscard]] std::vector<std::int64_t> group_ends(std::span<const std::uint8_t> items,
                                                     std::size_t groups) const;

 private:
  const OrderModel& model_;
  ChannelsFirst place_;
  std::unique_ptr<const StatePredictor> predictor_;
};

// policy: the model's own order; a learned one is a latent that gives its bits back
// greedy: the likeliest dim next, which both sides find       fixed: as rows are stored
enum class CodingOrder { policy, greedy, fixed, best };

struct CodingSettings {
  CodingOrder order = CodingOrder::policy;
  std::int64_t parallel_steps = 0;  // looks at the network for a row; 0: one for each dim
  void describe(Fields& fields);
};
// Refers to the model.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const OrderModel& model);

}  // namespace logpx::arm
