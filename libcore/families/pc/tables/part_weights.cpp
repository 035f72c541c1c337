#include "libcore/families/pc/tables/part_weights.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>

namespace logpx::pc {

std::vector<double> log_p_of_part(PcModel& model, std::int64_t part, const Examples& rows) {
  const BlockRange range = model.plan().range(model.circuit().root, 0);
  const std::span<float> weights =
      model.param_set().block().subspan(at(range.begin), at(range.end - range.begin));
  const std::vector<float> before(weights.begin(), weights.end());
  std::ranges::fill(weights, 0.0F);
  weights[at(part)] = 1;
  std::vector<double> nats = model.log_p(rows);
  std::ranges::copy(before, weights.begin());
  return nats;
}

std::vector<double> mixing_weights(const std::vector<std::vector<double>>& nats) {
  constexpr int steps = 300;
  const std::size_t parts = nats.size(), rows = nats[0].size();
  std::vector<double> weights(parts, 1 / static_cast<double>(parts)), counts(parts), shares(parts);
  std::vector<double> p(parts * rows);  // beside the best part of each row
  for (std::size_t i = 0; i < rows; ++i) {
    double best = nats[0][i];
    for (const std::vector<double>& own : nats) best = std::max(best, own[i]);
    for (std::size_t k = 0; k < parts; ++k) p[i * parts + k] = det_exp(nats[k][i] - best);
  }
  for (int step = 0; step < steps; ++step) {
    std::ranges::fill(counts, 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < parts; ++k) sum += shares[k] = weights[k] * p[i * parts + k];
      for (std::size_t k = 0; k < parts && sum > 0; ++k) counts[k] += shares[k] / sum;
    }
    double total = 0;
    for (const double count : counts) total += count;
    for (std::size_t k = 0; k < parts && total > 0; ++k) weights[k] = counts[k] / total;
  }
  return weights;
}

}  // namespace logpx::pc
