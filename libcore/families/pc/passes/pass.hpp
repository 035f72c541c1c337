// Exact likelihoods of rows, and expected counts: one way up through the blocks and one way down,
// for a batch of columns at a time. A chain goes through its steps from the last to the first, and
// back again.   [spec/pc.md sections 5, 6.1 and 6.4]
//
//   Pass<float> pass(plan, {.columns = 128});
//   pass.log_p(theta, columns, log_p);            // nats
//   pass.add_slopes(theta, columns, log_p, slopes);
//   // expected counts of a parameter are theta * slope
//
// Where rows have styles, and the columns do not say which, a row is worked on once for each of
// them, and its log p is that of the sum.
//
// One thread uses it at a time.
#pragma once

#include "libcore/families/pc/narrow/few_columns.hpp"
#include "libcore/families/pc/passes/way_down.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace logpx::pc {

// scaled: numbers with exponents. logarithms: slow, for comparison (reference/log_pass.hpp).
enum class Arithmetic { scaled, logarithms };

struct PassSettings {
  std::int64_t columns = 128;  // of one batch, at most
  // A chain keeps the message of every so many steps and computes those between again on its way
  // back; 0: it keeps all.
  std::int64_t keep_every = 0;
  Over over = Over::sums;
  Arithmetic arithmetic = Arithmetic::scaled;  // of log_p and add_slopes
};

template <typename T>
class Pass {
 public:
  Pass(const PassPlan& plan, const PassSettings& settings);

  // log p of each column, -inf where it is impossible.
  void log_p(std::span<const T> theta, const Columns& columns, std::span<double> log_p);
  // The same, and d log p / d theta added to the slopes, summed over the columns that are possible.
  void add_slopes(std::span<const T> theta, const Columns& columns, std::span<double> log_p,
                  std::span<T> slopes);

  // Of a chain, one column: log p of every step given those before it, as a filter goes through
  // them, so that a sequence of any length takes the memory of a few steps. Behind a step that
  // cannot be, a new sequence begins.
  void predict(std::span<const T> theta, const Columns& columns, std::span<double> log_p);

  // Another way down, in which every column has messages and slopes of its own: Work::few is null.
  // `slopes` may be empty where the way adds none to parameters.
  struct Parameters {
    std::span<const T> theta;
    std::span<T> slopes = {};
  };
  void descend(const Parameters& parameters, const Columns& columns, std::span<double> log_p,
               WayDown<T>& way);

  // Memory of a pass over so many columns and steps that adds slopes.
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
  // What a chain hands on from a step.
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
  std::int64_t every_ = 1;  // of this pass: all steps, or keep_every
  int kept_sum_ = -1;       // whose messages are kept in the place of those that the chain carries
  std::vector<std::int64_t> ending_ = {};  // columns whose row ends with a step, by step
  std::vector<Message<T>> messages_;
  std::vector<Carried> marks_, between_;
  std::array<Carried, 2> handed_;  // where sums are kept, what this step and the next carry
  Carried nothing_;                // behind the last step
  std::vector<T> room_, scratch_;
  FewColumns<T> few_;
  Columns each_style_;                  // rows whose style is hidden, once for each of them
  std::vector<double> joint_, shares_;  // log p(x, style) of these, and what each has of its row
};

}  // namespace logpx::pc
