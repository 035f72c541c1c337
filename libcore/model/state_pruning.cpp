#include "libcore/model/state_pruning.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"

namespace logpx {

void StatePruning::describe(Fields& f) {
  const auto none = [this] { return !on(); };
  const Condition some{[this] { return on(); }, "--prune-states above 0"};
  f.add("prune-states", states,
        "share of the hidden states to leave out, in each row those with the smallest messages; "
        "above 0 the result is a lower bound")
      .range(0, 1)
      .source("Monarch fig. 6")
      .unset_while(none)
      .rank(Rank::manual);
  f.add("prune-scope", scope,
        {{"step", PruneScope::step,
          "where one step of a sequence hands on to the next, or behind the products of a tree"},
         {"all", PruneScope::all, "also between the layers of sums, which costs far more nats"}},
        "where states are left out")
      .unset_while(none)
      .when(some)
      .rank(Rank::manual);
  f.add("prune-exec", exec,
        {{"dense", PruneExec::dense, "with them as zeros"},
         {"sparse", PruneExec::sparse,
          "without them: faster where sums are large and few states are left"}},
        "how sums are computed when states are left out; the report says in how many seconds")
      .unset_while(none)
      .when(some)
      .rank(Rank::manual);
}

void StatePruning::validate() const {
  if (states >= 1)
    fail(ErrorKind::usage, "--prune-states", "is 1, and no state would be left",
         "--prune-states 0.9");
}

}  // namespace logpx
