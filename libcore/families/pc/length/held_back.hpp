// Chooses how many steps training takes where no option does: they are doubled while held-out rows
// gain by it. Validation rows judge if there are any; else training rows are held back, fold by
// fold for small data, and all of them train in the end.   [pc/README 8]
#pragma once

#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/families/family.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace logpx::pc {

struct LengthSearch {
  Workers& workers;
  Rng rng;
  std::function<Trainee(const TaskData&)> make;  // what trains on these rows
  std::function<void(const std::string&)> say;   // progress messages; may be empty
};

// Steps for `trainee` on these rows: as its options say, or these doubled. The search takes a few
// seconds; it returns nothing where there are too few or too many rows.
[[nodiscard]] std::optional<std::int64_t> choose_steps(const Trainee& trainee, const TaskData& data,
                                                       const LengthSearch& search);

}  // namespace logpx::pc
