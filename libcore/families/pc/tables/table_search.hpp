// Chooses what the circuit of a table is made of, by rows that are held back: hidden states,
// pseudocounts, how long it trains, and what each part is worth.   [pc/README 4.7]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/family.hpp"
#include "libcore/families/pc/tables/table_choice.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace logpx::pc {

struct TableSearch {
  Workers& workers;
  Rng rng;
  // What trains these parts on these rows.
  std::function<Trainee(const TableChoice&, const TaskData&)> make;
  std::function<void(const std::string&)> say = {};
};

// Completes a choice whose settled members are taken as they are.
[[nodiscard]] TableChoice choose_table(const TableChoice& first, const TableOpen& open,
                                       const TaskData& data, const TableSearch& search);

}  // namespace logpx::pc
