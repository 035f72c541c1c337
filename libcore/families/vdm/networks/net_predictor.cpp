#include "libcore/families/vdm/networks/net_predictor.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx::vdm {
namespace {

BuildGraph graph_builder(const PredictedNet& net) {
  return [build = net.build](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    build(*graph, rows);
    return graph;
  };
}

}  // namespace

NetPredictor::NetPredictor(PredictedNet net, const Numerics& numerics)
    : net_(std::move(net)),
      values_(graph_builder(net_), {.numerics = numerics}),
      slopes_(graph_builder(net_), {.from = "eps_hat", .inputs = {"z"}, .numerics = numerics}) {}

void NetPredictor::clear() {
  values_.clear();
  slopes_.clear();
}

ExecutorPool::Loan NetPredictor::run(ExecutorPool& pool, const NoisyRows& rows,
                                     std::span<double> noise) const {
  single_threaded_kernels();
  LOGPX_ASSERT(rows.z.size() == rows.gamma.size() * at(net_.dims));
  ExecutorPool::Loan loan = pool.lend({std::ssize(rows.gamma)});
  const auto take = [&](const char* input, std::span<const double> values) {
    std::ranges::transform(values, loan.inputs().values(input).begin(),
                           [](double value) { return static_cast<float>(value); });
  };
  take("z", rows.z);
  take("gamma", rows.gamma);
  if (net_.classes > 0) {
    const std::span<std::int32_t> labels = loan.inputs().indices("label");
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::int32_t label = rows.labels.empty() ? no_label : rows.labels[i];
      labels[i] = label == no_label ? static_cast<std::int32_t>(net_.classes) : label;
    }
  }
  Executor<float>& executor = loan.executor();
  executor.bind_parameters(net_.params.block());
  executor.forward();
  std::ranges::copy(executor.output("eps_hat").span(), noise.begin());
  return loan;
}

void NetPredictor::predict(const NoisyRows& rows, std::span<double> noise) const {
  static_cast<void>(run(values_, rows, noise));
}

void NetPredictor::predict_with_slope(const NoisyRows& rows, std::span<const double> direction,
                                      std::span<double> noise, std::span<double> slope) const {
  const ExecutorPool::Loan loan = run(slopes_, rows, noise);
  const std::vector<float> seed(direction.begin(), direction.end());
  loan.executor().backward(seed);
  std::ranges::copy(loan.executor().gradient("z").span(), slope.begin());
}

}  // namespace logpx::vdm
