// Exact likelihoods of rows, and expected counts: one way up through the blocks and one way down,
// for a batch of columns at a time. A chain goes through its steps from the last to the first, and
// back again.   [Monarch sec. 4; pc/README 5, 6.1, 6.3]
//
//   Pass<float> pass(plan, {.columns = 128});
//   pass.log_p(theta, columns, log_p);            // nats
//   pass.add_slopes(theta, columns, log_p, slopes);
//   // expected counts of a parameter are theta * slope
//
// Where rows have styles and the columns do not name them, a row is computed once for each style,
// and its log p is that of the sum.
//
// One thread uses it at a time.
#pragma once

#include "libcore/families/pc/narrow/few_columns.hpp"
#include "libcore/families/pc/passes/slopes.hpp"
#include "libcore/families/pc/pruning/pruned_states.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// scaled: numbers with exponents. logarithms: slow, for comparison (reference/log_pass.hpp).
enum class Arithmetic { scaled, logarithms };

struct PassSettings {
  std::int64_t columns = 128;  // most columns of one batch
  // A chain keeps the message of every keep_every-th step and computes those between again on its
  // way back; 0: it keeps all.
  std::int64_t keep_every = 0;
  Over over = Over::sums;
  Arithmetic arithmetic = Arithmetic::scaled;  // used by log_p and add_slopes
  StatePruning pruning = {};                   // of log_p, which then is a lower bound
  // Slopes of what the root sums: of the log p of the whole, or of each part as if it were alone.
  Parts parts = Parts::mixed;
};

template <typename T>
class Pass {
 public:
  Pass(const PassPlan& plan, const PassSettings& settings);

  // log p of each column, -inf where it is impossible.
  void log_p(std::span<const T> theta, const Columns& columns, std::span<double> log_p);
  // The same, and adds d log p / d theta to the slopes, summed over columns with p above 0.
  void add_slopes(std::span<const T> theta, const Columns& columns, std::span<double> log_p,
                  std::span<T> slopes);

  // Runs one column of a chain as a filter: log p of every step given those before it, in the
  // memory of a few steps. After a step of probability 0 a new sequence begins.
  void predict(std::span<const T> theta, const Columns& columns, std::span<double> log_p);

  // Goes another way down, where every column has messages and slopes of its own: Work::few is
  // null. `slopes` may be empty if the way adds none to parameters.
  struct Parameters {
    std::span<const T> theta;
    std::span<T> slopes = {};
  };
  void descend(const Parameters& parameters, const Columns& columns, std::span<double> log_p,
               WayDown<T>& way);

  // Memory of a pass of this many steps that adds slopes.
  [[nodiscard]] static std::int64_t bytes(const PassPlan& plan, const PassSettings& settings,
                                          std::int64_t steps);

 private:
  using Run = Work<T>;
  using Ways = typename FewColumns<T>::Ways;
  enum class Use { up, down, slopes, filter };
  void go(const Parameters& parameters, const Columns& columns, std::span<double> log_p,
          WayDown<T>& way, Use use);
  void begin(const Columns& columns, Use use);
  void up(const Run& run, std::span<double> log_p);
  [[nodiscard]] bool hides_styles(const Columns& columns) const;
  void take_each_style(const Columns& columns, std::int64_t first, std::int64_t count);
  void sum_styles(std::span<double> log_p);
  void down(const Run& run, WayDown<T>& way);
  void step_up(const Run& run, std::int64_t step, int kept = -1);
  void step_down(const Run& run, std::int64_t step, WayDown<T>& way);
  void message_of(const Run& run, int b, std::int64_t step);
  void end_rows(int b, std::int64_t step);
  void read_root(const Run& run, std::span<double> log_p);
  void bind_step(std::int64_t step);
  [[nodiscard]] Run run_of(const Parameters& parameters);
  // The message that a chain hands on from a step.
  struct Carried {
    std::vector<T> y;
    std::vector<std::int64_t> exponent;
  };
  [[nodiscard]] Carried& kept(std::int64_t step);
  void bind(int b, Carried& to);

  const PassPlan& plan_;
  PassSettings settings_;
  const Columns* columns_ = nullptr;
  Use use_ = Use::up;
  std::int64_t every_ = 1;  // in this pass: all steps, or keep_every
  int kept_sum_ = -1;       // its messages are kept instead of those that the chain carries
  std::vector<std::int64_t> ending_ = {};  // by step: columns whose row ends there
  std::vector<Message<T>> messages_;
  std::vector<Carried> marks_, between_;
  std::array<Carried, 2> handed_;  // of this step and the next, where sums are kept
  Carried nothing_;                // from behind the last step
  std::vector<T> room_, scratch_;
  FewColumns<T> few_;
  PrunedStates<T> pruned_;
  Columns each_style_;                  // rows of unknown style, once for each style
  std::vector<double> joint_, shares_;  // log p(x, style) of these, and p(style | x)
};

}  // namespace logpx::pc
