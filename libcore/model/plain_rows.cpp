#include "libcore/model/plain_rows.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/blas.hpp"

#include <numeric>

namespace logpx {

void take_rows(const Examples& examples, std::span<const std::int64_t> numbers,
               std::span<float> x) {
  const RowRules as_stored;
  const RowNoise none = evaluation_noise(as_stored);
  const std::size_t dims = at(examples.info.dims());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    row_values(examples.info, examples.rows,
               {.from = numbers[i], .number = examples.first + numbers[i]}, as_stored, none,
               x.subspan(i * dims, dims));
}

void take_rows(const Examples& examples, std::span<float> x) {
  std::vector<std::int64_t> all(at(examples.rows.count));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  take_rows(examples, all, x);
}

SampleChunk draw_rows(const DatasetInfo& info, ItemRange items, const Rng& rng,
                      const std::function<void(DrawCursor& draws, std::span<float> x)>& draw,
                      const RowRules& rules) {
  SampleChunk chunk;
  chunk.rows.count = items.last - items.first;
  chunk.rows.x.resize(at(chunk.rows.count) * info.row_bytes());
  std::vector<float> x(at(info.dims()));
  for (std::int64_t i = 0; i < chunk.rows.count; ++i) {
    DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(items.first + i)));
    draw(draws, x);
    store_values(info, rules, x, i, chunk.rows);
  }
  return chunk;
}

BuildGraph loss_graph(std::int64_t dims, RowLogP log_p) {
  return [dims, log_p = std::move(log_p)](std::int64_t rows, std::int64_t) {
    auto graph = std::make_unique<Graph>();
    graph->output("loss", -log_p(graph->input("x", {rows, dims})));
    return graph;
  };
}

void RowLosses::compute_by(const Numerics& numerics) {
  passes_.clear();
  passes_.request().numerics = numerics;
}

std::vector<double> RowLosses::log_p(std::span<const float> theta, const Examples& examples) const {
  single_threaded_kernels();
  const ExecutorPool::Loan loan = passes_.lend({examples.rows.count});
  take_rows(examples, loan.inputs().values("x"));
  loan.executor().bind_parameters(theta);
  loan.executor().forward();
  std::vector<double> nats;
  for (const float loss : loan.executor().output("loss").span())
    nats.push_back(-static_cast<double>(loss));
  return nats;
}

}  // namespace logpx
