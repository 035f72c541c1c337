#include "libcore/families/vdm/coding/level_grid.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

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

}  // namespace logpx::vdm
