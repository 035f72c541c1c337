#include "libcore/train/loop.hpp"

#include "libcore/base/clock.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/train/kept_chunks.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>

namespace logpx {
namespace {

// 1.1 epochs of 10 steps are 11 steps, not 11.000000000000002.
constexpr double step_rounding = 1e-9;

const std::string best_prefix = "loop/best/", probe_name = "loop/lr_probe";

bool holds(const std::vector<TensorRef>& tensors, const std::string& prefix) {
  return std::ranges::any_of(tensors,
                             [&](const TensorRef& t) { return t.name.starts_with(prefix); });
}

// Leaves out what only one of the two runs has by its settings (--force-resume).
std::vector<TensorRef> in_both(std::vector<TensorRef> tensors,
                               const std::vector<TensorRef>& others) {
  for (const std::string& prefix : {best_prefix, probe_name})
    if (!holds(others, prefix))
      std::erase_if(tensors, [&](const TensorRef& t) { return t.name.starts_with(prefix); });
  return tensors;
}

std::vector<TensorRef> tensors_of(const ParamSet& params, std::span<float> block) {
  std::vector<TensorRef> tensors;
  for (int i = 0; i < params.count(); ++i) {
    const ParamInfo& info = params.infos()[static_cast<std::size_t>(i)];
    tensors.push_back(TensorRef::of(info.name, params.view(i, block).span(), info.shape));
  }
  return tensors;
}

MemoryTerms memory_terms(const TrainingMachine& machine, std::int64_t limit) {
  return {.threads = machine.workers.threads(), .ranks = machine.ranks.size(), .limit = limit};
}

EpochOrder order_of(const TrainingTask& task, const TrainOptions& options, std::uint64_t seed) {
  const auto last = task.drops_short_steps() ? EpochOrder::Short::drop : EpochOrder::Short::keep;
  return {task.rows(), options.batch * options.accumulate, last, seed, chunks_of(task)};
}

std::int64_t steps_of(const TrainingTask& task, const TrainOptions& options,
                      const EpochOrder& order) {
  if (options.steps) return *options.steps;
  const std::int64_t per_row = task.samples_per_row();
  if (options.samples_seen) return order.steps_for((*options.samples_seen + per_row - 1) / per_row);
  const auto per_epoch = static_cast<double>(order.steps_per_epoch());
  return static_cast<std::int64_t>(std::ceil(options.epochs * per_epoch - step_rounding));
}

}  // namespace

TrainingLoop::TrainingLoop(TrainingTask& task, const TrainOptions& options,
                           const TrainingMachine& machine, LoopSettings settings)
    : task_(task),
      options_(options),
      machine_(machine),
      settings_(std::move(settings)),
      memory_((options.validate(),
               settle_memory(task, options, memory_terms(machine, settings_.memory)))),
      runner_(task, options, machine),
      order_(order_of(task, options, settings_.seed)),
      chunks_(chunks_tensor(task)),
      run_steps_(steps_of(task, options, order_)),
      total_steps_(run_steps_ * task.runs()),
      schedule_(options.schedule(run_steps_)),
      started_(wall_seconds()),
      evaluated_at_(started_),
      saved_at_(started_),
      sums_(Shape{std::ssize(runner_.term_names()) + 1}) {
  counter(best_step) = counter(line_step) = -1;
  if (options_.keep_best) best_.take(weights_and_state());
  if (options_.lr.automatic()) probed_ = Tensor<double>({std::ssize(options_.lr_candidates), 2});
  require_metrics();
  if (!settings_.stop_asked) settings_.stop_asked = [](std::int64_t) { return stop::requested(); };
}

Checkpoint TrainingLoop::checkpoint() {
  ParamSet& params = task_.params();
  Checkpoint content{.seed = settings_.seed,
                     .step = step_,
                     .epoch = order_.epoch_of(step_),
                     .samples = samples_at(step_),
                     .seconds = training_seconds(),
                     .raw = tensors_of(params, params.block())};
  if (!runner_.average().empty()) content.ema = tensors_of(params, runner_.average());
  if (runner_.optimizer() != nullptr) content.slots = runner_.optimizer()->slots();
  content.state = task_.state();
  content.state.push_back(TensorRef::of("loop/counters", counters_));
  content.state.push_back(TensorRef::of("loop/sums", sums_));
  if (probed_.size() > 0) content.state.push_back(TensorRef::of(probe_name, probed_));
  if (chunks_.size() > 0) content.state.push_back(TensorRef::of(chunks_name, chunks_));
  for (TensorRef& tensor : best_.refs(best_prefix)) content.state.push_back(std::move(tensor));
  return content;
}

std::vector<TensorRef> TrainingLoop::weights_and_state() {
  std::vector<TensorRef> tensors = {
      TensorRef::of("raw", task_.params().block(), {task_.params().block_size()})};
  if (const std::span<float> average = runner_.average(); !average.empty())
    tensors.push_back(TensorRef::of("ema", average, {std::ssize(average)}));
  for (TensorRef& tensor : task_.state()) {
    tensor.name = "state/" + tensor.name;
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

void TrainingLoop::restore(const Checkpoint& from) {
  require_same_chunks(task_, from);
  note_first_metric();
  const Checkpoint here = checkpoint();
  const bool had_best = holds(from.state, best_prefix);
  fill_tensors(here.raw, from.raw);
  fill_tensors(here.ema, from.ema);
  fill_tensors(here.slots, from.slots);
  fill_tensors(in_both(here.state, from.state), in_both(from.state, here.state));
  if (options_.keep_best && !had_best) counter(best_step) = -1;  // nobody kept its weights
  step_ = from.step;
  seconds_before_ = from.seconds;
  take_best_rate();
}

std::span<const float> TrainingLoop::weights() {
  if (runner_.average().empty()) return task_.params().block();
  return runner_.average();
}

double TrainingLoop::epochs_at(std::int64_t step) const {
  return static_cast<double>(step) / static_cast<double>(order_.steps_per_epoch());
}

std::int64_t TrainingLoop::samples_at(std::int64_t step) const {
  return order_.samples_before(step) * task_.samples_per_row();
}

std::optional<double> TrainingLoop::rate_at(std::int64_t step) const {
  const std::int64_t of_run = step % std::max<std::int64_t>(run_steps_, 1);
  return task_.reads().rate ? std::optional(schedule_.rate(of_run)) : std::nullopt;
}

// The term `loss`, else the first one.
double TrainingLoop::shown_loss() const {
  const std::vector<std::string>& names = runner_.term_names();
  const auto found = std::ranges::find(names, "loss") - names.begin();
  if (names.empty()) return 0;
  return runner_.terms()[found < std::ssize(names) ? static_cast<std::size_t>(found) : 0];
}

StepReport TrainingLoop::make_step() {
  if (between_runs()) task_.begin_run(step_ / run_steps_);
  const double begin = wall_seconds();
  const StepReport report = run_step(order_.rows_of(step_));
  pace_.add_step(wall_seconds() - begin);
  return report;
}

StepReport TrainingLoop::run_step(std::span<const std::int64_t> rows) {
  const StepPlace place{.seed = settings_.seed,
                        .step = step_ % run_steps_,
                        .epoch = order_.epoch_of(step_),
                        .steps = run_steps_};
  if (RowStore* const store = task_.store(); store != nullptr) store->hold(rows);
  return runner_.run(place, {rows, step_ % order_.steps_per_epoch() * options_.accumulate},
                     schedule_.rate(place.step));
}

bool TrainingLoop::between_runs() const {
  return step_ > 0 && step_ < total_steps_ && step_ % run_steps_ == 0;
}

void TrainingLoop::one_step() {
  const StepReport report = make_step();
  if (!report.trouble.empty()) return give_up_or_skip(report.trouble);
  norm_ = report.norm;
  const std::span<const double> terms = runner_.terms();
  for (std::size_t t = 0; t < terms.size(); ++t) sums_.span()[t] += terms[t];
  sums_.span().back() += norm_;
  counter(summed) += 1;
}

void TrainingLoop::give_up_or_skip(const std::string& trouble) {
  if (counter(skipped) < static_cast<double>(options_.skips_allowed())) {
    counter(skipped) += 1;
    return;
  }
  const std::string found = machine_.ranks.first_text(runner_.find_trouble());
  const std::string where = found.empty() ? "each shard alone is finite" : "first at " + found;
  const std::string saved =
      settings_.sink != nullptr ? settings_.sink->last_checkpoint() : std::string();
  const auto rate = rate_at(step_);
  fail(ErrorKind::numeric, "step " + std::to_string(step_),
       trouble + "; " + where + (rate ? "; learning rate " + to_text(*rate) : "") +
           (saved.empty() ? "; no checkpoint yet" : "; last good checkpoint: " + saved));
}

bool TrainingLoop::due(const Interval& interval, double last_seconds) const {
  if (interval.amount <= 0) return false;
  const auto crossed = [&](double before, double now) {
    return std::floor(now / interval.amount + step_rounding) >
           std::floor(before / interval.amount + step_rounding);
  };
  const auto samples = [&](std::int64_t step) { return static_cast<double>(samples_at(step)); };
  switch (interval.unit) {
    case Interval::Unit::steps:
      return crossed(static_cast<double>(step_ - 1), static_cast<double>(step_));
    case Interval::Unit::epochs: return crossed(epochs_at(step_ - 1), epochs_at(step_));
    case Interval::Unit::samples: return crossed(samples(step_ - 1), samples(step_));
    case Interval::Unit::seconds: break;
  }
  return wall_seconds() - last_seconds >= interval.amount;
}

// Clocks and signals may differ between ranks: rank 0's clock counts, and anyone's signal.
TrainingLoop::Events TrainingLoop::events() {
  const bool clock = machine_.ranks.first();
  const double limit = options_.max_seconds.seconds;
  const int asked = settings_.stop_asked(step_);
  std::array<double, 3 + stop::signals.size()> flags = {
      clock && due(settings_.checkpoint_every, saved_at_) ? 1.0 : 0.0,
      clock && due(options_.eval_every, evaluated_at_) ? 1.0 : 0.0,
      clock && limit > 0 && wall_seconds() - started_ >= limit ? 1.0 : 0.0};
  for (std::size_t i = 0; i < stop::signals.size(); ++i)
    if (asked == stop::signals[i]) flags[3 + i] = 1.0;
  machine_.ranks.sum(std::span<double>(flags));
  Events events{flags[0] > 0, flags[1] > 0, flags[2] > 0, 0};
  for (std::size_t i = 0; i < stop::signals.size() && events.signal == 0; ++i)
    if (flags[3 + i] > 0) events.signal = stop::signals[i];
  return events;
}

// Refuses options that need evaluations where there are none, before anything is written.
void TrainingLoop::require_metrics() {
  const char* option = options_.keep_best        ? "--keep-best"
                       : options_.patience > 0   ? "--patience"
                       : options_.lr.automatic() ? "--lr auto"
                                                 : nullptr;
  if (option == nullptr) return;
  if (task_.evaluate(weights(), machine_.workers, machine_.ranks).empty())
    fail(ErrorKind::usage, option, "needs an evaluation, and there are no validation data",
         "--valid FILE[:SPLIT]|R");
}

// Notes the metric that a run is compared with when it ends. Before restore() the task still holds
// its first weights.
void TrainingLoop::note_first_metric() {
  if (first_metric_) return;
  const double begin = wall_seconds();
  const Metrics metrics = task_.evaluate(weights(), machine_.workers, machine_.ranks);
  pace_.add_evaluation(wall_seconds() - begin);
  if (!metrics.empty()) first_metric_ = metrics.front().second;
}

// Worse than at the start, by more than what a few steps change by chance.
bool TrainingLoop::declined(double metric) const {
  if (!first_metric_) return false;
  const double chance = 0.01 * std::abs(*first_metric_);
  const double at_best = task_.aim() == Aim::minimise ? metric - chance : metric + chance;
  return !std::isfinite(metric) || better(*first_metric_, at_best);
}

bool TrainingLoop::better(double value, double than) const {
  return task_.aim() == Aim::minimise ? value < than : value > than;
}

void TrainingLoop::evaluate() {
  metrics_ = task_.evaluate(weights(), machine_.workers, machine_.ranks);
  evaluated_at_ = wall_seconds();
  if (metrics_.empty()) return;
  const double now = metrics_.front().second;
  if (std::isfinite(now) && (counter(best_step) < 0 || better(now, counter(best)))) {
    if (options_.keep_best) best_.take(weights_and_state());
    counter(best) = now;
    counter(best_step) = static_cast<double>(step_);
    counter(worse) = 0;
  } else {
    counter(worse) += 1;
  }
}

double TrainingLoop::training_seconds() const {
  return seconds_before_ + wall_seconds() - started_;
}

void TrainingLoop::append_line(const Metrics& metrics) {
  const double steps = std::max(1.0, counter(summed));
  HistoryLine line{.step = step_,
                   .epoch = epochs_at(step_),
                   .samples = samples_at(step_),
                   .seconds = training_seconds(),
                   .values = {}};
  means_.clear();
  const std::vector<std::string>& names = runner_.term_names();
  for (std::size_t t = 0; t < names.size(); ++t)
    means_.emplace_back(names[t], sums_.span()[t] / steps);
  line.values = means_;
  if (runner_.optimizer() != nullptr)
    line.values.emplace_back("grad_norm", sums_.span().back() / steps);
  if (const auto rate = rate_at(std::max<std::int64_t>(step_ - 1, 0)))
    line.values.emplace_back("lr", *rate);
  line.values.insert(line.values.end(), metrics.begin(), metrics.end());
  std::ranges::fill(sums_.span(), 0.0);
  counter(summed) = 0;
  counter(line_step) = static_cast<double>(step_);
  if (settings_.sink != nullptr) settings_.sink->append(line);
}

void TrainingLoop::save() {
  if (settings_.sink != nullptr) settings_.sink->save(checkpoint());
  saved_at_ = wall_seconds();
}

bool TrainingLoop::out_of_patience() const {
  return options_.patience > 0 && counters_[worse] >= static_cast<double>(options_.patience);
}

void TrainingLoop::save_and_leave(int signal) {
  save();
  double saved[1] = {0};  // nobody leaves while rank 0 still writes
  machine_.ranks.sum(std::span<double>(saved));
  throw Interrupted(signal);
}

TrainingResult TrainingLoop::run() {
  note_first_metric();
  choose_rate();
  std::string stopped = "steps";
  while (step_ < total_steps_) {
    if (out_of_patience()) {
      stopped = "patience";
      break;
    }
    const double begin = wall_seconds();
    one_step();
    ++step_;
    foresee();
    const Events now = events();
    if (now.evaluate || between_runs()) {
      evaluate();
      append_line(metrics_);
    }
    if (now.signal != 0) save_and_leave(now.signal);
    if (now.checkpoint) save();
    if (settings_.sink != nullptr)
      settings_.sink->show({.step = step_,
                            .steps = total_steps_,
                            .epoch = epochs_at(step_),
                            .epochs = epochs_at(total_steps_),
                            .loss = shown_loss(),
                            .rate = rate_at(step_ - 1),
                            .step_seconds = wall_seconds() - begin});
    if (now.out_of_time && step_ < total_steps_) stopped = "max_seconds";
    if (stopped != "steps") break;
  }
  if (out_of_patience()) stopped = "patience";
  return finish(stopped);
}

TrainingResult TrainingLoop::finish(const std::string& stopped) {
  for (const float value : task_.params().block())
    if (!std::isfinite(value))
      fail(ErrorKind::numeric, "step " + std::to_string(step_), "a parameter is not finite");
  save();  // before an evaluation that a longer run would not make here: it may go on from this
  if (counter(line_step) != static_cast<double>(step_)) {
    evaluate();
    append_line(metrics_);
  } else if (metrics_.empty()) {  // resumed at the very end
    metrics_ = task_.evaluate(weights(), machine_.workers, machine_.ranks);
  }
  const bool keeps_best = options_.keep_best && counter(best_step) >= 0;
  if (keeps_best) best_.put_back();
  const double kept = metrics_.empty() ? 0 : keeps_best ? counter(best) : metrics_.front().second;
  return {.steps = step_,
          .samples = samples_at(step_),
          .skipped = static_cast<std::int64_t>(counter(skipped)),
          .epochs = epochs_at(step_),
          .seconds = wall_seconds() - started_,
          .stopped = stopped,
          .terms = means_,
          .metrics = metrics_,
          .best = counter(best),
          .best_step = static_cast<std::int64_t>(counter(best_step)),
          .kept_step = keeps_best ? static_cast<std::int64_t>(counter(best_step)) : step_,
          .rate = schedule_.base,
          .first_metric = first_metric_.value_or(0),
          .declined = !metrics_.empty() && declined(kept)};
}

}  // namespace logpx
