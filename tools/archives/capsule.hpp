// A model inside an archive: family, config, data description and tensors; weights have 32 bits, or
// 16 that are widened exactly.   [logpx-archive(5)]
#pragma once

#include "formats/archive/wire.hpp"
#include "libcore/model/model.hpp"

#include <memory>

namespace logpx::compress {

enum class CapsulePrecision { whole, half };  // half: every f32 parameter as binary16

[[nodiscard]] archive::ByteVector make_capsule(Model& model, CapsulePrecision precision);
// A data error for bytes that make_capsule cannot have made, and for weights that are not finite.
[[nodiscard]] std::unique_ptr<Model> open_capsule(archive::ByteView bytes);

}  // namespace logpx::compress
