#include "libcore/families/kaem/chains/chain_training.hpp"

#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

constexpr double stuck = 0.1;  // share of moves that are accepted

}  // namespace

ChainStep::ChainStep(const KaemModel& model, const FitOptions& options, std::int64_t rows)
    : points(model.prior_form()), kept(model.prior_form()) {
  const PriorForm& form = model.prior_form();
  const LangevinOptions& o = options.langevin;
  const std::int64_t dims = o.support == Support::u_space ? form.score_dims() : form.z_dims();
  tuning = Tensor<double>({facts + 2 * (o.rungs() - 1)});
  tuning[eta] = o.eta;
  deviations = Tensor<double>({dims});
  std::ranges::fill(deviations.span(), 1.0);
  if (!o.persistent) return;
  chains = Tensor<float>({rows, o.rungs(), dims});
  visited = Tensor<std::uint8_t>({rows});
}

std::vector<TensorRef> ChainStep::state() {
  std::vector<TensorRef> all = {TensorRef::of("langevin/tuning", tuning),
                                TensorRef::of("langevin/deviations", deviations)};
  if (chains.size() == 0) return all;
  all.push_back(TensorRef::of("langevin/chains", chains));
  all.push_back(TensorRef::of("langevin/visited", visited));
  return all;
}

std::int64_t ChainStep::bytes(const LangevinOptions& options) const {
  const PriorForm& form = points.values.form;
  const std::int64_t starts_here = options.update_rows * (options.rungs() + 1);
  const std::int64_t samples = options.update_rows * (options.kept_states() + 1);
  const std::int64_t drawn = options.support == Support::u_space ? 0 : starts_here;
  const std::int64_t doubles =
      starts_here * dims() + (drawn + samples) * (form.uniforms() + 2 * form.z_dims());
  const std::int64_t floats =
      (samples + options.update_rows * learned_rungs(options).count) * form.n_q;
  return doubles * static_cast<std::int64_t>(sizeof(double)) +
         floats * static_cast<std::int64_t>(sizeof(float));
}

std::unique_ptr<ChainSpace> ChainStep::space(const LangevinOptions& options) const {
  if (options.support == Support::u_space) return u_space(points.values.form, inverses);
  return z_space(points.values, log_z);
}

ChainTraining::ChainTraining(KaemModel& model, const FitOptions& options, const TrainingRows& rows,
                             std::int64_t count)
    : options_(options),
      step_(model, options, count),
      penalties_({.model = model,
                  .options = options.penalties,
                  .trained = options.trained(),
                  .samples = [this] {
                    const PosteriorPoints& points = step_.points;
                    return PenaltySamples{points.values, points.draws.z, points.s, points.weights};
                  }}) {
  for (std::int64_t f = 0; f < model.prior_form().features(); ++f)
    tables_.emplace_back(step_.points.values.energies, f, options.its);
  const ChainParts parts{model, options_, step_, rows};
  const bool prior = options_.trains("prior");
  const bool pathwise = prior && options_.signal(model.prior_form()) == PriorSignal::pathwise;
  phases_.push_back(starts_phase(parts));
  phases_.push_back(chains_phase(parts));
  for (std::unique_ptr<Phase>& phase : penalties_.phases()) phases_.push_back(std::move(phase));
  if (pathwise || options_.trains("generator")) phases_.push_back(learning_phase(parts));
  const PriorParts of_prior{model, options_, step_.points, tables_};
  if (pathwise) phases_.push_back(retrace_phase(of_prior));
  if (prior) phases_.push_back(tilt_phase(of_prior));
}

std::int64_t ChainTraining::bytes() const {
  return std::ssize(step_.chains.span()) * static_cast<std::int64_t>(sizeof(float)) +
         step_.bytes(options_.langevin);
}

std::vector<Phase*> ChainTraining::phases() {
  std::vector<Phase*> list;
  for (const auto& phase : phases_) list.push_back(phase.get());
  return list;
}

GridSamples ChainTraining::grid_samples() {
  return {step_.kept.draws.z, step_.kept.weights, step_.kept.s, step_.points.values.energies.rho};
}

Metrics ChainTraining::metrics() const {
  Metrics all;
  const std::span<const double> pairs = step_.pairs();
  if (options_.langevin.swap == SwapRule::off) return all;
  for (std::size_t k = 0; k < pairs.size() / 2; ++k) {
    const double tried = pairs[k], accepted = pairs[pairs.size() / 2 + k];
    all.emplace_back("swap_accept_" + std::to_string(k + 1), tried == 0 ? 0 : accepted / tried);
  }
  return all;
}

std::vector<std::string> ChainTraining::concerns() const {
  const double updates = step_.tuning[ChainStep::updates];
  const double accept = updates == 0 ? 1 : step_.tuning[ChainStep::accept] / updates;
  if (accept >= stuck) return {};
  return {"chains hardly move: " + four_digits(accept) +
          " of their moves were accepted in the last epoch; a smaller --eta helps"};
}

}  // namespace logpx::kaem
