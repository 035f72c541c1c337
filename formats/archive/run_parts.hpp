// The members of a run as a decoder meets them: what comes next of each, and the plan of the blocks
// that hold it.   [logpx-archive(5)]
#pragma once

#include "formats/archive/run_plan.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace logpx::archive {

// A member, or its part in a run.
struct RunPart {
  Member member;
  std::uint64_t number = 0;  // in its archive, from 1
  MemberPlan plan;
  ContentWalk walk;                   // at what comes next of it
  std::uint64_t left = 0;             // bytes of content in this run
  std::uint64_t content = 0;          // in all runs so far
  bool goes_on = false;               // in the next run
  std::optional<Recipe> recipe = {};  // its steps take the place of the walk
  OpenLayers layers = {};             // before what comes next of it
  OpenLayers layers_after = {};       // its part in this run
  std::size_t step = 0;               // of the recipe, that comes next
};

// The file size of a complete member; for pixels, that of the file that they came from.
[[nodiscard]] std::uint64_t file_bytes(const RunPart& part);

// A run for a decoder: `parts` and the plan of their blocks. A data error if the table does not
// follow the run before; `open` is the member of that run that goes on.
struct OpenedRun {
  std::vector<RunPart> parts;
  RunPlan plan;
  bool carries = false;                                   // the first member began before
  CodedDecisions carried_decisions = {}, decisions = {};  // in this order in their lot
};
[[nodiscard]] OpenedRun open_run(Run run, const CodingUnits& units, std::optional<RunPart> open,
                                 std::uint64_t members_before);

}  // namespace logpx::archive
