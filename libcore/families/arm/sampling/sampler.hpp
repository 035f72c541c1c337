// Completes rows one dim after another: the policy chooses the dim, the classifier its value.
// [LO-ARM algorithm 2; arm/README 6.1]
//
//   OrderSampler sampler(predictor, rule, settings);
//   sampler.run(rows, rng, first);        // rows.x and rows.seen become whole
#pragma once

#include "libcore/base/rng.hpp"
#include "libcore/data/row_values.hpp"
#include "libcore/families/arm/orders/order_rule.hpp"
#include "libcore/families/arm/state_predictor.hpp"
#include "libcore/model/plan.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace logpx::arm {

// The likeliest few of several choices.

// Keeps the fewest probabilities, largest first (of equals the first), that sum to top_p, and
// divides them by their sum; the others become 0. 1: all stay as they are; 0: the largest alone.
void keep_nucleus(std::span<double> p, double top_p);

// Probabilities of logits at a temperature; 0: 1 for the largest (of equals the first).
void tempered(std::span<const double> logits, double temperature, std::span<double> p);

struct SamplerSettings {
  double top_p = 1, policy_top_p = 1;              // nuclei of values, and of dims
  double temperature = 1, policy_temperature = 1;  // of both
  std::int64_t parallel_steps = 0;                 // passes of the network; 0: one for every dim
};

// One dim that becomes known.
struct SampledStep {
  std::int64_t row = 0, step = 0;  // step: how many dims were chosen before it
  std::size_t dim = 0;
  std::int32_t value = 0;
  double value_p = 0, log_policy = 0;            // of the value and of the dim, as they were drawn
  double policy_entropy = 0, value_entropy = 0;  // nats
  std::span<const double> policy = {};           // p of every dim
  std::span<const double> entropies = {};        // of the value of every dim, nats; 0: known
  std::span<const double> values = {};           // p of every value of this dim
};

// What a watch of steps is told.
enum class Told { steps, all };  // all: the entropy of every dim as well

class OrderSampler {
 public:
  OrderSampler(const StatePredictor& predictor, OrderRule rule, const SamplerSettings& settings)
      : predictor_(predictor), rule_(rule), settings_(settings) {}

  struct Rows {
    std::span<std::int32_t> x;  // [rows, dims]; absent where there is no dim
    std::span<std::uint8_t> seen;
  };
  struct Watch {
    std::function<void(const SampledStep& step)> tell = {};
    Told told = Told::steps;
  };
  // Row i draws from the substreams of number first + i.
  void run(const Rows& rows, const Rng& rng, std::int64_t first, const Watch& watch) const;
  void run(const Rows& rows, const Rng& rng, std::int64_t first) const {
    run(rows, rng, first, {});
  }

 private:
  struct Drawing;  // the draws of one row in one state
  void advance(const StateView& state, const Drawing& drawing, const Rows& rows,
               const Watch& watch) const;
  // p of every value of a dim, as it is drawn from.
  void value_probabilities(const StateView& state, std::size_t dim, std::span<double> p) const;
  [[nodiscard]] std::vector<double> entropies_of(const StateView& state) const;
  [[nodiscard]] std::vector<std::size_t> choose_dims(std::span<const double> policy,
                                                     const Drawing& drawing) const;
  const StatePredictor& predictor_;
  OrderRule rule_;
  SamplerSettings settings_;
};

// What happened at every step of samples, as codes beside them: dims and values in the order in
// which they became known.
class TracedSteps {
 public:
  // Told::all: with the policy, the entropies and the values of every step. Dims are numbered as in
  // stored rows; those of a molecule as it has them: its atoms, then its own pairs. x [count, dims]
  // says how many.
  TracedSteps(const DatasetInfo& rows, const RowForm& form, std::span<const std::int32_t> x,
              Told told);
  void add(const SampledStep& step);
  // Appends the first `count` rows.
  void append_to(std::vector<SampleCode>& codes, std::int64_t count) const;

 private:
  [[nodiscard]] const std::vector<std::int32_t>& places_of(std::int64_t row) const;
  std::int64_t dims_, levels_;
  Told told_;
  std::vector<std::int64_t> atoms_;                           // of each row
  std::map<std::int64_t, std::vector<std::int32_t>> places_;  // of each dim, by number of atoms
  std::vector<std::int32_t> order_, value_;
  std::vector<float> value_prob_, policy_log_prob_, policy_entropy_, classifier_entropy_, policy_;
  std::vector<float> entropies_, values_;
};

}  // namespace logpx::arm
