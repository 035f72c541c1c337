// Coding by a model of a table that has columns with fewer words than the table has levels.
#pragma once

#include "libcore/model/codec.hpp"
#include "libcore/model/levels_of_x.hpp"

#include <functional>
#include <memory>

namespace logpx {

// What a value of a column is coded as: one of all levels, or of the words that the column has.
enum class CodedValues { levels, words };

// Archives that were made before columns were told apart say nothing, and have all levels: so does
// a plan, until an encoder settles it. What `make` gives may look at the values when it makes a
// scheme. Where all dimensions have as many values there is nothing to say.
using PlanOfValues = std::function<std::unique_ptr<CodingPlan>(const CodedValues& values)>;
[[nodiscard]] std::unique_ptr<CodingPlan> plan_of_words(const LevelsOfX& levels,
                                                        const PlanOfValues& make);

}  // namespace logpx
