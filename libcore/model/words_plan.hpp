// Coding of tables in which some columns have fewer words than the table has levels.
#pragma once

#include "libcore/model/codec.hpp"
#include "libcore/model/levels_of_x.hpp"

#include <functional>
#include <memory>

namespace logpx {

// What a value of a column is coded as: one of all levels, or of the words that the column has.
enum class CodedValues { levels, words };

// Archives from before columns were told apart do not say, and use all levels; so does a plan until
// an encoder settles it. The plan from `make` may look at the values when it makes a scheme. If all
// dimensions have equally many values, the knob does not exist.
using PlanOfValues = std::function<std::unique_ptr<CodingPlan>(const CodedValues& values)>;
[[nodiscard]] std::unique_ptr<CodingPlan> plan_of_words(const LevelsOfX& levels,
                                                        const PlanOfValues& make);

}  // namespace logpx
