#include "libcore/train/memory_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/train/kept_chunks.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace logpx {
namespace {

constexpr std::int64_t unlimited = std::int64_t{1} << 60;

using SizeCounts = std::map<std::int64_t, std::int64_t>;  // how many shards have how many rows

void count_shards(SizeCounts& count, std::int64_t rows, std::int64_t shards, std::int64_t local) {
  SizeCounts now;
  for (std::int64_t s = 0; s < local; ++s)
    ++now[shard_begin(s + 1, rows, shards) - shard_begin(s, rows, shards)];
  for (const auto& [size, n] : now) count[size] = std::max(count[size], n);
}

// The executors that a phase has at once, by rows: one per worker and number of rows, since they
// stay once they are made, or one per shard of a step where they are held.
SizeCounts executors_of(const Phase& phase, const TrainingTask& task, const TrainOptions& options,
                        const MemoryTerms& terms) {
  const std::int64_t shards = shards_of(task, options), local = shards / terms.ranks;
  const std::int64_t items = phase.settings().items;
  SizeCounts count;
  count_shards(count, items > 0 ? items : std::min(options.batch, task.rows()), shards, local);
  const std::int64_t rest = task.rows() % options.batch;
  if (items == 0 && rest > 0 && !task.drops_short_steps()) count_shards(count, rest, shards, local);
  count.erase(0);
  const std::int64_t at_once =
      std::min<std::int64_t>(terms.threads, shards_in_flight(phase.settings(), local));
  for (auto& [rows, n] : count)
    n = phase.holds_executors() ? n * (items > 0 ? 1 : options.accumulate) : std::min(n, at_once);
  return count;
}

// The largest extent, since any shard may have it.
std::int64_t largest_extent(const Phase& phase, const TrainingTask& task) {
  if (phase.settings().items > 0) return 0;
  const std::vector<std::int64_t> extents = extents_of(task);
  return extents.empty() ? 0 : *std::ranges::max_element(extents);
}

std::int64_t activations(const Phase& phase, const TrainingTask& task, const TrainOptions& options,
                         const MemoryTerms& terms) {
  const std::int64_t extent = largest_extent(phase, task);
  std::int64_t bytes = 0;
  for (const auto& [rows, n] : executors_of(phase, task, options, terms))
    bytes += n * phase.arena_bytes({rows, extent});
  return bytes;
}

// Whether the gradients of these phases must be added up; else they lie side by side.
bool must_join(std::span<Phase* const> phases, const ParamSet& params,
               const TrainOptions& options) {
  std::vector<int> writers(static_cast<std::size_t>(params.count()));
  std::int64_t with_gradient = 0;
  bool apart = options.accumulate == 1;
  for (const Phase* phase : phases) {
    const PhaseSettings& settings = phase->settings();
    if (!settings.gradient) continue;
    ++with_gradient;
    apart = apart && settings.repeat == 1;
    for (const int tensor : params.under(settings.writes))
      apart = ++writers[static_cast<std::size_t>(tensor)] == 1 && apart;
  }
  return with_gradient > 1 && !apart;
}

// Where rows have extents, graphs have many sizes: what is left of the limit may go to them.
void share_memory(TrainingTask& task, const TrainOptions& options, const MemoryTerms& terms,
                  const MemoryPlan& plan) {
  std::int64_t pools = 0;
  for (const Phase* phase : task.phases()) pools += std::ssize(phase->pools());
  if (pools == 0 || extents_of(task).empty()) return;
  const std::int64_t spare = terms.limit == 0 ? unlimited : (terms.limit - plan.total()) / pools;
  for (const Phase* phase : task.phases()) {
    const std::int64_t extent = largest_extent(*phase, task);
    const SizeCounts executors = executors_of(*phase, task, options, terms);
    for (ExecutorPool* pool : phase->pools()) {
      std::int64_t planned = 0;
      for (const auto& [rows, n] : executors) planned += n * pool->arena_bytes({rows, extent});
      pool->keep_within(planned + spare);
    }
  }
}

std::string fitting_batch(TrainingTask& task, const TrainOptions& options,
                          const MemoryTerms& terms) {
  TrainOptions smaller = options;
  while (smaller.batch > 1) {
    smaller.batch /= 2;
    const std::int64_t shards = shards_of(task, smaller);
    if (shards % terms.ranks == 0 && plan_memory(task, smaller, terms).total() <= terms.limit)
      return std::to_string(smaller.batch);
  }
  return "";
}

// The least memory that the plan fits in. Rows that are read in chunks have a third of any memory.
std::string fitting_memory(const TrainingTask& task, const MemoryPlan& plan) {
  constexpr std::int64_t mebi = std::int64_t{1} << 20;
  std::int64_t bytes = plan.total();
  if (chunks_of(task).any()) bytes = (bytes - task.data_bytes()) * 3 / 2;
  return std::to_string(bytes / mebi + 1) + "Mi";
}

[[noreturn]] void refuse(TrainingTask& task, const TrainOptions& options, const MemoryTerms& terms,
                         const MemoryPlan& plan) {
  std::vector<ModuleMemory> parts = plan.parts;
  const auto by_size = [](const auto& a, const auto& b) { return a.bytes > b.bytes; };
  std::stable_sort(parts.begin(), parts.end(), by_size);
  std::string largest;
  const auto name = [&largest](const ModuleMemory& part) {
    largest += (largest.empty() ? "" : ", ") + part.module + ' ' +
               human_bytes(static_cast<std::uint64_t>(part.bytes));
  };
  for (std::size_t i = 0; i < 2; ++i) name(parts[i]);
  for (std::size_t i = 0; i < std::min<std::size_t>(3, plan.modules.size()); ++i)
    name(plan.modules[i]);
  const std::string batch = fitting_batch(task, options, terms);
  fail(ErrorKind::usage, "--memory",
       "training needs " + human_bytes(static_cast<std::uint64_t>(plan.total())) + ", " +
           human_bytes(static_cast<std::uint64_t>(terms.limit)) + " are allowed (" + largest + ")",
       batch.empty() ? "--memory " + fitting_memory(task, plan) : "--batch " + batch);
}

void set_recompute(TrainingTask& task, bool on) {
  for (Phase* phase : task.phases()) phase->recompute(on);
}

}  // namespace

std::int64_t MemoryPlan::total() const {
  std::int64_t sum = 0;
  for (const ModuleMemory& part : parts) sum += part.bytes;
  return sum;
}

std::int64_t shards_of(const TrainingTask& task, const TrainOptions& options) {
  return options.shards > 0 ? options.shards : shard_count(options.batch, task.grain());
}

std::int64_t shards_in_flight(const PhaseSettings& settings, std::int64_t shards) {
  const std::int64_t wanted = settings.gradients_in_flight;
  return wanted > 0 ? std::min(wanted, shards) : shards;
}

std::int64_t gradient_blocks(const PhaseSettings& settings, std::int64_t shards) {
  if (!settings.gradient) return 0;
  std::int64_t at_once = shards, levels = 0;
  for (; at_once > shards_in_flight(settings, shards); at_once /= 2) ++levels;
  return at_once + levels;
}

std::vector<bool> joining_phases(TrainingTask& task, const TrainOptions& options) {
  const std::vector<Phase*> phases = task.phases();
  std::vector<bool> joining(phases.size());
  std::size_t first = 0;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    const PhaseSettings& settings = phases[p]->settings();
    if (settings.update == Update::none || !settings.gradient) continue;
    const auto group = std::span<Phase* const>(phases).subspan(first, p + 1 - first);
    const bool joins = must_join(group, task.params(), options);
    for (; first <= p; ++first) joining[first] = joins && phases[first]->settings().gradient;
  }
  return joining;
}

std::vector<std::int64_t> extents_of(const TrainingTask& task) {
  std::vector<std::int64_t> extents;
  for (std::int64_t row = 0; row < task.rows(); ++row) {
    const std::int64_t extent = task.extent(row);
    if (extent == 0 && extents.empty()) continue;
    extents.resize(static_cast<std::size_t>(task.rows()));
    extents[static_cast<std::size_t>(row)] = extent;
  }
  return extents;
}

bool uses_optimizer(TrainingTask& task) {
  return std::ranges::any_of(task.phases(), [](const Phase* phase) {
    return phase->settings().update == Update::optimizer;
  });
}

MemoryPlan plan_memory(TrainingTask& task, const TrainOptions& options, const MemoryTerms& terms) {
  const auto block = task.params().block_size() * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t shards = shards_of(task, options);
  std::int64_t gradients = 0, waiting = 0, arenas = 0, largest = 0;
  MemoryPlan plan;
  for (Phase* phase : task.phases()) {
    const PhaseSettings& settings = phase->settings();
    arenas += activations(*phase, task, options, terms);
    const std::int64_t items = settings.items > 0 ? settings.items : options.batch;
    const GraphSize size{std::max<std::int64_t>(1, items / shards), largest_extent(*phase, task)};
    if (const std::int64_t bytes = phase->arena_bytes(size); bytes > largest) {
      largest = bytes;
      plan.modules = phase->modules(size);
    }
    gradients = std::max(gradients, gradient_blocks(settings, shards / terms.ranks));
  }
  if (std::ranges::count(joining_phases(task, options), true) > 0) waiting = 1;
  if (gradients > 0 && options.accumulate > 1)  // levels of a TreeCounter
    waiting += std::bit_width(static_cast<std::uint64_t>(options.accumulate));
  const std::int64_t average = options.averaging().on() ? block : 0;
  std::int64_t saved = 0;
  for (const TensorRef& tensor : task.state()) saved += std::ssize(tensor.bytes);
  plan.parts = {{"parameters", block},
                {"gradients", (gradients + waiting) * block},
                {"optimiser", uses_optimizer(task) ? options.optimizer.slots() * block : 0},
                {"average", average},
                {"best weights", options.keep_best ? block + average + saved : 0},
                {"state", task.state_bytes()},
                {"activations", arenas},
                {"data", task.data_bytes()}};
  const std::int64_t before = block + task.data_bytes() + task.preparation_bytes();
  plan.parts.push_back({"preparation", std::max<std::int64_t>(0, before - plan.total())});
  return plan;
}

MemoryPlan settle_memory(TrainingTask& task, const TrainOptions& options,
                         const MemoryTerms& terms) {
  task.compute_by(options.numerics());
  set_recompute(task, options.recompute == Recompute::on);
  MemoryPlan plan = plan_memory(task, options, terms);
  const auto fits = [&] { return terms.limit == 0 || plan.total() <= terms.limit; };
  if (!fits() && options.recompute == Recompute::automatic) {
    set_recompute(task, true);
    plan = plan_memory(task, options, terms);
  }
  if (!fits()) refuse(task, options, terms, plan);
  share_memory(task, options, terms, plan);
  return plan;
}

}  // namespace logpx
