#include "libcore/families/vdm/coding/level_coding.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace logpx::vdm {
namespace {

constexpr int coder_fineness = 4;
constexpr double widest = 4096;           // deviation, in cells
constexpr double window_deviations = 16;  // that are coded cell by cell
constexpr double most_cells = 0x1p30;
constexpr double reach = 6;  // deviations beyond x at its largest

struct Deviations {
  double under_p = 0, under_q = 0;
};

std::vector<Deviations> deviations_of(std::span<const NoiseLevel> levels,
                                      std::span<const Transition> steps) {
  std::vector<Deviations> all(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    all[i].under_p = i < steps.size() ? steps[i].deviation : 1.0;
    all[i].under_q = i > 0 ? steps[i - 1].diffusion : levels[0].sigma;
  }
  return all;
}

std::vector<NoiseLevel> levels_of(std::span<const double> gammas) {
  const Process preserving;
  std::vector<NoiseLevel> levels;
  for (const double gamma : gammas) levels.push_back(preserving.at(gamma));
  return levels;
}

std::vector<Transition> steps_of(std::span<const NoiseLevel> levels) {
  std::vector<Transition> steps;
  for (std::size_t i = 1; i < levels.size(); ++i)
    steps.push_back(transition(levels[i - 1], levels[i]));
  return steps;
}

double spacing_of(const Deviations& both, int fineness) {
  return std::ldexp(std::min(both.under_p, both.under_q), -fineness);
}

codec::Lattice lattice_of(const NoiseLevel& level, const Deviations& both, std::size_t i) {
  const double h = spacing_of(both, coder_fineness);
  const double half = level.alpha + reach * level.sigma, cells = std::ceil(2 * half / h);
  const double wide = std::max(both.under_p, both.under_q) / h;
  if (!(h > 0) || !(wide <= widest) || !(cells <= most_cells))
    fail(ErrorKind::data, "",
         "has a noise schedule whose steps around level " + std::to_string(i) +
             " are too uneven to code by");
  const auto window =
      std::bit_ceil(static_cast<std::uint32_t>(std::ceil(window_deviations * wide)));
  return {{-half, h, static_cast<std::uint32_t>(cells)}, window};
}

}  // namespace

std::vector<double> lattice_spacings(std::span<const double> gammas, int fineness) {
  const std::vector<NoiseLevel> levels = levels_of(gammas);
  std::vector<double> spacings;
  for (const Deviations& both : deviations_of(levels, steps_of(levels)))
    spacings.push_back(spacing_of(both, fineness));
  return spacings;
}

LevelGrid::LevelGrid(std::span<const double> gammas)
    : levels(levels_of(gammas)), steps(steps_of(levels)) {
  const std::vector<Deviations> both = deviations_of(levels, steps);
  for (std::size_t i = 0; i < levels.size(); ++i)
    lattices.push_back(lattice_of(levels[i], both[i], i));
}

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
