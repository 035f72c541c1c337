#include "libcore/families/vae/bound.hpp"

#include "libcore/families/vae/objective.hpp"
#include "libcore/train/row_noise.hpp"

namespace logpx::vae {

ExecutorPool bound_passes(const VaeModel& model, const Numerics& numerics) {
  const auto build = [&model](std::int64_t rows, std::int64_t copies) {
    auto graph = std::make_unique<Graph>();
    const Pass pass = make_pass(model, *graph, rows, copies);
    graph->output("recon", pass.recon);
    graph->output("kl", analytic_kl(pass.q));
    graph->output("mean", pass.q.mean);
    graph->output("log_var", pass.q.log_var);
    return graph;
  };
  return {build, {.numerics = numerics}};
}

BoundPass::BoundPass(const VaeModel& model, ExecutorPool& passes, Size size)
    : rows_(size.rows),
      copies_(size.copies),
      takes_index_(model.likelihood().takes_index()),
      loan_(passes.lend({size.rows, size.copies})) {}

void BoundPass::run(std::span<const float> theta, const Rng& rng, Numbers numbers) {
  GraphInputs& inputs = loan_.inputs();
  fill_row_noise(inputs.values("noise"), {copies_, rows_, numbers.draw}, [&](std::int64_t row) {
    return rng.stream(Stream::evaluation, static_cast<std::uint32_t>(numbers.row + row));
  });
  if (takes_index_) fill_index(inputs.values("x"), inputs.indices("index"));
  loan_.executor().bind_parameters(theta);
  loan_.executor().forward();
}

double BoundPass::recon(std::int64_t draw, std::int64_t row) const {
  return static_cast<double>(output("recon")[static_cast<std::size_t>(draw * rows_ + row)]);
}

double BoundPass::kl(std::int64_t row) const {
  return static_cast<double>(output("kl")[static_cast<std::size_t>(row)]);
}

void fill_index(std::span<const float> x, std::span<std::int32_t> index) {
  for (std::size_t i = 0; i < index.size(); ++i)
    index[i] = static_cast<std::int32_t>(x[i % x.size()]);
}

}  // namespace logpx::vae
