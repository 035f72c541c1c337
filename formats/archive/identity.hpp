// The identity of a model, for an archive: the hash of its architecture and of exactly the weights
// that take part in coding. It differs from the hash of its file, which also holds times and
// optimiser state.
#pragma once

#include "formats/json/value.hpp"
#include "formats/named_tensors.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace logpx::archive {

// 64 hexadecimal digits. f32, f64 and i32 tensors in any order; -0 counts as 0; weights that are
// not finite are a data error.
[[nodiscard]] std::string model_identity(std::string_view canonical_config,
                                         std::vector<TensorView> tensors);

}  // namespace logpx::archive
