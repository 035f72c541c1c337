// Which leaves the columns of a table have.   [pc/README 4.7]
#pragma once

#include "libcore/base/choice.hpp"
#include "libcore/families/pc/leaves/choice.hpp"

#include <string>
#include <vector>

namespace logpx::pc {

// Values that the training rows lack, in columns of words or of few values: they have one entry
// together, or none.
enum class UnknownValues { together, error };

// Sets categories, values and measures of the variables, which are the columns, and returns the
// kinds of their leaves, unless `choice` names another one:
//   words, constants, and numbers of few values that each have rows enough   tables of their values
//   other whole numbers, dates                                               gaussians' masses
//   other numbers                                                            gaussians
// Which numbers are whole the kinds of the columns say, or the values where a file has no kinds.
// Throws where a kind does not fit the values.
[[nodiscard]] std::vector<LeafKind> choose_table_leaves(const LeafChoice& choice,
                                                        UnknownValues unknown, const Examples& rows,
                                                        std::vector<Variable>& variables);

}  // namespace logpx::pc
