// Codes of rows by the probability flow: z_1, where a row is carried to without any noise, and
// back. Under the model they are standard normal.   [vdm/README 10.2]
#pragma once

#include "libcore/families/vdm/diffusion_model.hpp"
#include "libcore/model/row_codes.hpp"

#include <memory>

namespace logpx::vdm {

// A usage error when they are asked for of a model that works with a class alone.
[[nodiscard]] std::unique_ptr<RowCodes> make_flow_codes(const DiffusionModel& model);

}  // namespace logpx::vdm
