#include "libcore/families/kaem/training/row_weights.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/kaem/importance_scoring.hpp"
#include "libcore/families/kaem/training/importance.hpp"

#include <algorithm>
#include <numeric>

namespace logpx::kaem {

RowWeights::Outcome RowWeights::weigh(const Shard& shard, std::size_t i,
                                      std::span<const double> log_p, std::span<double> w,
                                      Memory& memory) const {
  weigh_samples(shard.rows[i], log_p, w);
  Outcome outcome{.ess = effective_size(w)};
  outcome.resampled = options_.resampler != Resampler::none &&
                      outcome.ess < options_.ess * static_cast<double>(options_.samples);
  if (outcome.resampled) draw_again(shard, i, w, memory);
  return outcome;
}

// The weights become shares of draws.
void RowWeights::draw_again(const Shard& shard, std::size_t i, std::span<double> w,
                            Memory& memory) const {
  const Substream stream =
      Rng(shard.place.seed).stream(Stream::resample, static_cast<std::uint32_t>(shard.place.step));
  memory.uniforms.resize(w.size());
  const auto first = static_cast<std::uint64_t>(shard.places[i]) * w.size();
  for (std::size_t k = 0; k < w.size(); ++k) memory.uniforms[k] = stream.uniform(first + k);
  memory.drawn.resize(w.size());
  resample(options_.resampler, w, memory.uniforms, memory.drawn, memory.resampling);
  std::ranges::fill(w, 0.0);
  for (const std::int64_t k : memory.drawn) w[at(k)] += 1 / static_cast<double>(w.size());
}

void ImportanceStep::note_sizes(const StepPlace& place, std::span<const double> found) {
  const double smallest = std::ranges::min(found), of_rows = static_cast<double>(found.size());
  if (place.step == 0 || ess[epoch] != static_cast<double>(place.epoch)) {
    ess[epoch] = static_cast<double>(place.epoch);
    ess[least] = smallest;
    ess[sum] = ess[updates] = 0;
  }
  ess[least] = std::min(ess[least], smallest);
  ess[sum] += std::accumulate(found.begin(), found.end(), 0.0) / of_rows;
  ess[updates] += 1;
}

}  // namespace logpx::kaem
