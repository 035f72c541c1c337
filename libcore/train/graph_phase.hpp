// A phase that is a graph: built for a number of rows, planned, bound and replayed. Executors are
// lent to shards, so there is one per worker and number of rows; plans of the last four numbers of
// rows are kept.   [spec/core.md sections 4 and 9]
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
  explicit GraphInputs(const Graph& graph, const std::string& from);

  [[nodiscard]] std::span<float> values(std::string_view input);
  [[nodiscard]] std::span<std::int32_t> indices(std::string_view input);
  // Weight of every element of `from` in the reverse pass: 1 / step_count unless changed here.
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

struct GraphPhaseParts {
  // Outputs: those named by the terms, one number per row or one for all rows (a sum, never a
  // mean: the loop divides), and `from`.
  std::function<std::unique_ptr<Graph>(std::int64_t rows)> build;
  std::function<void(const Shard&, GraphInputs&)> bind;
  std::string from = "loss";  // the reverse pass starts here
  // Sees the outputs of a shard, between forward and reverse pass: for extra sums, registered state,
  // and inputs that only the reverse pass reads.
  std::function<void(const Executor<float>&, GraphInputs&, const ShardSums&)> read = {};
  Numerics numerics = {};  // its convolution, unless ordered, gives way to --conv
  Reuse reuse = Reuse::memory;
};

class GraphPhase final : public Phase {
 public:
  GraphPhase(PhaseSettings settings, GraphPhaseParts parts);
  ~GraphPhase() override;

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override;
  std::string find_trouble(const Shard& shard, std::span<const float> theta,
                           const ShardSums& sums) override;
  [[nodiscard]] std::int64_t arena_bytes(std::int64_t count) const override;
  [[nodiscard]] std::vector<ModuleMemory> modules(std::int64_t count) const override;
  void recompute(bool on) override;
  void convolve_by(Convolution path) override;

 private:
  struct Runner;  // an executor with its inputs
  struct Shelf;   // everything for one number of rows
  class Loan;
  [[nodiscard]] PlanRequest request() const;
  [[nodiscard]] Shelf& shelf(std::int64_t rows);
  void bind(const Shard& shard, Runner& runner) const;

  GraphPhaseParts parts_;
  bool recompute_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Shelf>> shelves_;  // used last stands last
};

}  // namespace logpx
