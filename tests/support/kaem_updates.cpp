#include "tests/support/kaem_updates.hpp"

#include "libcore/base/index.hpp"

#include <numeric>

namespace logpx::kaem {

double run_phases(std::span<Phase* const> phases, ParamSet& params, const OneUpdate& update,
                  std::span<float> gradient) {
  const std::vector<std::int64_t> rows(at(update.copies));
  std::vector<std::int64_t> places(rows.size());
  std::iota(places.begin(), places.end(), 0);
  const StepPlace place{.seed = 7, .step = update.step, .rows = update.copies};
  Workers alone(1);
  double term = 0;
  for (Phase* const phase : phases) {
    const PhaseSettings& settings = phase->settings();
    phase->begin({.place = place, .rows = rows, .places = places});
    std::vector<double> terms(settings.terms.size() + at(settings.extra_sums) +
                              at(settings.sums_per_row * update.copies));
    std::vector<float> block(at(params.block_size()));
    const std::vector<BlockRange> written = params.ranges(params.under(settings.writes));
    const std::int64_t items = settings.items > 0 ? settings.items : update.copies;
    const Shard shard{
        .place = place, .count = items, .step_count = items, .rows = rows, .places = places};
    const std::span<float> own = settings.gradient ? std::span(block) : std::span<float>();
    phase->run(shard, params.block(), {own, terms, written});
    phase->finish(place, {own, terms});
    if (settings.update == Update::own) phase->update(place, {own, terms}, alone);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += block[i];
    if (!settings.terms.empty()) term = terms[0];
  }
  return term;
}

std::vector<float> gradient_of_update(KaemTask& task, const OneUpdate& update) {
  std::vector<float> gradient(at(task.params().block_size()));
  const std::vector<Phase*> phases = task.phases();
  run_phases(phases, task.params(), update, gradient);
  for (float& g : gradient) g = -g;
  return gradient;
}

}  // namespace logpx::kaem
