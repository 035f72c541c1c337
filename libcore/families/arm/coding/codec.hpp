// Lossless coding in the order that a model chooses.   [arm/README 7]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/model/codec.hpp"

#include <memory>
#include <string>

namespace logpx::arm {

// policy: the model's own order; a learned one is a latent that gives its bits back
// greedy: the likeliest dim next, which both sides find       fixed: as rows are stored
enum class CodingOrder { policy, greedy, fixed, best };

struct CodingSettings {
  CodingOrder order = CodingOrder::policy;
  void describe(Fields& fields);
};
// Refers to the model.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const OrderModel& model);

}  // namespace logpx::arm
