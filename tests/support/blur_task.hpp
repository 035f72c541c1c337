// A small net of convolutions to train: it learns to leave noise as it is.
#pragma once

#include "libcore/det/draws.hpp"
#include "libcore/grad/ops.hpp"
#include "libcore/train/graph_phase.hpp"
#include "libcore/train/task.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace logpx {

struct BlurSize {
  std::int64_t images = 32, channels = 6, edge = 8;
};

class BlurTask final : public TrainingTask {
 public:
  explicit BlurTask(const BlurSize& size)
      : size_(size), x_({size.images, size.channels, size.edge, size.edge}) {
    first_ = params_.add("first/w", {size.channels, size.channels, 3, 3});
    second_ = params_.add("second/w", {size.channels, size.channels, 3, 3});
    fill_normals(Rng(1).stream(Stream::test, 1), 0, params_.block());
    for (float& value : params_.block()) value *= 0.1f;
    fill_normals(Rng(1).stream(Stream::test, 2), 0, x_.span());
    GraphPhaseParts parts;
    parts.build = [this](std::int64_t rows, std::int64_t) { return graph(rows); };
    parts.bind = [this](const Shard& shard, GraphInputs& to) { bind(shard, to); };
    phase_ = std::make_unique<GraphPhase>(PhaseSettings{}, parts);
  }
  [[nodiscard]] ParamSet& params() override { return params_; }
  [[nodiscard]] std::int64_t rows() const override { return size_.images; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {phase_.get()}; }
  [[nodiscard]] std::int64_t data_bytes() const override { return std::ssize(x_.span()) * 4; }
  [[nodiscard]] ShardGrain grain() const override { return ShardGrain::heavy; }

 private:
  [[nodiscard]] std::unique_ptr<Graph> graph(std::int64_t rows) const {
    auto graph = std::make_unique<Graph>();
    const Var x = graph->input("x", {rows, size_.channels, size_.edge, size_.edge});
    const ConvOptions same{.stride = 1, .pad = 1};
    const Var h = tanh(conv2d(x, graph->parameter(params_, first_), same));
    const Var y = conv2d(h, graph->parameter(params_, second_), same);
    graph->output("loss", sum(square(subtract(y, x))));
    return graph;
  }
  void bind(const Shard& shard, GraphInputs& to) const {
    const std::int64_t pixels = size_.channels * size_.edge * size_.edge;
    for (std::size_t i = 0; i < shard.rows.size(); ++i)
      std::copy_n(x_.data() + shard.rows[i] * pixels, pixels,
                  to.values("x").data() + static_cast<std::int64_t>(i) * pixels);
  }
  BlurSize size_;
  ParamSet params_;
  int first_, second_;
  Tensor<float> x_;
  std::unique_ptr<Phase> phase_;
};

}  // namespace logpx
