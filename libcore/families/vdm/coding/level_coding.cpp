#include "libcore/families/vdm/coding/level_coding.hpp"

#include "libcore/base/index.hpp"
#include "libcore/codec/tables.hpp"

#include <algorithm>
#include <utility>

namespace logpx::vdm {
namespace {

constexpr int likelihood_precision = 24;

}  // namespace

StepConditionals::StepConditionals(const DiffusionModel& model, const CodedSteps& steps)
    : network_(model.repeatable_predictor()),
      denoiser_(*network_, {}),
      grid_(steps.gammas),
      places_(model.model_info().samples),
      levels_(model.levels()),
      dims_(at(network_->dims())),
      has_classes_(network_->classes() > 0) {
  denoiser_.clip_to(steps.limit);
}

void StepConditionals::values(std::span<const std::uint8_t> symbols, std::span<double> x) const {
  for (std::size_t i = 0; i < symbols.size(); ++i)
    x[places_(i)] = value_of_level(symbols[i], levels_);
}

void StepConditionals::noised(std::size_t i, std::span<const std::uint8_t> x,
                              codec::NormalVector q) const {
  const NoiseLevel& level = grid_.levels[i];
  values(x, q.mean);
  for (double& mean : q.mean) mean *= level.alpha;
  std::ranges::fill(q.deviation, level.sigma);
}

void StepConditionals::denoised(std::size_t i, std::span<const double> above,
                                codec::NormalVector p) const {
  const Transition& step = grid_.steps[i];
  const std::vector<std::int32_t> none(has_classes_ ? 1 : 0, no_label);
  denoiser_.noise({above, std::span(&step.t, 1), none}, p.mean);
  for (std::size_t d = 0; d < dims_; ++d) p.mean[d] = step.mean_by_noise(above[d], p.mean[d]);
  std::ranges::fill(p.deviation, step.deviation);
}

void StepConditionals::prior(codec::NormalVector p) const {
  std::ranges::fill(p.mean, 0.0);
  std::ranges::fill(p.deviation, 1.0);
}

std::unique_ptr<codec::SymbolVector> StepConditionals::likelihood(std::span<const double> z) const {
  const NoiseLevel& level = grid_.levels.front();
  std::vector<double> r(z.begin(), z.end());
  for (double& value : r) value /= level.alpha;
  return codec::symbols_of([
    r = std::move(r), decoder = LevelDecoder(levels_, level.gamma), places = places_,
    weights = std::vector<double>(at(levels_)), table = codec::SummedTable()
  ](std::size_t i, auto) mutable -> const auto& {
    decoder.weights(r[places(i)], weights);
    table.assign_leaky(weights, likelihood_precision);
    return table;
  });
}

void UpwardCoding::up(std::size_t level, std::span<const double> below,
                      codec::NormalVector q) const {
  const Transition& step = steps_->grid().steps[level - 1];
  for (std::size_t d = 0; d < below.size(); ++d) q.mean[d] = step.carry * below[d];
  std::ranges::fill(q.deviation, step.diffusion);
}

void UpwardCoding::down(std::size_t level, std::span<const double> above,
                        codec::NormalVector p) const {
  if (level == steps_->grid().top()) steps_->prior(p);
  else steps_->denoised(level, above, p);
}

void DownwardCoding::prior(std::size_t level, codec::LevelValues z, codec::NormalVector p) const {
  if (level == steps_->grid().top()) steps_->prior(p);
  else steps_->denoised(level, z[level + 1], p);
}

void DownwardCoding::posterior(std::size_t level, std::span<const std::uint8_t> x,
                               codec::LevelValues z, codec::NormalVector q) const {
  if (level == steps_->grid().top()) return steps_->noised(level, x, q);
  const Transition& step = steps_->grid().steps[level];
  steps_->values(x, q.mean);
  for (std::size_t d = 0; d < q.mean.size(); ++d)
    q.mean[d] = step.mean_by_clean(z[level + 1][d], q.mean[d]);
  std::ranges::fill(q.deviation, step.deviation);
}

}  // namespace logpx::vdm
