#include "formats/archive/identity.hpp"

#include "formats/archive/wire.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace logpx::archive {
namespace {

std::uint8_t code_of(const TensorView& tensor) {
  switch (tensor.type) {
    case h5::ValueType::f32: return 1;
    case h5::ValueType::f64: return 2;
    case h5::ValueType::i32: return 3;
    default: break;
  }
  fail(ErrorKind::data, tensor.name, "is of a type that no codec uses");
}

// The values little-endian, with -0 as 0. (Whole arrays are taken as they lie in memory, which is
// little-endian here; wire.hpp writes single numbers.)
template <typename T>
void append_reals(const TensorView& tensor, WireWriter& out) {
  for (std::size_t at = 0; at + sizeof(T) <= tensor.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, tensor.bytes.data() + at, sizeof(T));
    if (!std::isfinite(value))
      fail(ErrorKind::data, tensor.name, "has a weight that is not finite");
    if (value == 0) value = 0;  // -0 too
    out.raw(std::as_bytes(std::span(&value, 1)));
  }
}

}  // namespace

std::string model_identity(std::string_view canonical_config, std::vector<TensorView> tensors) {
  static_assert(std::endian::native == std::endian::little);
  std::ranges::sort(tensors, {}, &TensorView::name);
  Sha256 hash;
  hash.update(WireWriter()
                  .text("LPXMODEL")
                  .u8(1)
                  .u32(static_cast<std::uint32_t>(canonical_config.size()))
                  .text(canonical_config)
                  .bytes());
  for (const TensorView& tensor : tensors) {
    WireWriter out;
    out.u32(static_cast<std::uint32_t>(tensor.name.size())).text(tensor.name);
    out.u8(code_of(tensor)).u8(static_cast<std::uint8_t>(tensor.shape.size()));
    for (const std::int64_t size : tensor.shape) out.i64(size);
    if (tensor.type == h5::ValueType::f32) append_reals<float>(tensor, out);
    else if (tensor.type == h5::ValueType::f64) append_reals<double>(tensor, out);
    else out.raw(tensor.bytes);
    hash.update(out.bytes());
  }
  return hash.hex();
}

}  // namespace logpx::archive
