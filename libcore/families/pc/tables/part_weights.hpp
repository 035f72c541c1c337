// What the parts of a table's circuit say of rows, and what each is worth.   [pc/README 4.7]
#pragma once

#include "libcore/families/pc/model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// log p of rows by one of the parts that the root sums.
[[nodiscard]] std::vector<double> log_p_of_part(PcModel& model, std::int64_t part,
                                                const Examples& rows);

// The weights with which the parts, given by what they say of each row, make these most probable.
[[nodiscard]] std::vector<double> mixing_weights(const std::vector<std::vector<double>>& nats);

}  // namespace logpx::pc
