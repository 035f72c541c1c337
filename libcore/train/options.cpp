#include "libcore/train/options.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/math/conv.hpp"
#include "libcore/math/onednn.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace logpx {
namespace {

void describe_length(Fields& f, TrainOptions& o) {
  f.add("epochs", o.epochs, "passes over the training data")
      .about(
          "One pass shows every training row once. --steps and --samples-seen say the length in "
          "other units, and win over it.")
      .at_least(0);
  f.add("steps", o.steps, "training steps; overrides --epochs").at_least(0).rank(Rank::manual);
  f.add("samples-seen", o.samples_seen, "training rows to go through; overrides --epochs")
      .at_least(0)
      .rank(Rank::manual);
  f.add("max-seconds", o.max_seconds, "stop well after this time").external().rank(Rank::manual);
  f.add("batch", o.batch, "rows per minibatch")
      .about(
          "More rows make a step slower and its gradient less noisy. Where memory is short, "
          "--accumulate makes a step of several smaller minibatches.")
      .range(1, 1 << 24);
  f.add("accumulate", o.accumulate, "minibatches per step").range(1, 1 << 16).rank(Rank::manual);
}

void describe_rates(Fields& f, TrainOptions& o) {
  if (o.lr_candidates.empty()) {
    f.add("lr", o.lr.text, "learning rate").metavar("R");
  } else {
    std::vector<std::string> rates;
    for (const double rate : o.lr_candidates) rates.push_back(to_text(rate));
    f.add("lr", o.lr.text, "learning rate; auto probes " + join_text(rates, ", "))
        .metavar("R|auto");
    f.add("lr-probe", o.lr_probe, "steps with each rate that --lr auto probes")
        .at_least(1)
        .rank(Rank::manual);
  }
  f.add("lr-schedule", o.lr_schedule,
        {{"constant", Curve::constant, "stays"},
         {"cosine", Curve::cosine, "falls to --lr-final along half a cosine"},
         {"linear", Curve::linear, "falls to --lr-final along a line"},
         {"inverse-sqrt", Curve::inverse_sqrt, "falls with the root of the step"},
         {"step", Curve::step, "falls by a factor at --lr-milestones"},
         {"exponential", Curve::exponential, "falls to --lr-final by the same factor each step"},
         {"sigmoid", Curve::sigmoid, "falls to --lr-final along an S, mostly in the middle"}},
        "how the learning rate moves after the warm-up")
      .rank(Rank::manual);
  f.add("lr-warmup", o.lr_warmup, "steps of linear warm-up").at_least(0).rank(Rank::manual);
  f.add("lr-final", o.lr_final, "where cosine, linear, exponential and sigmoid end")
      .at_least(0)
      .rank(Rank::manual);
  f.add("lr-milestones", o.lr_milestones, "steps at which the step schedule falls")
      .rank(Rank::manual);
  f.add("lr-factor", o.lr_factor, "by how much it falls there").range(0, 1).rank(Rank::set_only);
}

void describe_optimiser(Fields& f, TrainOptions& o) {
  f.add("clip-norm", o.clip_norm, "largest global norm of the gradient; 0 is off")
      .about(
          "A gradient that is longer is shortened to this norm and keeps its direction, so that a "
          "few odd rows cannot throw the model off.")
      .at_least(0)
      .rank(Rank::manual);
  f.add("clip-value", o.clip_value, "largest element of the gradient; 0 is off")
      .at_least(0)
      .rank(Rank::set_only);
  o.optimizer.describe(f);
  f.group("training");
}

void describe_averages(Fields& f, TrainOptions& o) {
  f.add("ema", o.ema, "decay of the running average of the weights; 0 is off")
      .about(
          "Other tools take the averages, where a model has any, unless --weights raw says "
          "otherwise. 0.999 looks back some 1000 steps.")
      .range(0, 1)
      .rank(Rank::manual);
  f.add("ema-warmup", o.ema_warmup, "shorter averages in the first steps").rank(Rank::manual);
}

void describe_evaluation(Fields& f, TrainOptions& o) {
  f.add("valid", o.valid, "validation data, or the fraction of the rows held out")
      .about(
          "Validation rows are never learned from; they decide what --keep-best and --patience "
          "call better. A fraction such as 0.1 holds rows out of the training data, FILE:SPLIT "
          "names others.")
      .metavar("FILE[:SPLIT]|R")
      .shows_default("split valid");
  f.add("eval-every", o.eval_every, "how often to evaluate and write a line of history")
      .rank(Rank::manual);
  f.add("patience", o.patience, "stop after this many evaluations without a better one; 0 is never")
      .about("It counts evaluations, so that --eval-every decides how long that is.")
      .at_least(0)
      .rank(Rank::manual);
  f.add("keep-best", o.keep_best, "write the weights of the best evaluation").rank(Rank::manual);
  f.add("keep-last", o.keep_last, "write the weights of the last step, as is the default")
      .external()
      .rank(Rank::manual);
}

void describe_machine(Fields& f, TrainOptions& o) {
  f.add("on-nan", o.on_nan, "stop, or skip:N: leave out up to N steps that are not finite")
      .metavar("stop|skip:N")
      .rank(Rank::manual);
  f.add("shards", o.shards, "parts of a minibatch that are worked on apart, a power of two")
      .range(0, 1024)
      .shows_default("by the batch, 1 to 8")
      .rank(Rank::manual);
  if (o.reads.recomputation)
    f.add("recompute", o.recompute,
          {{"auto", Recompute::automatic, "where --memory asks for it"},
           {"on", Recompute::on, "keep little and compute it again: less memory"},
           {"off", Recompute::off, "keep everything: less time"}},
          "trade time for memory in the reverse pass")
        .external()
        .rank(Rank::manual);
  if (o.reads.convolutions)
    f.add("conv", o.conv,
          {{"auto", ConvolutionChoice::automatic, "onednn where the build has it"},
           {"onednn", ConvolutionChoice::onednn, "the library oneDNN: fast"},
           {"im2col", ConvolutionChoice::im2col, "as matrix products: in every build"}},
          "what computes convolutions of the training; auto is onednn where the build has it")
        .rank(Rank::manual);
  if (o.reads.convolutions)
    f.add("precision", o.precision,
          {{"auto", PrecisionChoice::automatic, "f32: bf16 is taken by wish only"},
           {"f32", PrecisionChoice::f32, "numbers of 24 bits throughout"},
           {"bf16", PrecisionChoice::bf16,
            "factors of products and convolutions are rounded to 8 bits, and summed in f32"}},
          "of what is multiplied: f32, or bf16 where the processor has it")
        .about(
            "bf16 makes convolutions faster on processors that multiply such numbers (logpx doctor "
            "says whether this one does); dense nets of a few hundred units gain nothing. Weights, "
            "sums and the optimiser stay f32, and so do all other tools. Try both on a short "
            "training and compare their validation curves before you trust a long one to it.")
        .rank(Rank::manual);
  f.add("numerics", o.numerics_choice,
        {{"fast", NumericsChoice::fast, "the fastest kernels of this machine"},
         {"det", NumericsChoice::det, "the same model on every machine, at about half the speed"}},
        "fast, or det: the same model on every machine")
      .about(
          "det is for a model that somebody else is to train again, byte for byte. Archives need "
          "it not: what is coded with a model of either kind decodes everywhere.")
      .rank(Rank::manual);
}

void validate_bf16(const TrainOptions& o) {
  const auto refuse = [](const char* reason) {
    fail(ErrorKind::usage, "--precision bf16", reason, "--precision f32");
  };
  if (o.numerics_choice == NumericsChoice::det) refuse("goes with --numerics fast only");
  if (o.conv == ConvolutionChoice::im2col)
    refuse("is computed by oneDNN, and --conv im2col goes without it");
  if (onednn_version().empty()) refuse("this build has no oneDNN");
  if (bf16_kernels().empty()) refuse("this processor does not multiply such numbers");
}

}  // namespace

LearningRate& LearningRate::operator=(double value) {
  text = to_text(value);
  return *this;
}

double LearningRate::value() const {
  const auto number = parse_real(text);
  if (!number || !(*number >= 0))
    fail(ErrorKind::usage, "--lr", "is " + text + ", expected a number of at least 0");
  return *number;
}

void TrainOptions::describe(Fields& f) {
  f.group("training");
  describe_length(f, *this);
  if (reads.rate) describe_rates(f, *this);
  if (reads.optimiser) describe_optimiser(f, *this);
  if (reads.averages) describe_averages(f, *this);
  describe_evaluation(f, *this);
  describe_machine(f, *this);
}

void TrainOptions::refuse_unread(const Fields& fields, const TrainReads& chosen) const {
  TrainOptions all, read;
  all.lr_candidates = read.lr_candidates = lr_candidates;
  read.reads = chosen;
  Fields known, taken;
  all.describe(known);
  read.describe(taken);
  for (const Field& field : fields.all())
    if (field.given() && known.find_key(field.key()) != nullptr &&
        taken.find_key(field.key()) == nullptr)
      fail(ErrorKind::usage, field.option(), "does nothing with " + chosen.way);
}

void TrainOptions::validate() const {
  optimizer.validate();
  if (lr.automatic() && lr_candidates.empty())
    fail(ErrorKind::usage, "--lr auto", "this tool has no rates to choose from", "--lr 0.001");
  if (steps && samples_seen)
    fail(ErrorKind::usage, "--samples-seen", "excludes --steps", "leave one out");
  if (keep_best && keep_last)
    fail(ErrorKind::usage, "--keep-last", "excludes --keep-best",
         "--set keep_best=false undoes what the settings say");
  if (shards != 0 && !std::has_single_bit(static_cast<std::uint64_t>(shards)))
    fail(ErrorKind::usage, "--shards", "must be a power of two, not " + std::to_string(shards));
  if (clip_norm > 0 && clip_value > 0)
    fail(ErrorKind::usage, "--clip-norm", "excludes --clip-value");
  if (!(ema < 1)) fail(ErrorKind::usage, "--ema", "must be below 1");
  if (numerics_choice == NumericsChoice::det && conv != ConvolutionChoice::automatic)
    fail(ErrorKind::usage, "--conv", "does nothing with --numerics det", "--conv auto");
  if (!convolution_available(convolution()))
    fail(ErrorKind::usage, "--conv onednn", "this build has no oneDNN", "--conv im2col");
  if (precision == PrecisionChoice::bf16) validate_bf16(*this);
  if (patience > 0 && eval_every.unit == Interval::Unit::seconds)
    fail(ErrorKind::usage, "--patience", "would depend on the clock with --eval-every in seconds",
         "--eval-every 1epochs");
  static_cast<void>(skips_allowed());
  schedule(1).validate();
}

Schedule TrainOptions::schedule(std::int64_t total_steps) const {
  return {.curve = lr_schedule,
          .base = lr.automatic() ? lr_candidates.at(0) : lr.value(),
          .last = lr_final,
          .warmup = lr_warmup,
          .total = total_steps,
          .factor = lr_factor,
          .milestones = lr_milestones};
}

Clipping TrainOptions::clipping() const {
  if (clip_norm > 0) return {Clipping::By::norm, clip_norm};
  if (clip_value > 0) return {Clipping::By::value, clip_value};
  return {};
}

Convolution TrainOptions::convolution() const {
  switch (conv) {
    case ConvolutionChoice::automatic: break;
    case ConvolutionChoice::onednn: return Convolution::onednn;
    case ConvolutionChoice::im2col: return Convolution::im2col;
  }
  return best_convolution();
}

Numerics TrainOptions::numerics() const {
  if (numerics_choice == NumericsChoice::det) return repeatable_numerics;
  if (precision == PrecisionChoice::bf16)
    return {.product = Product::bf16, .convolution = Convolution::bf16};
  return {.product = Product::blas, .convolution = convolution(), .functions = Functions::fast};
}

std::int64_t TrainOptions::skips_allowed() const {
  if (on_nan == "stop") return 0;
  const auto count = on_nan.starts_with("skip:") ? parse_integer(std::string_view(on_nan).substr(5))
                                                 : std::nullopt;
  if (!count || *count < 1)
    fail(ErrorKind::usage, "--on-nan", "is " + on_nan + ", expected stop or skip:N");
  return *count;
}

std::optional<double> TrainOptions::valid_fraction() const {
  const auto fraction = valid ? parse_real(*valid) : std::nullopt;
  if (fraction && !(*fraction >= 0 && *fraction < 1))
    fail(ErrorKind::usage, "--valid", "is " + *valid + ", expected a fraction from 0 to below 1");
  return fraction;
}

std::int64_t shard_count(std::int64_t batch, ShardGrain grain) {
  const auto parts = static_cast<std::uint64_t>(batch / static_cast<std::int64_t>(grain));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::bit_floor(parts)), 1, 8);
}

}  // namespace logpx
