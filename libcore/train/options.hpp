// The options that every training tool has, the same word in all.
#pragma once

#include "libcore/base/field.hpp"
#include "libcore/grad/optim.hpp"
#include "libcore/grad/schedule.hpp"
#include "libcore/math/repeatable.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class Fields;

enum class Recompute { automatic, on, off };
enum class ConvolutionChoice { automatic, onednn, im2col };
enum class PrecisionChoice { automatic, f32, bf16 };
enum class NumericsChoice { fast, det };

// A number, or "auto": the best of a few, by a probe.
struct LearningRate {
  std::string text = "0.001";

  LearningRate& operator=(double value);
  [[nodiscard]] bool automatic() const { return text == "auto"; }
  [[nodiscard]] double value() const;  // a usage error unless it is a number
};

// Which options a way of training reads, besides those of length, evaluation and machine.
struct TrainReads {
  bool rate = true;                   // --lr and its schedule
  bool optimiser = true;              // --optimizer with its knobs, --clip-norm, --clip-value
  bool averages = true;               // --ema, --ema-warmup
  bool recomputation = true;          // --recompute
  bool convolutions = true;           // --conv, --precision
  std::string way = "this training";  // for messages: "--algorithm em"
};

struct TrainOptions {
  // What a tool's ways of training read; it offers no other options. Set before describe().
  TrainReads reads = {};
  double epochs = 10;
  std::optional<std::int64_t> steps, samples_seen;  // each overrides epochs
  Duration max_seconds;                             // 0: no limit
  std::int64_t batch = 100, accumulate = 1;
  OptimizerOptions optimizer;
  LearningRate lr;
  // What `auto` chooses from; a tool that leaves it empty has no `auto`. Set before describe().
  std::vector<double> lr_candidates = {};
  std::int64_t lr_probe = 200;  // steps with each
  Curve lr_schedule = Curve::constant;
  double lr_final = 0, lr_factor = 0.1;
  std::int64_t lr_warmup = 0;
  std::vector<std::int64_t> lr_milestones;
  double clip_norm = 0, clip_value = 0;  // 0: off
  double ema = 0;                        // 0: off
  bool ema_warmup = false;
  std::optional<std::string> valid;  // FILE[:SPLIT] or a fraction of the training rows
  Interval eval_every{1, Interval::Unit::epochs};
  std::int64_t patience = 0;                  // evaluations without a better one; 0: never stops
  bool keep_best = false, keep_last = false;  // whose weights the model gets; neither: the last
  std::string on_nan = "stop";
  std::int64_t shards = 0;  // 0: by the batch
  Recompute recompute = Recompute::automatic;
  ConvolutionChoice conv = ConvolutionChoice::automatic;
  NumericsChoice numerics_choice = NumericsChoice::fast;
  PrecisionChoice precision = PrecisionChoice::automatic;

  void describe(Fields& fields);
  void validate() const;
  // A usage error for an option that was given on the command line to a way of training that does
  // not read it.
  void refuse_unread(const Fields& fields, const TrainReads& chosen) const;

  [[nodiscard]] Schedule schedule(std::int64_t total_steps) const;
  [[nodiscard]] Clipping clipping() const;
  [[nodiscard]] Convolution convolution() const;
  [[nodiscard]] Numerics numerics() const;
  [[nodiscard]] Averaging averaging() const { return {.decay = ema, .warmup = ema_warmup}; }
  [[nodiscard]] std::int64_t skips_allowed() const;            // of on_nan; 0: stop
  [[nodiscard]] std::optional<double> valid_fraction() const;  // when `valid` is a number
};

// At most so many rows, of the training and of the validation data each, are measured for the
// curves of a training.
inline constexpr std::int64_t curve_rows = 5000;

// How many rows a shard has at least: dense nets 32, convolution and attention 2.
enum class ShardGrain { dense = 32, heavy = 2 };

// S = clamp(2^floor(log2(M / grain)), 1, 8): never a matter of threads or ranks.
[[nodiscard]] std::int64_t shard_count(std::int64_t batch, ShardGrain grain);
// First of the rows of shard s of m rows cut into S: floor(s m / S).
[[nodiscard]] constexpr std::int64_t shard_begin(std::int64_t s, std::int64_t rows,
                                                 std::int64_t shards) {
  return s * rows / shards;
}

}  // namespace logpx
