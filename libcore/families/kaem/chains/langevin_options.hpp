// How posteriors are sampled by Markov chains, alone or at several temperatures.
// [kaem/README 7]
#pragma once

#include "libcore/families/kaem/config.hpp"
#include "libcore/math/replica_exchange.hpp"

#include <cstdint>
#include <vector>

namespace logpx::kaem {

enum class Objective { mle, mle_pt, se };
enum class PosteriorKind { importance, encoder, ula, mala, automala };
enum class Support { extend, reflect, u_space };
enum class Precondition { none, diag, mixed };
enum class TiRule { left, right, trapezoid };
enum class SwapRule { random, alternating, off };

struct LangevinOptions {
  Objective objective = Objective::mle;
  PosteriorKind posterior = PosteriorKind::importance;
  std::int64_t steps = 40;
  double eta = 0.01, eta_min = 1e-5, eta_max = 1;
  std::int64_t unadjusted = 1;
  Precondition precondition = Precondition::mixed;
  Support support = Support::extend;
  bool persistent = false;
  std::int64_t temps = 5;
  PowerCourse power = {.start = 2, .end = 0.5};
  TiRule ti_rule = TiRule::trapezoid;
  SwapRule swap = SwapRule::random;
  std::int64_t swap_every = 1;
  SwapScope swap_scope = SwapScope::chain;
  std::int64_t grid_samples = 100;
  // Rows of an update, by --batch and --accumulate.
  std::int64_t update_rows = 100;

  void describe(Fields& fields);
  void validate(const PriorForm& form) const;

  [[nodiscard]] bool has_encoder() const { return posterior == PosteriorKind::encoder; }
  [[nodiscard]] bool has_chains() const {
    return posterior != PosteriorKind::importance && !has_encoder();
  }
  // Temperatures that chains are at: t_1 .. t_K, of which the last is 1.
  [[nodiscard]] std::int64_t rungs() const { return objective == Objective::mle ? 1 : temps; }
  // t_0 .. t_K of update `step` of `steps`.
  [[nodiscard]] std::vector<double> temperatures(std::int64_t step, std::int64_t steps) const;
  // Whether they follow a course that ends with the last update.
  [[nodiscard]] bool follows_length() const { return rungs() > 1 && power.start != power.end; }
  // How many of the last states of a chain are among the samples that grids follow.
  [[nodiscard]] std::int64_t kept_states() const;
};

// Which of the temperatures t_0 .. t_K the generator learns at, and what share each has: t = 1
// alone, or sum_k dt_k of the rule.   [kaem/README 7.4]
struct LearnedRungs {
  std::int64_t first = 0, count = 1;
};
[[nodiscard]] LearnedRungs learned_rungs(const LangevinOptions& options);
[[nodiscard]] std::vector<double> rung_shares(const LangevinOptions& options,
                                              std::span<const double> t);

}  // namespace logpx::kaem
