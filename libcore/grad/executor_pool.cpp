#include "libcore/grad/executor_pool.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

constexpr std::size_t kept_sizes = 4;

}  // namespace

struct ExecutorPool::Runner {
  Runner(const Graph& graph, const PlanRequest& request, const Plan& plan)
      : executor(graph, request, plan), inputs(graph, request.from) {
    inputs.bind_to(executor);
  }
  Executor<float> executor;
  GraphInputs inputs;
};

struct ExecutorPool::Shelf {
  GraphSize size;
  std::unique_ptr<Graph> graph;
  Plan plan;
  std::int64_t bytes = 0;  // of one executor
  std::vector<std::unique_ptr<Runner>> idle;
  std::int64_t lent = 0;
  bool forgotten = false;  // goes with the last of its loans
};

ExecutorPool::ExecutorPool(BuildGraph build, PlanRequest request)
    : build_(std::move(build)), request_(std::move(request)) {}

ExecutorPool::~ExecutorPool() = default;

void ExecutorPool::keep_within(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  limit_ = bytes;
}

void ExecutorPool::clear() {
  const std::lock_guard lock(mutex_);
  for (const auto& shelf : shelves_) {
    bytes_ -= shelf->bytes * std::ssize(shelf->idle);
    shelf->idle.clear();
    shelf->forgotten = true;
  }
  std::erase_if(shelves_, [](const auto& shelf) { return shelf->lent == 0; });
}

ExecutorPool::Loan ExecutorPool::lend(GraphSize size) {
  Shelf* found = nullptr;
  std::unique_ptr<Runner> runner;
  {
    const std::lock_guard lock(mutex_);
    found = &shelf(size);
    ++found->lent;
    if (found->idle.empty()) {
      make_room(*found);
      bytes_ += found->bytes;
      found->idle.reserve(static_cast<std::size_t>(found->lent));
    } else {
      runner = std::move(found->idle.back());
      found->idle.pop_back();
    }
  }
  Loan loan(*this, *found, std::move(runner));
  if (loan.runner_ == nullptr)  // made while others are lent theirs
    loan.runner_ = std::make_unique<Runner>(*found->graph, request_, found->plan);
  return loan;
}

ExecutorPool::Shelf& ExecutorPool::shelf(GraphSize size) {
  const auto found = std::find_if(shelves_.begin(), shelves_.end(), [&](const auto& shelf) {
    return shelf->size == size && !shelf->forgotten;
  });
  if (found != shelves_.end()) {
    std::rotate(found, found + 1, shelves_.end());
    return *shelves_.back();
  }
  std::unique_ptr<Shelf> made = new_shelf(size);
  if (!limit_ && shelves_.size() >= kept_sizes) {
    const auto idle = std::find_if(shelves_.begin(), shelves_.end(),
                                   [](const auto& shelf) { return shelf->lent == 0; });
    if (idle != shelves_.end()) {
      bytes_ -= (*idle)->bytes * std::ssize((*idle)->idle);
      shelves_.erase(idle);
    }
  }
  shelves_.push_back(std::move(made));
  return *shelves_.back();
}

std::unique_ptr<ExecutorPool::Shelf> ExecutorPool::new_shelf(GraphSize size) const {
  auto shelf = std::make_unique<Shelf>();
  shelf->size = size;
  shelf->graph = build_(size.rows, size.extent);
  LOGPX_ASSERT(shelf->graph->precision() == Precision::f32);
  shelf->plan = make_plan(*shelf->graph, request_);
  shelf->bytes = shelf->plan.arena_bytes(Precision::f32) + input_bytes(*shelf->graph);
  return shelf;
}

// Drops idle executors of other sizes, those used longest ago first.
void ExecutorPool::make_room(const Shelf& wanted) {
  if (!limit_) return;
  for (auto next = shelves_.begin(); next != shelves_.end() && bytes_ + wanted.bytes > *limit_;) {
    Shelf& shelf = **next;
    if (&shelf != &wanted) {
      bytes_ -= shelf.bytes * std::ssize(shelf.idle);
      shelf.idle.clear();
    }
    const bool unused = &shelf != &wanted && shelf.lent == 0;
    next = unused ? shelves_.erase(next) : next + 1;
  }
}

void ExecutorPool::give_back(Shelf& shelf, std::unique_ptr<Runner> runner) {
  const std::lock_guard lock(mutex_);
  --shelf.lent;
  if (runner != nullptr && !shelf.forgotten) return shelf.idle.push_back(std::move(runner));
  bytes_ -= shelf.bytes;  // it could not be made, or its graph is forgotten
  runner.reset();
  std::erase_if(shelves_, [](const auto& other) { return other->forgotten && other->lent == 0; });
}

std::int64_t ExecutorPool::arena_bytes(GraphSize size) const { return new_shelf(size)->bytes; }

std::vector<ModuleMemory> ExecutorPool::modules(GraphSize size) const {
  const std::unique_ptr<Shelf> shelf = new_shelf(size);
  return peak_by_module(*shelf->graph, shelf->plan);
}

ExecutorPool::Loan::Loan(ExecutorPool& pool, Shelf& shelf, std::unique_ptr<Runner> runner)
    : pool_(&pool), shelf_(&shelf), runner_(std::move(runner)) {}

ExecutorPool::Loan::Loan(Loan&& from) noexcept
    : pool_(std::exchange(from.pool_, nullptr)),
      shelf_(from.shelf_),
      runner_(std::move(from.runner_)) {}

ExecutorPool::Loan& ExecutorPool::Loan::operator=(Loan&& from) noexcept {
  if (this == &from) return *this;
  end();
  pool_ = std::exchange(from.pool_, nullptr);
  shelf_ = from.shelf_;
  runner_ = std::move(from.runner_);
  return *this;
}

ExecutorPool::Loan::~Loan() { end(); }

void ExecutorPool::Loan::end() {
  if (pool_ != nullptr) pool_->give_back(*shelf_, std::move(runner_));
  pool_ = nullptr;
}

Executor<float>& ExecutorPool::Loan::executor() const { return runner_->executor; }
GraphInputs& ExecutorPool::Loan::inputs() const { return runner_->inputs; }

}  // namespace logpx
