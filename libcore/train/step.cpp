#include "libcore/train/step.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/train/memory_plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

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
      shards_(shards_of(task, options)),
      local_shards_(local_share(shards_, machine.ranks.size())),
      first_shard_(local_shards_ * machine.ranks.rank()) {
  if (uses_optimizer(task)) optimizer_.emplace(task.params(), options.optimizer, task.groups());
  const std::int64_t step_rows = std::min(options.batch * options.accumulate, task.rows());
  for (Phase* phase : task.phases()) add_phase(*phase, step_rows);
  const std::vector<bool> joining = joining_phases(task, options);
  for (std::size_t p = 0; p < phases_.size(); ++p) phases_[p].joins = joining[p];
  list_updates();
  make_room(step_rows);
}

void StepRunner::add_phase(Phase& phase, std::int64_t step_rows) {
  const PhaseSettings& settings = phase.settings();
  const ParamSet& params = task_.params();
  Running running;
  running.phase = &phase;
  running.sums.resize(settings.terms.size() + at(settings.extra_sums) +
                      at(settings.sums_per_row * step_rows));
  running.first_term = term_names_.size();
  running.in_flight = local_shards_;
  if (settings.gradient) {
    running.written = params.ranges(params.under(settings.writes));
    running.pieces = cut_pieces(running.written);
    running.in_flight = shards_in_flight(settings, local_shards_);
  }
  phases_.push_back(std::move(running));
  term_names_.insert(term_names_.end(), settings.terms.begin(), settings.terms.end());
}

// Lists what each update moves, among the tensors whose gradient its phase and those waiting for it
// have written.
void StepRunner::list_updates() {
  const ParamSet& params = task_.params();
  std::vector<bool> written(at(params.count()));
  for (Running& running : phases_) {
    const PhaseSettings& settings = running.phase->settings();
    if (settings.gradient)
      for (const int tensor : params.under(settings.writes)) written[at(tensor)] = true;
    if (settings.update == Update::none) continue;
    std::vector<int> all, moved;
    for (int tensor = 0; tensor < params.count(); ++tensor)
      if (written[at(tensor)]) all.push_back(tensor);
    for (const int tensor : params.under(settings.moves))
      if (written[at(tensor)]) moved.push_back(tensor);
    if (settings.update == Update::optimizer) {
      // Some phase must have written the gradient of what an update names.
      LOGPX_ASSERT(settings.gradient);
      LOGPX_ASSERT(settings.moves.empty() || moved.size() == params.under(settings.moves).size());
      running.moves = optimizer_->select_tensors(moved);
    }
    if (!settings.gradient) continue;
    const std::vector<BlockRange> joined = cut_pieces(params.ranges(all));
    for (Running& waiting : phases_)  // those before it that have no pieces yet
      if (waiting.joins && waiting.joined.empty()) waiting.joined = joined;
    written.assign(written.size(), false);
  }
}

void StepRunner::make_room(std::int64_t step_rows) {
  const Shape block{task_.params().block_size()};
  std::size_t most_sums = 0;
  std::int64_t blocks = 0, most_items = step_rows;
  for (const Running& running : phases_) {
    const PhaseSettings& settings = running.phase->settings();
    most_sums = std::max(most_sums, running.sums.size());
    most_items = std::max(most_items, settings.items);
    blocks = std::max(blocks, gradient_blocks(settings, local_shards_));
    if (running.joins && pending_.size() == 0) pending_ = Tensor<float>(block);
  }
  for (std::int64_t b = 0; b < blocks; ++b) blocks_.emplace_back(block);
  terms_.resize(term_names_.size());
  shard_sums_.resize(at(local_shards_) * most_sums);
  work_.reserve(at(options_.accumulate));
  counting_.resize(at(most_items));
  std::iota(counting_.begin(), counting_.end(), std::int64_t{0});
  extents_ = extents_of(task_);
  if (blocks > 0 && options_.accumulate > 1) counter_ = TreeCounter(block[0], options_.accumulate);
  if (!options_.averaging().on()) return;
  average_ = Tensor<float>(block, task_.params().block());
  list_followed();
}

// Lists what only Update::own and TrainingTask::updated can change.
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
  const StepRows ordered = in_order(rows);
  StepPlace here = place;
  here.rows = std::ssize(rows.rows);
  here.rate = rate;
  for (Running& running : phases_)
    for (int repeat = 0; repeat < running.phase->settings().repeat; ++repeat) {
      here.repeat = repeat;
      list_work(running, here, ordered);
      run_phase(running);
      report.trouble = trouble_in_terms(running);
      if (!report.trouble.empty()) return report;
      running.phase->finish(here, {gradient_, running.sums});
      update(running, here, rate, report);
      if (!report.trouble.empty()) return report;
    }
  task_.updated(here, optimizer());
  follow(place);
  return report;
}

// Sorts by (extent, place), so that a shard holds rows of about one length.
StepRows StepRunner::in_order(const StepRows& rows) {
  const auto count = std::ssize(rows.rows);
  if (extents_.empty()) return {rows.rows, rows.first_batch, std::span(counting_).first(at(count))};
  row_places_.assign(counting_.begin(), counting_.begin() + count);
  std::ranges::sort(row_places_, {}, [&](std::int64_t place) {
    return std::pair(extents_[at(rows.rows[at(place)])], place);
  });
  rows_.resize(at(count));
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = rows.rows[at(row_places_[i])];
  return {rows_, rows.first_batch, row_places_};
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
    work_.push_back({{place, rows.first_batch, 0, rows.rows, rows.places}, items, items, false});
    return;
  }
  for (std::int64_t begin = 0; begin < place.rows; begin += options_.batch) {
    const std::int64_t count = std::min(options_.batch, place.rows - begin);
    work_.push_back(
        {{place, rows.first_batch + begin / options_.batch, begin,
          rows.rows.subspan(at(begin), at(count)), rows.places.subspan(at(begin), at(count))},
         count,
         place.rows,
         true});
  }
}

void StepRunner::run_phase(Running& running) {
  last_ = &running;
  std::ranges::fill(running.sums, 0.0);
  const bool gradient = running.phase->settings().gradient, several = work_.size() > 1;
  if (gradient && several) counter_.clear(running.pieces);
  for (const Work& work : work_) {
    running.phase->begin(work.batch);
    sum_shards(running, work);
    for (std::size_t t = 0; t < running.sums.size(); ++t) running.sums[t] += shard_sums_[t];
    if (gradient && several) counter_.add(blocks_[0].span(), machine_.workers);
  }
  gradient_ = {};
  if (gradient) gradient_ = several ? counter_.sum(machine_.workers) : blocks_[0].span();
  if (running.joins) join(running);
  std::copy_n(running.sums.begin(), running.phase->settings().terms.size(),
              terms_.begin() + static_cast<std::ptrdiff_t>(running.first_term));
}

// Adds its gradient to the others that the same update takes.
void StepRunner::join(const Running& running) {
  if (!has_pending_) clear_block(pending_.span(), running.joined, machine_.workers);
  has_pending_ = true;
  add_block(pending_.span(), gradient_, running.pieces, machine_.workers);
  gradient_ = pending_.span();
}

void StepRunner::sum_shards(Running& running, const Work& work) {
  sum_part(running, work, {0, local_shards_, 0});
  for (const BlockRange& range : running.written)
    machine_.ranks.sum(blocks_[0].span().subspan(at(range.begin), at(range.end - range.begin)));
  const std::int64_t sums = std::ssize(running.sums);
  tree_sum(shard_sums_, local_shards_, sums);
  machine_.ranks.sum(std::span(shard_sums_).first(at(sums)));
}

// Sums in the tree over all shards, however many of them are worked on at once.
void StepRunner::sum_part(const Running& running, const Work& work, Part part) {
  if (part.count > running.in_flight) {
    const std::int64_t half = part.count / 2;
    sum_part(running, work, {part.first, half, part.block});
    sum_part(running, work, {part.first + half, half, part.block + 1});
    return add_block(blocks_[at(part.block)].span(), blocks_[at(part.block + 1)].span(),
                     running.pieces, machine_.workers);
  }
  const auto task = [&](std::int64_t i) {
    run_shard(running, work, part.first + i, part.block + i);
  };
  machine_.workers.run(part.count, std::ref(task));
  if (!running.phase->settings().gradient) return;
  tree_sum(std::span(blocks_).subspan(at(part.block), at(part.count)), running.pieces,
           machine_.workers);
}

void StepRunner::run_shard(const Running& running, const Work& work, std::int64_t local,
                           std::int64_t block) {
  const ShardSums sums = sums_of(running, local, block);
  const det::FpEnvironment plain;
  std::ranges::fill(sums.terms, 0.0);
  const Shard shard = shard_of(work, local);
  if (shard.count > 0) return running.phase->run(shard, task_.params().block(), sums);
  for (const BlockRange& range : sums.written)
    std::fill(sums.gradient.begin() + range.begin, sums.gradient.begin() + range.end, 0.0F);
}

Shard StepRunner::shard_of(const Work& work, std::int64_t local) const {
  const std::int64_t s = first_shard_ + local;
  const std::int64_t begin = shard_begin(s, work.count, shards_);
  const std::int64_t count = shard_begin(s + 1, work.count, shards_) - begin;
  Shard shard{.place = work.batch.place,
              .first = work.batch.first + begin,
              .batch_first = begin,
              .count = count,
              .step_count = work.step_count,
              .rows = {}};
  const auto part = [&](std::span<const std::int64_t> all) {
    return all.subspan(at(begin), at(count));
  };
  shard.places = part(work.of_rows ? work.batch.places : std::span<const std::int64_t>(counting_));
  if (!work.of_rows) return shard;
  shard.rows = part(work.batch.rows);
  if (!extents_.empty() && count > 0) shard.extent = extents_[at(shard.rows.back())];
  return shard;
}

ShardSums StepRunner::sums_of(const Running& running, std::int64_t local, std::int64_t block) {
  const std::size_t sums = running.sums.size();
  ShardSums of_shard{.gradient = {},
                     .terms = std::span(shard_sums_).subspan(at(local) * sums, sums)};
  if (!running.phase->settings().gradient) return of_shard;
  of_shard.gradient = blocks_[at(block)].span();
  of_shard.written = running.written;
  return of_shard;
}

std::string StepRunner::trouble_in_terms(const Running& running) const {
  const std::vector<std::string>& names = running.phase->settings().terms;
  for (std::size_t t = 0; t < names.size(); ++t)
    if (!std::isfinite(running.sums[t])) return "loss is not finite (term: " + names[t] + ")";
  return "";
}

void StepRunner::update(Running& running, const StepPlace& place, double rate, StepReport& report) {
  const PhaseSettings& settings = running.phase->settings();
  if (settings.update == Update::none) return;
  if (settings.gradient) has_pending_ = false;
  if (settings.update == Update::optimizer) return move(running, place, rate, report);
  running.phase->update(place, {gradient_, running.sums}, machine_.workers);
}

void StepRunner::move(const Running& running, const StepPlace& place, double rate,
                      StepReport& report) {
  report.norm = optimizer_->norm(running.moves, gradient_, machine_.workers);
  if (!std::isfinite(report.norm)) {
    report.trouble = "the norm of the gradient is not finite";
    return;
  }
  const Clipping clipping = options_.clipping();
  const UpdateRates rates{.rate = rate,
                          .clip_scale = clipping.scale(report.norm),
                          .clip_value = options_.clip_value,
                          .average_decay = options_.averaging().decay_at(place.step)};
  optimizer_->step(running.moves, {task_.params().block(), gradient_, average_.span()}, rates,
                   machine_.workers);
}

std::string StepRunner::find_trouble() {
  LOGPX_ASSERT(last_ != nullptr);
  for (const Work& work : work_) {
    last_->phase->begin(work.batch);
    for (std::int64_t local = 0; local < local_shards_; ++local) {
      const Shard shard = shard_of(work, local);
      if (shard.count == 0) continue;
      const ShardSums sums = sums_of(*last_, local, 0);
      const std::string found = last_->phase->find_trouble(shard, task_.params().block(), sums);
      if (found.empty()) continue;
      return shard.rows.empty() ? found : some_rows(shard.rows) + ": " + found;
    }
  }
  return "";
}

}  // namespace logpx
