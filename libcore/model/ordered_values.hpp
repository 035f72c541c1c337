// Words and letters have neither order nor distance. A likelihood of numbers would be meaningless
// for them, so trainers refuse it; models that were trained before are still read.
#pragma once

#include "libcore/model/data_reading.hpp"

#include <string>

namespace logpx {

// Usage errors for words under any likelihood of numbers, and for symbols under a density.
void require_order(const DataReading& reading, const DataReading::Chosen& likelihood,
                   const DatasetInfo& data);
// The second check alone, for anything else that gives a density: `option` asked for it.
void refuse_density_of_symbols(const DatasetInfo& data, const std::string& option,
                               const std::string& hint);

}  // namespace logpx
