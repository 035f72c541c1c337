#include "libcore/families/vae/bound.hpp"

#include "libcore/families/vae/objective.hpp"
#include "libcore/train/row_noise.hpp"

namespace logpx::vae {

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

}  // namespace logpx::vae
