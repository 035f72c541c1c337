#include "libcore/train/step.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/train/memory_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace logpx {
namespace {

std::int64_t local_share(std::int64_t shards, int ranks) {
  if (shards % ranks != 0)
    fail(ErrorKind::usage, "mpirun -n " + std::to_string(ranks),
         "the " + std::to_string(shards) + " shards of a batch cannot be dealt to " +
             std::to_string(ranks) + " ranks",
         "--shards " + std::to_string(ranks));
  return shards / ranks;
}

std::string some_rows(std::span<const std::int64_t> rows) {
  std::string text;
  for (const std::int64_t row : rows.first(std::min<std::size_t>(rows.size(), 4)))
    text += (text.empty() ? "rows " : ", ") + std::to_string(row);
  return text + (rows.size() > 4 ? " ..." : "");
}

}  // namespace

StepRunner::StepRunner(TrainingTask& task, const TrainOptions& options,
                       const TrainingMachine& machine)
    : task_(task),
      options_(options),
      machine_(machine),
      optimizer_(task.params(), options.optimizer, task.groups()),
      shards_(shards_of(task, options)),
      local_shards_(local_share(shards_, machine.ranks.size())),
      first_shard_(local_shards_ * machine.ranks.rank()) {
  const Shape block{task.params().block_size()};
  const std::int64_t step_rows = std::min(options.batch * options.accumulate, task.rows());
  std::size_t most_sums = 0;
  for (Phase* phase : task.phases()) {
    const PhaseSettings& settings = phase->settings();
    const std::size_t sums =
        settings.terms.size() + at(settings.extra_sums) + at(settings.sums_per_row * step_rows);
    phases_.push_back(
        {phase, optimizer_.select(settings.moves), std::vector<double>(sums), term_names_.size()});
    term_names_.insert(term_names_.end(), settings.terms.begin(), settings.terms.end());
    most_sums = std::max(most_sums, sums);
    if (settings.gradient && blocks_.empty())
      for (std::int64_t s = 0; s < local_shards_; ++s) blocks_.emplace_back(block);
    if (settings.gradient && settings.update == Update::none) pending_ = Tensor<float>(block);
  }
  terms_.resize(term_names_.size());
  shard_sums_.resize(at(local_shards_) * most_sums);
  work_.reserve(at(options.accumulate));
  if (options.accumulate > 1) counter_ = TreeCounter(block[0], options.accumulate);
  if (options.averaging().on()) {
    average_ = Tensor<float>(block, task.params().block());
    list_followed();
  }
}

// What only updates of a phase's own and TrainingTask::updated can change.
void StepRunner::list_followed() {
  constexpr std::int64_t range_elements = 1 << 14;
  const std::vector<ParamInfo>& infos = task_.params().infos();
  std::vector<bool> optimised(infos.size());
  for (const Running& running : phases_)
    if (running.phase->settings().update == Update::optimizer)
      for (const int tensor : running.moves.tensors()) optimised[at(tensor)] = true;
  for (std::size_t tensor = 0; tensor < infos.size(); ++tensor) {
    const std::int64_t end = infos[tensor].offset + infos[tensor].shape.elements();
    if (optimised[tensor]) continue;
    for (std::int64_t begin = infos[tensor].offset; begin < end; begin += range_elements)
      followed_.push_back({static_cast<int>(tensor), begin, std::min(begin + range_elements, end)});
  }
}

StepReport StepRunner::run(const StepPlace& place, const StepRows& rows, double rate) {
  StepReport report;
  has_pending_ = false;
  for (Running& running : phases_)
    for (int repeat = 0; repeat < running.phase->settings().repeat; ++repeat) {
      StepPlace here = place;
      here.rows = std::ssize(rows.rows);
      here.repeat = repeat;
      list_work(running, here, rows);
      run_phase(running);
      report.trouble = trouble_in_terms(running);
      if (!report.trouble.empty()) return report;
      running.phase->finish(here, {gradient_, running.sums});
      update(running, here, rate, report);
      if (!report.trouble.empty()) return report;
    }
  task_.updated(place, optimizer_);
  follow(place);
  return report;
}

void StepRunner::follow(const StepPlace& place) {
  const auto rate = static_cast<float>(1 - options_.averaging().decay_at(place.step));
  const std::span<const float> theta = task_.params().block();
  const auto task = [&](std::int64_t r) {
    for (std::int64_t i = followed_[at(r)].begin; i < followed_[at(r)].end; ++i)
      average_[i] += rate * (theta[at(i)] - average_[i]);
  };
  machine_.workers.run(std::ssize(followed_), std::ref(task));
}

void StepRunner::list_work(const Running& running, const StepPlace& place, const StepRows& rows) {
  work_.clear();
  if (const std::int64_t items = running.phase->settings().items; items > 0) {
    work_.push_back({{place, rows.first_batch, 0, rows.rows}, items, items, false});
    return;
  }
  for (std::int64_t begin = 0; begin < place.rows; begin += options_.batch) {
    const std::int64_t count = std::min(options_.batch, place.rows - begin);
    work_.push_back({{place, rows.first_batch + begin / options_.batch, begin,
                      rows.rows.subspan(at(begin), at(count))},
                     count,
                     place.rows,
                     true});
  }
}

void StepRunner::run_phase(Running& running) {
  last_ = &running;
  std::ranges::fill(running.sums, 0.0);
  const bool gradient = running.phase->settings().gradient, several = work_.size() > 1;
  counter_.clear();
  for (const Work& work : work_) {
    running.phase->begin(work.batch);
    sum_shards(running, work);
    for (std::size_t t = 0; t < running.sums.size(); ++t) running.sums[t] += shard_sums_[t];
    if (gradient && several) counter_.add(blocks_[0].span(), machine_.workers);
  }
  gradient_ = {};
  if (gradient) gradient_ = several ? counter_.sum(machine_.workers) : blocks_[0].span();
  if (gradient && has_pending_) {
    add_block(pending_.span(), gradient_, machine_.workers);
    gradient_ = pending_.span();
  }
  std::copy_n(running.sums.begin(), running.phase->settings().terms.size(),
              terms_.begin() + static_cast<std::ptrdiff_t>(running.first_term));
}

void StepRunner::sum_shards(Running& running, const Work& work) {
  const auto task = [&](std::int64_t local) { run_shard(running, work, local); };
  machine_.workers.run(local_shards_, std::ref(task));
  if (running.phase->settings().gradient) {
    tree_sum(blocks_, machine_.workers);
    machine_.ranks.sum(blocks_[0].span());
  }
  const std::int64_t sums = std::ssize(running.sums);
  tree_sum(shard_sums_, local_shards_, sums);
  machine_.ranks.sum(std::span(shard_sums_).first(at(sums)));
}

void StepRunner::run_shard(const Running& running, const Work& work, std::int64_t local) {
  const ShardSums sums = sums_of(running, local);
  const det::FpEnvironment plain;
  std::ranges::fill(sums.terms, 0.0);
  const Shard shard = shard_of(work, local);
  if (shard.count > 0) running.phase->run(shard, task_.params().block(), sums);
  else std::ranges::fill(sums.gradient, 0.0F);
}

Shard StepRunner::shard_of(const Work& work, std::int64_t local) const {
  const std::int64_t s = first_shard_ + local;
  const std::int64_t begin = shard_begin(s, work.count, shards_);
  const std::int64_t count = shard_begin(s + 1, work.count, shards_) - begin;
  return {work.batch.place,
          work.batch.first + begin,
          begin,
          count,
          work.step_count,
          work.of_rows ? work.batch.rows.subspan(at(begin), at(count))
                       : std::span<const std::int64_t>()};
}

ShardSums StepRunner::sums_of(const Running& running, std::int64_t local) {
  const std::size_t sums = running.sums.size();
  return {running.phase->settings().gradient ? blocks_[at(local)].span() : std::span<float>(),
          std::span(shard_sums_).subspan(at(local) * sums, sums)};
}

std::string StepRunner::trouble_in_terms(const Running& running) const {
  const std::vector<std::string>& names = running.phase->settings().terms;
  for (std::size_t t = 0; t < names.size(); ++t)
    if (!std::isfinite(running.sums[t])) return "loss is not finite (term: " + names[t] + ")";
  return "";
}

void StepRunner::update(Running& running, const StepPlace& place, double rate, StepReport& report) {
  switch (running.phase->settings().update) {
    case Update::none:
      if (!running.phase->settings().gradient) return;
      if (!has_pending_) std::ranges::copy(gradient_, pending_.data());
      has_pending_ = true;
      return;
    case Update::own:
      return running.phase->update(place, {gradient_, running.sums}, machine_.workers);
    case Update::optimizer: return move(running, place, rate, report);
  }
}

void StepRunner::move(const Running& running, const StepPlace& place, double rate,
                      StepReport& report) {
  report.norm = optimizer_.norm(running.moves, gradient_, machine_.workers);
  has_pending_ = false;
  if (!std::isfinite(report.norm)) {
    report.trouble = "the norm of the gradient is not finite";
    return;
  }
  const Clipping clipping = options_.clipping();
  const UpdateRates rates{.rate = rate,
                          .clip_scale = clipping.scale(report.norm),
                          .clip_value = options_.clip_value,
                          .average_decay = options_.averaging().decay_at(place.step)};
  optimizer_.step(running.moves, {task_.params().block(), gradient_, average_.span()}, rates,
                  machine_.workers);
}

std::string StepRunner::find_trouble() {
  LOGPX_ASSERT(last_ != nullptr);
  for (const Work& work : work_) {
    last_->phase->begin(work.batch);
    for (std::int64_t local = 0; local < local_shards_; ++local) {
      const Shard shard = shard_of(work, local);
      if (shard.count == 0) continue;
      const ShardSums sums = sums_of(*last_, local);
      const std::string found = last_->phase->find_trouble(shard, task_.params().block(), sums);
      if (found.empty()) continue;
      return shard.rows.empty() ? found : some_rows(shard.rows) + ": " + found;
    }
  }
  return "";
}

}  // namespace logpx
