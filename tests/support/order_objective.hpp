// The objective of a model of orders for given orders, in either precision: what a step of training
// computes, and sums of it over all that may be drawn.
#pragma once

#include "libcore/base/index.hpp"
#include "libcore/families/arm/training/objective.hpp"
#include "libcore/grad/executor.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace logpx::order_objective {

struct Draw {
  std::vector<std::int32_t> x;
  std::vector<std::vector<std::int32_t>> orders;
  std::int64_t i = 1;  // from 1
};

// The objective of drawn rows: outputs by name, and the gradient of the weighted sum of their
// losses.
template <typename T>
class Objective {
 public:
  Objective(const arm::ArmModel& model, std::vector<Draw> draws,
            const arm::LearnOptions& options = {})
      : model_(model),
        draws_(std::move(draws)),
        paths_(at(options.paths)),
        graph_(std::is_same_v<T, float> ? Precision::f32 : Precision::f64) {
    arm::name_objective(graph_, model, options, {.rows = std::ssize(draws_)});
    run_ = std::make_unique<Executor<T>>(graph_, PlanRequest{.from = "loss", .parameters = true});
    const std::size_t dims = at(model.dims());
    const auto rows = draws_.size();
    numbers("exists").assign(rows * dims, 1);
    numbers("learns").assign(rows, 1);
    numbers("length").assign(rows, static_cast<T>(dims));
  }

  // With parameters of the model's layout.
  void run(const std::vector<double>& theta, const std::vector<double>& weights) {
    theta_.assign(theta.begin(), theta.end());
    gradient_.assign(theta.size(), T(0));
    run_->bind_parameters(theta_, gradient_);
    bind_draws();
    for (auto& [name, values] : numbers_) run_->bind(name, values);
    for (auto& [name, values] : indices_) run_->bind_index(name, values);
    run_->forward();
    const std::vector<T> seed(weights.begin(), weights.end());
    run_->backward(seed);
  }
  [[nodiscard]] double output(const char* name, std::size_t row) const {
    return static_cast<double>(run_->output(name)[static_cast<std::int64_t>(row)]);
  }
  [[nodiscard]] std::vector<double> gradient_of(const std::string& tensor) const {
    const ParamInfo& info = model_.param_set().infos()[at(model_.param_set().find(tensor))];
    const T* const first = gradient_.data() + info.offset;
    return {first, first + info.shape.elements()};
  }

 private:
  std::vector<T>& numbers(const std::string& name) { return numbers_[name]; }
  std::vector<T>& noise(std::size_t path) { return numbers("noise" + std::to_string(path + 1)); }

  // Scores fall along the orders whatever the logits are, which are below 1000.
  void bind_draws() {
    std::vector<std::int32_t>&x = indices_["x"], &counts = indices_["counts"];
    x.clear(), counts.clear();
    for (std::size_t path = 0; path < paths_; ++path) noise(path).clear();
    for (const Draw& draw : draws_) {
      x.insert(x.end(), draw.x.begin(), draw.x.end());
      counts.push_back(static_cast<std::int32_t>(draw.i - 1));
      for (std::size_t path = 0; path < paths_; ++path) {
        const std::vector<std::int32_t>& order = draw.orders[path];
        std::vector<T> scores(order.size());
        for (std::size_t place = 0; place < order.size(); ++place)
          scores[at(order[place])] = T(-1000) * static_cast<T>(place);
        noise(path).insert(noise(path).end(), scores.begin(), scores.end());
      }
    }
  }

  const arm::ArmModel& model_;
  std::vector<Draw> draws_;
  std::size_t paths_;
  Graph graph_;
  std::unique_ptr<Executor<T>> run_;
  std::map<std::string, std::vector<T>> numbers_;
  std::map<std::string, std::vector<std::int32_t>> indices_;
  std::vector<T> theta_, gradient_;
};

}  // namespace logpx::order_objective
