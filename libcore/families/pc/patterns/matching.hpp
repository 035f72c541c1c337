// Rows of a chain that an automaton accepts: how probable they are, and draws of them.
//   [pc/README 9.11]
#pragma once

#include "libcore/families/pc/passes/plan.hpp"
#include "libcore/model/automaton.hpp"
#include "libcore/model/matching_rows.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx::pc {

// Why a circuit reads no automaton of this many symbols; empty if it does.
[[nodiscard]] std::string refuse_automaton(const Circuit& circuit, std::int64_t symbols);

class Matching final : public MatchingRows {
 public:
  using Weights = std::shared_ptr<const std::vector<double>>;
  // Numbers that a way down keeps of all steps; beyond, it computes parts of them again.
  static constexpr std::int64_t usually_kept = std::int64_t{1} << 25;
  // The circuit is not a refused one; plan and automaton outlive this.
  Matching(const PassPlan& plan, Weights theta, const Automaton& automaton,
           std::int64_t most_kept = usually_kept)
      : plan_(plan), theta_(std::move(theta)), automaton_(automaton), most_kept_(most_kept) {}

  [[nodiscard]] std::vector<double> log_p(const Evidence& rows) const override;
  [[nodiscard]] std::vector<FilledRows> fill(const Evidence& rows, Rng rng,
                                             DrawRange draws) const override;

 private:
  struct Draws {
    Rng rng;
    DrawRange range;
    std::vector<FilledRows> filled = {};  // of each
  };
  // Rows begin to end - 1 are alike: one goes up for all.
  void fill_alike(const Evidence& rows, std::int64_t begin, std::int64_t end, Draws& draws) const;

  const PassPlan& plan_;
  Weights theta_;
  const Automaton& automaton_;
  std::int64_t most_kept_;
};

}  // namespace logpx::pc
