// Executors of a graph that is built for a number of rows, lent to the shards that need one: there
// is one per worker and number of rows, and plans of the last four numbers of rows are kept.
//
//   const GraphRunners::Loan loan = runners.lend(shard.count);
//   ... loan.inputs().values("x") ...
//   loan.executor().forward();
#pragma once

#include "libcore/grad/executor.hpp"
#include "libcore/train/phase.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace logpx {

// The inputs of one executor, to be filled for a shard.
class GraphInputs {
 public:
  GraphInputs(const Graph& graph, const std::string& from);

  [[nodiscard]] std::span<float> values(std::string_view input);
  [[nodiscard]] std::span<std::int32_t> indices(std::string_view input);
  // Weight of every element of `from` in the reverse pass; empty without one.
  [[nodiscard]] std::span<float> seed() { return seed_.span(); }
  void bind_to(Executor<float>& executor) const;

 private:
  struct Input {
    std::string name;
    Tensor<float> values;
    Tensor<std::int32_t> indices;
    bool is_index = false;
  };
  [[nodiscard]] Input& find(std::string_view name);
  std::vector<Input> inputs_;
  Tensor<float> seed_;
};

using BuildGraph = std::function<std::unique_ptr<Graph>(std::int64_t rows)>;
using BindShard = std::function<void(const Shard&, GraphInputs&)>;

class GraphRunners {
 public:
  GraphRunners(BuildGraph build, PlanRequest request);
  ~GraphRunners();

  // What plans are made for; to be changed before the first loan only.
  [[nodiscard]] PlanRequest& request() { return request_; }

  class Loan;
  [[nodiscard]] Loan lend(std::int64_t rows);

  [[nodiscard]] std::int64_t arena_bytes(std::int64_t rows) const;  // and inputs, of one worker
  [[nodiscard]] std::vector<ModuleMemory> modules(std::int64_t rows) const;

 private:
  struct Runner;  // an executor with its inputs
  struct Shelf;   // everything for one number of rows
  [[nodiscard]] Shelf& shelf(std::int64_t rows);

  BuildGraph build_;
  PlanRequest request_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Shelf>> shelves_;  // used last stands last
};

// Ends with its life.
class GraphRunners::Loan {
 public:
  Loan(GraphRunners& runners, std::int64_t rows);
  ~Loan();
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  [[nodiscard]] Executor<float>& executor() const;
  [[nodiscard]] GraphInputs& inputs() const;

 private:
  GraphRunners& runners_;
  Shelf* shelf_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace logpx
