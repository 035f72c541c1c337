// Rows of a model of sequences that an automaton accepts, from their first value to their last: how
// probable they are, and draws of them. An answer of ModelQueries.   [pc/README 9.11]
//
//   const std::unique_ptr<MatchingRows> whale = can.queries->matching(automaton);
//   const std::vector<double> nats = whale->log_p(unknown_row(60));
#pragma once

#include "libcore/model/queries.hpp"

#include <cstdint>
#include <vector>

namespace logpx {

// Draws number first to end - 1.
struct DrawRange {
  std::uint32_t first = 0, end = 1;
};

class MatchingRows {
 public:
  virtual ~MatchingRows() = default;
  // log p(the values that are present, and the whole row is accepted); -inf if that cannot be.
  [[nodiscard]] virtual std::vector<double> log_p(const Evidence& rows) const = 0;
  // Several draws as ModelQueries::fill makes them, among rows that are accepted; nats are those of
  // log_p().
  [[nodiscard]] virtual std::vector<FilledRows> fill(const Evidence& rows, Rng rng,
                                                     DrawRange draws) const = 0;
};

}  // namespace logpx
