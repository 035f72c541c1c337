// Lossless coding in the order that a model chooses.   [spec/coding.md section 4.5]
#pragma once

#include "libcore/families/arm/order_model.hpp"
#include "libcore/model/codec.hpp"

#include <memory>
#include <string>

namespace logpx::arm {

// policy: the model's own, of learned ones a latent that is paid for and gives bits back
// greedy: the likeliest dim next, which both sides find       fixed: as rows are stored
enum class CodingOrder { policy, greedy, fixed, best };

struct CodingSettings {
  CodingOrder order = CodingOrder::policy;
  void describe(Fields& fields);
};
// Refers to the model.
[[nodiscard]] std::unique_ptr<ModelCodec> make_codec(const OrderModel& model);

}  // namespace logpx::arm
