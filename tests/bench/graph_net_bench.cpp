// The graph transformer that the peers' script trains, too: forward, backward and AdamW of a batch,
// and those of its loops over edges that are no matrix products.   [arm/README 8.3]
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/grad/graph_kernels.hpp"
#include "libcore/grad/ops_likelihood.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/grad/ops_reduce.hpp"
#include "libcore/grad/optim.hpp"
#include "libcore/grad/row_kernels.hpp"
#include "libcore/nn/graph_net.hpp"
#include "tests/bench/bench.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace logpx::bench {
namespace {

struct StepForm {
  std::string name;
  GraphNetOptions options;
  std::int64_t graphs, nodes;
  int steps;
};

GraphNetOptions of_widths(std::int64_t layers, std::int64_t heads, GraphWidths width,
                          GraphWidths hidden) {
  return {.node_values = 4,
          .edge_values = 4,
          .most_nodes = 23,
          .layers = layers,
          .heads = heads,
          .width = width,
          .feed_forward = hidden,
          .hidden = hidden,
          .policies = 1};
}

std::vector<StepForm> step_forms() {
  const GraphNetOptions small = of_widths(3, 4, {48, 24, 24}, {48, 24, 24}),
                        qm9 = of_widths(9, 8, {256, 64, 64}, {256, 128, 128});
  return {{"small net, 128 graphs of 9", small, 128, 9, 60},
          {"small net, 32 graphs of 23", small, 32, 23, 40},
          {"qm9 net, 32 graphs of 9", qm9, 32, 9, 12},
          {"qm9 net, 8 graphs of 23", qm9, 8, 23, 8}};
}

// A training step on graphs of which half is shown and all is predicted.
class GraphStep {
 public:
  explicit GraphStep(const StepForm& form)
      : net_(Site(params_, initialisers_) / "net", form.options),
        optimizer_(params_, {.rule = OptimizerRule::adamw}),
        selection_(optimizer_.select()),
        workers_(1) {
    initialisers_.run(params_, Rng(1));
    const std::int64_t b = form.graphs, n = form.nodes, pairs = n * (n - 1) / 2;
    const GraphState state = graph_state(graph_, b, n);
    const GraphAnswer answer = net_(params_, state);
    const Var nodes = categorical_log_prob(*answer.node_logits, state.node_values),
              edges = categorical_log_prob(*answer.pair_logits, state.pair_values),
              order = sum(square(*answer.node_policy)) + sum(square(*answer.pair_policy));
    graph_.output("loss", order - (sum(nodes) + sum(edges)) * (1.0 / static_cast<double>(b)));
    run_ =
        std::make_unique<Executor<float>>(graph_, PlanRequest{.from = "loss", .parameters = true});
    gradients_.resize(at(params_.block_size()));
    run_->bind_parameters(params_.block(), gradients_);
    bind_drawn("node_values", b * n, 1);
    bind_drawn("pair_values", b * pairs, 2);
    ones_.assign(at(b * n), 1);
    run_->bind("exists", ones_);
    bind_half("nodes_shown", nodes_shown_, b * n);
    bind_half("pairs_shown", pairs_shown_, b * pairs);
    for (const Node& node : graph_.nodes()) {
      if (node.kind != NodeKind::op || std::string(node.op->name()) != "linear") continue;
      std::vector<Shape> shapes;
      for (const NodeInput& input : node.inputs) shapes.push_back(input.shape);
      flops_ += 3 * node.op->flops(shapes, node.shape);
    }
  }
  void operator()() {
    run_->forward();
    run_->backward();
    optimizer_.step(selection_, {.theta = params_.block(), .gradient = gradients_}, {.rate = 1e-4},
                    workers_);
  }
  // Those of its matrix products.
  [[nodiscard]] double flops() const { return flops_; }

 private:
  void bind_drawn(const char* name, std::int64_t count, std::uint32_t seed) {
    std::vector<std::int32_t>& values = drawn_.emplace_back();
    Cursor cursor(Substream(seed, Stream::test, 0));
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<std::int32_t>(cursor.below(4)));
    run_->bind_index(name, values);
  }
  void bind_half(const char* name, std::vector<float>& shown, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) shown.push_back(static_cast<float>(i % 2));
    run_->bind(name, shown);
  }

  ParamSet params_;
  Initialisers initialisers_;
  GraphNet net_;
  Optimizer optimizer_;
  Selection selection_;
  Workers workers_;
  Graph graph_;
  std::unique_ptr<Executor<float>> run_;
  std::vector<float> gradients_, ones_, nodes_shown_, pairs_shown_;
  std::list<std::vector<std::int32_t>> drawn_;
  double flops_ = 0;
};

void bench_steps(Bench& bench) {
  for (const StepForm& form : step_forms()) {
    GraphStep step(form);
    for (int i = 0; i < 3; ++i) step();
    std::vector<double> seconds;
    for (int i = 0; i < form.steps; ++i) {
      const double begin = thread_seconds();
      step();
      seconds.push_back(thread_seconds() - begin);
    }
    std::ranges::sort(seconds);
    const auto add = [&](const char* which, double each) {
      bench.add({.name = "step of the " + form.name + ", " + which,
                 .value = 1e3 * each,
                 .unit = "ms",
                 .share = step.flops() / each / bench.peak(),
                 .of = "sgemm 1024"});
    };
    add("fastest", seconds.front());
    add("median", seconds[seconds.size() / 2]);
  }
}

// The loops over the edges of a batch, against a copy of as many bytes as they read and write.
class EdgeLoops {
 public:
  EdgeLoops(std::int64_t graphs, std::int64_t n, std::int64_t c)
      : graphs_(graphs),
        n_(n),
        c_(c),
        nodes_(at(graphs * n * c), 0.1F),
        dnodes_(nodes_.size()),
        edges_(at(graphs * n * n * c), 0.01F),
        dedges_(edges_.size()),
        gates_(2 * edges_.size(), 0.2F),
        dgates_(gates_.size()),
        rows_(at(2 * c)),
        shown_(at(n), 1.0F) {}

  void scores() {
    each([&](EdgeScoreCall<float>& call, long) { kernels_.edge_scores(call); });
  }
  void score_slopes() {
    each([&](EdgeScoreCall<float>& call, long) { kernels_.edge_score_slopes(call); });
  }
  void attention_slopes() {
    for (std::int64_t b = 0; b < graphs_; ++b) {
      KeyMeanCall<float> call{};
      call.queries = call.keys = n_;
      call.channels = c_;
      call.p = edges_.data() + b * n_ * n_ * c_;
      call.v = call.upstream = nodes_.data() + b * n_ * c_;
      call.out = nodes_.data() + b * n_ * c_;
      call.dscores = {dedges_.data() + b * n_ * n_ * c_, c_};
      call.dv = {dnodes_.data() + b * n_ * c_, c_};
      kernels_.mean_of_keys_slopes(call);
    }
  }
  void copy() { std::ranges::copy(gates_, dgates_.begin()); }
  // Bytes of `arrays` arrays with one number per edge and channel.
  [[nodiscard]] double bytes(double arrays) const {
    return arrays * static_cast<double>(edges_.size() * sizeof(float));
  }

 private:
  template <typename Use>
  void each(Use use) {
    for (std::int64_t b = 0; b < graphs_; ++b) {
      const std::int64_t node = b * n_ * c_, edge = node * n_;
      EdgeScoreCall<float> call{};
      call.queries = call.keys = n_;
      call.channels = c_;
      call.q = call.k = nodes_.data() + node;
      call.gates = gates_.data() + 2 * edge;
      call.scale = 0.3F;
      call.scores = edges_.data() + edge;
      call.upstream = edges_.data() + edge;
      call.dq = call.dk = {dnodes_.data() + node, c_};
      call.dgates = {dgates_.data() + 2 * edge, 2 * c_};
      use(call, b);
    }
  }

  const GraphKernels<float>& kernels_ = graph_kernels<float>();
  std::int64_t graphs_, n_, c_;
  std::vector<float> nodes_, dnodes_, edges_, dedges_, gates_, dgates_, rows_, shown_;
};

void bench_edges(Bench& bench) {
  for (const auto& [graphs, n, c] : {std::array<std::int64_t, 3>{128, 9, 48}, {8, 23, 256}}) {
    EdgeLoops loops(graphs, n, c);
    const std::vector<double> seconds =
        bench.seconds({[&] { loops.copy(); }, [&] { loops.scores(); },
                       [&] { loops.score_slopes(); }, [&] { loops.attention_slopes(); }});
    const double copied = loops.bytes(4) / seconds[0];
    const auto add = [&](const char* what, double arrays, double each) {
      const double rate = loops.bytes(arrays) / each;
      bench.add({.name = std::string(what) + ", " + std::to_string(graphs) + " graphs of " +
                         std::to_string(n) + ", " + std::to_string(c) + " channels",
                 .value = 1e-9 * rate,
                 .unit = "GB/s",
                 .share = rate / copied,
                 .of = "a copy in this cache"});
    };
    add("edge scores", 3, seconds[1]);
    add("slopes of edge scores", 5, seconds[2]);
    add("slopes of edge attention", 2, seconds[3]);
  }
}

// A layer norm of the edges of a batch, against a copy of as many bytes.
void bench_norms(Bench& bench) {
  const RowKernels<float>& kernels = row_kernels<float>();
  for (const auto& [count, channels] : {std::array<long, 2>{10368, 24}, {4232, 64}}) {
    const std::size_t size = at(count * channels);
    const NormRows rows = {.count = count, .channels = channels};
    const std::vector<float> x(size, 0.3F), scale(at(channels), 1.0F);
    std::vector<float> y(size), moments(at(2 * count)), h(at(channels)), xhat(h), sums(h);
    std::vector<double> slopes(at(2 * channels));
    const NormCall<float> norm = {.rows = rows,
                                  .x = x.data(),
                                  .scale = scale.data(),
                                  .shift = scale.data(),
                                  .eps = 1e-5,
                                  .moments = moments.data(),
                                  .y = y.data()};
    const NormSlopesCall<float> norm_slopes = {.rows = rows,
                                               .x = x.data(),
                                               .scale = scale.data(),
                                               .moments = moments.data(),
                                               .g = x.data(),
                                               .h = h.data(),
                                               .xhat = xhat.data(),
                                               .dscale = slopes.data(),
                                               .dshift = slopes.data() + channels,
                                               .dx = y.data()};
    const std::vector<double> seconds =
        bench.seconds({[&] { std::ranges::copy(x, y.begin()); },
                       [&] {
                         kernels.moments(norm);
                         kernels.scale_and_shift(norm);
                       },
                       [&] { kernels.norm_slopes(norm_slopes); },
                       [&] {
                         kernels.add_column_sums({count, channels, x.data(), sums.data()});
                       }});
    const auto add = [&](const char* what, double arrays, double each) {
      const double bytes = static_cast<double>(size * sizeof(float));
      bench.add({.name = std::string(what) + ", " + std::to_string(count) + " rows of " +
                         std::to_string(channels),
                 .value = 1e-9 * arrays * bytes / each,
                 .unit = "GB/s",
                 .share = arrays / 2 * seconds[0] / each,
                 .of = "a copy in this cache"});
    };
    add("layer norm", 3, seconds[1]);
    add("slopes of layer norm", 3, seconds[2]);
    add("column sums", 1, seconds[3]);
  }
}

}  // namespace

void bench_graph_nets(Bench& bench) {
  bench_edges(bench);
  bench_norms(bench);
  bench_steps(bench);
}

}  // namespace logpx::bench
