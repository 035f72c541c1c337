// Runs a planned graph in one arena, without an allocation after construction.
//
// An Executor belongs to one worker at a time; several may share a graph. T is float or double and
// must be the precision that the graph was built in.
#pragma once

#include "libcore/grad/plan.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

template <typename T>
class Executor {
 public:
  Executor(const Graph& graph, const PlanRequest& request);
  // With a plan that was made of these before.
  Executor(const Graph& graph, const PlanRequest& request, Plan plan);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Bound memory is read when the graph runs and must live as long as that.
  void bind(const std::string& input, std::span<const T> values);
  void bind_index(const std::string& input, std::span<const std::int32_t> values);
  void bind_parameters(std::span<const T> block);
  // backward() writes all of `gradients`: zeros where no parameter of the graph lies.
  void bind_parameters(std::span<const T> block, std::span<T> gradients);
  // backward() writes these ranges of them, which hold all that the request asks for.
  void bind_parameters(std::span<const T> block, std::span<T> gradients,
                       std::span<const BlockRange> written);

  void forward();
  // Once after each forward: what backward has read may be gone afterwards.
  void backward();                         // from ones
  void backward(std::span<const T> seed);  // a weight per element of `from`

  [[nodiscard]] View<const T> output(const std::string& name) const;
  [[nodiscard]] View<const T> gradient(
      const std::string& input) const;  // one of the request's inputs

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] std::int64_t arena_bytes() const;

  // Runs forward and backward again with a look at every result: the first step whose output is not
  // finite, in words ("decoder/out/linear: inf at element 17; inputs between -3.1 and 4e38"), or
  // "". The reverse pass starts from `seed`, or from ones.
  [[nodiscard]] std::string find_non_finite(std::span<const T> seed = {});

 private:
  struct PreparedStep {
    Plan::StepKind kind;
    const Op* op = nullptr;
    Frame<T> frame;
    T* zero = nullptr;
    std::int64_t zero_elements = 0;
  };
  void prepare();
  [[nodiscard]] T* address(int buffer) const;
  [[nodiscard]] const void* value_of(const NodeInput& input, int buffer) const;
  void rebind(int node);
  void find_gaps(std::span<const BlockRange> written);
  void clear_gaps() const;
  void run_step(const PreparedStep& step) const;
  void run_steps(std::size_t begin, std::size_t end) const;
  [[nodiscard]] std::span<T> begin_seed() const;
  void start_from(std::span<const T> weights);  // none: ones
  void run_backward();
  [[nodiscard]] std::string finite_trouble(std::size_t step) const;

  const Graph& graph_;
  PlanRequest request_;
  Plan plan_;
  AlignedBytes arena_;
  std::vector<PreparedStep> steps_;
  std::vector<std::vector<T>> constants_;  // per node
  std::vector<const void*> bound_;         // per node: inputs and constants
  bool can_go_back_ = false;
  const T* parameters_ = nullptr;
  T* parameter_gradients_ = nullptr;
  std::vector<BlockRange> written_, gaps_;  // of the gradients; gaps hold no parameter of the graph
};

extern template class Executor<float>;
extern template class Executor<double>;

}  // namespace logpx
