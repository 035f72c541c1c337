// Which hidden states a likelihood is computed from: all of them, or only those with the largest
// messages, in each row anew. What the others would add is missing, so the result is a lower bound.
// [Monarch sec. 5, fig. 6; pc/README 9.1]
#pragma once

namespace logpx {

class Fields;

enum class PruneScope { step, all };
enum class PruneExec { dense, sparse };

struct StatePruning {
  double states = 0;  // the share of states that is left out
  PruneScope scope = PruneScope::step;
  PruneExec exec = PruneExec::dense;

  void describe(Fields& fields);
  void validate() const;  // a usage error if no state would be left
  [[nodiscard]] bool on() const { return states > 0; }
};

}  // namespace logpx
