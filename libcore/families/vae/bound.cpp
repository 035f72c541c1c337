#include "libcore/families/vae/bound.hpp"

#include "libcore/det/draws.hpp"
#include "libcore/families/vae/objective.hpp"

namespace logpx::vae {

BoundPass::BoundPass(const VaeModel& model, std::int64_t rows, std::int64_t copies)
    : rows_(rows), copies_(copies) {
  const Pass pass = make_pass(model, graph_, rows, copies);
  graph_.output("recon", pass.recon);
  graph_.output("kl", analytic_kl(pass.q));
  graph_.output("mean", pass.q.mean);
  graph_.output("log_var", pass.q.log_var);
  run_ = std::make_unique<Executor<float>>(graph_, PlanRequest{});
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
