// log p(x) of rows: each from its own beginning, or all joined into a few long sequences; or a
// lower bound from few hidden states.   [pc/README 9.1, 11]
#pragma once

#include "libcore/model/plan.hpp"
#include "libcore/model/state_pruning.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace logpx::pc {

class PcModel;

inline constexpr const char* exact_method = "exact";

struct ScoringKnobs {
  std::string eval = "chunk";  // or stream:S
  StatePruning pruning;
  void describe(Fields& fields);
  [[nodiscard]] std::int64_t streams() const;  // 0: chunk; a usage error for other words
};

[[nodiscard]] std::unique_ptr<ScoringPlan> exact_scoring(const PcModel& model);

}  // namespace logpx::pc
