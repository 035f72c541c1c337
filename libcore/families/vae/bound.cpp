#include "libcore/families/vae/bound.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/vae/objective.hpp"
#include "libcore/train/ranks.hpp"
#include "libcore/train/tree_sum.hpp"

#include <algorithm>

namespace logpx::vae {
namespace {

constexpr std::int64_t rows_evaluated_at_a_time = 100;  // of an evaluation

}  // namespace

std::vector<double> sum_over_rows(
    const EvaluationMachine& machine, RowTable table,
    const std::function<void(RowBlock, std::span<double> sums)>& add) {
  const std::int64_t blocks =
      (table.rows + rows_evaluated_at_a_time - 1) / rows_evaluated_at_a_time;
  const auto columns = static_cast<std::size_t>(table.columns);
  std::vector<double> sums(static_cast<std::size_t>(blocks) * columns);
  machine.workers.run(blocks, [&](std::int64_t block) {
    if (block % machine.ranks.size() != machine.ranks.rank()) return;
    const std::int64_t first = block * rows_evaluated_at_a_time;
    add({first, std::min(rows_evaluated_at_a_time, table.rows - first)},
        std::span(sums).subspan(static_cast<std::size_t>(block) * columns, columns));
  });
  machine.ranks.sum(std::span<double>(sums));  // a block is zero on all ranks but one
  tree_sum(sums, blocks, table.columns);
  sums.resize(columns);
  return sums;
}

BoundPass::BoundPass(const VaeModel& model, Size size, const Numerics& numerics)
    : rows_(size.rows), copies_(size.copies) {
  const auto [rows, copies] = size;
  const Pass pass = make_pass(model, graph_, rows, copies);
  graph_.output("recon", pass.recon);
  graph_.output("kl", analytic_kl(pass.q));
  graph_.output("mean", pass.q.mean);
  graph_.output("log_var", pass.q.log_var);
  run_ = std::make_unique<Executor<float>>(graph_, PlanRequest{.numerics = numerics});
  x_ = Tensor<float>({rows, model.dims()});
  noise_ = Tensor<float>({copies, rows, model.latent()});
  run_->bind("x", x_.span());
  run_->bind("noise", noise_.span());
  if (!model.likelihood().takes_index()) return;
  index_ = Tensor<std::int32_t>({copies, rows, model.dims()});
  run_->bind_index("index", index_.span());
}

void BoundPass::run(std::span<const float> theta, const Rng& rng, Numbers numbers) {
  fill_row_noise(noise_.span(), {copies_, rows_, numbers.draw}, [&](std::int64_t row) {
    return rng.stream(Stream::evaluation, static_cast<std::uint32_t>(numbers.row + row));
  });
  if (index_.size() > 0) fill_index(x_.span(), index_.span());
  run_->bind_parameters(theta);
  run_->forward();
}

double BoundPass::recon(std::int64_t draw, std::int64_t row) const {
  return static_cast<double>(run_->output("recon")[draw * rows_ + row]);
}

double BoundPass::kl(std::int64_t row) const {
  return static_cast<double>(run_->output("kl")[row]);
}

void fill_index(std::span<const float> x, std::span<std::int32_t> index) {
  for (std::size_t i = 0; i < index.size(); ++i)
    index[i] = static_cast<std::int32_t>(x[i % x.size()]);
}

void fill_row_noise(std::span<float> noise, const NoiseBlock& block,
                    const std::function<Substream(std::int64_t row)>& of_row) {
  const auto count = static_cast<std::size_t>(block.count),
             copies = static_cast<std::size_t>(block.copies);
  if (count == 0) return;
  const std::size_t dims = noise.size() / (copies * count);
  for (std::size_t row = 0; row < count; ++row) {
    const Substream stream = of_row(static_cast<std::int64_t>(row));
    for (std::size_t copy = 0; copy < copies; ++copy)
      fill_normals(stream, (static_cast<std::size_t>(block.first_copy) + copy) * dims,
                   noise.subspan((copy * count + row) * dims, dims));
  }
}

}  // namespace logpx::vae
