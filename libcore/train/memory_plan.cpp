#include "libcore/train/memory_plan.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <map>

namespace logpx {
namespace {

// How many shards of this rank have how many rows.
void count_shards(std::map<std::int64_t, std::int64_t>& count, std::int64_t rows,
                  std::int64_t shards, std::int64_t local) {
  std::map<std::int64_t, std::int64_t> now;
  for (std::int64_t s = 0; s < local; ++s)
    ++now[shard_begin(s + 1, rows, shards) - shard_begin(s, rows, shards)];
  for (const auto& [size, n] : now) count[size] = std::max(count[size], n);
}

// Executors stay once they are made: one per worker and number of rows.
std::int64_t activations(const Phase& phase, const TrainingTask& task, const TrainOptions& options,
                         const MemoryTerms& terms) {
  const std::int64_t shards = shards_of(task, options), local = shards / terms.ranks;
  std::map<std::int64_t, std::int64_t> count;
  if (const std::int64_t items = phase.settings().items; items > 0) {
    count_shards(count, items, shards, local);
  } else {
    count_shards(count, std::min(options.batch, task.rows()), shards, local);
    if (const std::int64_t rest = task.rows() % options.batch;
        rest > 0 && !task.drops_short_steps())
      count_shards(count, rest, shards, local);
  }
  std::int64_t bytes = 0;
  for (const auto& [rows, n] : count)
    if (rows > 0) bytes += std::min<std::int64_t>(n, terms.threads) * phase.arena_bytes(rows);
  return bytes;
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

MemoryPlan plan_memory(TrainingTask& task, const TrainOptions& options, const MemoryTerms& terms) {
  const auto block = task.params().block_size() * static_cast<std::int64_t>(sizeof(float));
  std::int64_t gradients = shards_of(task, options) / terms.ranks, arenas = 0, largest = 0;
  MemoryPlan plan;
  for (Phase* phase : task.phases()) {
    arenas += activations(*phase, task, options, terms);
    const std::int64_t items =
        phase->settings().items > 0 ? phase->settings().items : options.batch;
    const std::int64_t rows = std::max<std::int64_t>(1, items / shards_of(task, options));
    if (const std::int64_t bytes = phase->arena_bytes(rows); bytes > largest) {
      largest = bytes;
      plan.modules = phase->modules(rows);
    }
    if (phase->settings().gradient && phase->settings().update == Update::none) ++gradients;
  }
  for (std::int64_t reach = 1; options.accumulate > 1 && reach <= options.accumulate; reach *= 2)
    ++gradients;
  const std::int64_t average = options.averaging().on() ? block : 0;
  std::int64_t state = 0;
  for (const TensorRef& tensor : task.state()) state += std::ssize(tensor.bytes);
  plan.parts = {{"parameters", block},
                {"gradients", gradients * block},
                {"optimiser", options.optimizer.slots() * block},
                {"average", average},
                {"best weights", options.keep_best ? block + average + state : 0},
                {"activations", arenas},
                {"data", task.data_bytes()}};
  return plan;
}

MemoryPlan settle_memory(TrainingTask& task, const TrainOptions& options,
                         const MemoryTerms& terms) {
  task.compute_by(options.numerics());
  set_recompute(task, options.recompute == Recompute::on);
  MemoryPlan plan = plan_memory(task, options, terms);
  if (terms.limit == 0 || plan.total() <= terms.limit) return plan;
  if (options.recompute == Recompute::automatic) {
    set_recompute(task, true);
    plan = plan_memory(task, options, terms);
    if (plan.total() <= terms.limit) return plan;
  }
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
       batch.empty() ? "no batch would fit; a smaller model would" : "--batch " + batch);
}

}  // namespace logpx
