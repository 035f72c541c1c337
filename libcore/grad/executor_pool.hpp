// A pool of executors of a graph that is built for a size: of each size there are as many as were
// ever lent at once. It knows neither what they compute nor with which parameters.
//
//   const ExecutorPool::Loan loan = pool.lend({rows});
//   std::copy(x.begin(), x.end(), loan.inputs().values("x").begin());
//   loan.executor().bind_parameters(theta);
//   loan.executor().forward();
#pragma once

#include "libcore/grad/graph_inputs.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace logpx {

// Rows, and how long the longest of them is where they differ.
struct GraphSize {
  std::int64_t rows = 0, extent = 0;
  friend bool operator==(const GraphSize&, const GraphSize&) = default;
};

using BuildGraph = std::function<std::unique_ptr<Graph>(std::int64_t rows, std::int64_t extent)>;

class ExecutorPool {
 public:
  ExecutorPool(BuildGraph build, PlanRequest request);
  ~ExecutorPool();

  // What plans are made for; to be changed before the first loan only.
  [[nodiscard]] PlanRequest& request() { return request_; }
  // Executors of the last four sizes are kept. After this they are kept for any number of sizes
  // while all of them together take at most so many bytes.
  void keep_within(std::int64_t bytes);
  // Forgets what is not lent: when constants of the graphs have changed.
  void clear();

  class Loan;
  [[nodiscard]] Loan lend(GraphSize size);  // from any thread

  // For one executor with its inputs.
  [[nodiscard]] std::int64_t arena_bytes(GraphSize size) const;
  [[nodiscard]] std::vector<ModuleMemory> modules(GraphSize size) const;

 private:
  struct Runner;  // an executor with its inputs
  struct Shelf;   // everything for one size
  [[nodiscard]] Shelf& shelf(GraphSize size);
  [[nodiscard]] std::unique_ptr<Shelf> new_shelf(GraphSize size) const;
  void make_room(const Shelf& wanted);
  void give_back(Shelf& shelf, std::unique_ptr<Runner> runner);

  BuildGraph build_;
  PlanRequest request_;
  std::mutex mutex_;
  std::optional<std::int64_t> limit_;            // bytes
  std::int64_t bytes_ = 0;                       // of all executors, lent ones too
  std::vector<std::unique_ptr<Shelf>> shelves_;  // the one used last stands last
};

// The executor goes back to the pool at the end of the loan's scope.
class ExecutorPool::Loan {
 public:
  Loan(Loan&& from) noexcept;
  Loan& operator=(Loan&& from) noexcept;
  ~Loan();
  [[nodiscard]] Executor<float>& executor() const;
  [[nodiscard]] GraphInputs& inputs() const;

 private:
  friend class ExecutorPool;
  Loan(ExecutorPool& pool, Shelf& shelf, std::unique_ptr<Runner> runner);
  void end();
  ExecutorPool* pool_;  // null once moved from
  Shelf* shelf_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace logpx
