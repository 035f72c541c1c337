#include "libcore/codec/adaptive/block_order.hpp"

#include "libcore/codec/adaptive/code_order.hpp"
#include "libcore/codec/adaptive/sample_order.hpp"

namespace logpx::codec::adaptive {

bool is_ordered(const Form& form) {
  return form.kind == Kind::samples || form.kind == Kind::x86_code || form.kind == Kind::arm_code;
}

void order_block(std::span<std::uint8_t> block, const Form& form) {
  switch (form.kind) {
    case Kind::samples: return order_samples(block, form.samples);
    case Kind::x86_code: return order_x86(block);
    case Kind::arm_code: return order_arm(block);
    default: return;
  }
}

void restore_block(std::span<std::uint8_t> block, const Form& form) {
  switch (form.kind) {
    case Kind::samples: return restore_samples(block, form.samples);
    case Kind::x86_code: return restore_x86(block);
    case Kind::arm_code: return restore_arm(block);
    default: return;
  }
}

}  // namespace logpx::codec::adaptive
