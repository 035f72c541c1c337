// How many steps training takes where nobody says so: they are doubled for as long as rows that it
// does not see gain by that. Validation rows judge where there are any; else training rows are held
// back, small data in turn, and all of them train in the end.
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
  std::function<Trainee(const TaskData&)> make;  // what is trained, on these rows
  std::function<void(const std::string&)> say;   // what is tried, and with which rows; may be empty
};

// Of `trainee`, which is about to be trained on these rows: as many steps as its options say, or
// these doubled, within a few seconds; nothing where the rows are too few or too many for that.
[[nodiscard]] std::optional<std::int64_t> choose_steps(const Trainee& trainee, const TaskData& data,
                                                       const LengthSearch& search);

}  // namespace logpx::pc
