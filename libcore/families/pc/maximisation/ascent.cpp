#include "libcore/families/pc/maximisation/ascent.hpp"

#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"
#include "libcore/families/pc/circuit/circuit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace logpx::pc {
namespace {

// Calls visit(first element, columns) for every row of probabilities.
template <typename Visit>
void visit_rows(const ParamSet& layout, Visit visit) {
  for (const ParamInfo& info : layout.infos()) {
    if (use_of(info.name) != TensorUse::rows) continue;
    const std::int64_t columns = info.shape.back(), end = info.offset + info.shape.elements();
    for (std::int64_t begin = info.offset; begin < end; begin += columns)
      visit(at(begin), at(columns));
  }
}

// Keeps the logit of a probability of 0 finite.
float logit_of(float p) {
  return static_cast<float>(
      det_log(static_cast<double>(std::max(p, std::numeric_limits<float>::min()))));
}

void soften(std::span<const float> logits, std::span<float> p) {
  const auto largest = static_cast<double>(*std::ranges::max_element(logits));
  double sum = 0;
  for (const float logit : logits) sum += det_exp(static_cast<double>(logit) - largest);
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] = static_cast<float>(det_exp(static_cast<double>(logits[i]) - largest) / sum);
}

}  // namespace

void logit_slopes(const ParamSet& layout, std::span<const float> theta, std::span<float> counts) {
  visit_rows(layout, [&](std::size_t begin, std::size_t columns) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + columns; ++i) sum += static_cast<double>(counts[i]);
    for (std::size_t i = begin; i < begin + columns; ++i)
      counts[i] =
          static_cast<float>(static_cast<double>(counts[i]) - static_cast<double>(theta[i]) * sum);
  });
}

Ascent::Ascent(const ParamSet& layout, const TrainOptions& options)
    : layout_(layout),
      optimizer_(layout, options.optimizer),
      all_(optimizer_.select()),
      clipping_(options.clipping()),
      logits_({layout.block_size()}) {}

void Ascent::run(const Step& step, std::span<float> counts, std::span<float> theta,
                 Workers& workers) {
  logit_slopes(layout_, theta, counts);
  const auto rows = static_cast<float>(step.rows);
  for (float& slope : counts) slope = -slope / rows;
  const std::span<float> logits = logits_.span();
  for (std::size_t i = 0; i < theta.size(); ++i) logits[i] = logit_of(theta[i]);
  const double norm = optimizer_.norm(all_, counts, workers);
  optimizer_.step(all_, {.theta = logits, .gradient = counts},
                  {.rate = step.rate,
                   .clip_scale = clipping_.scale(norm),
                   .clip_value = clipping_.by == Clipping::By::value ? clipping_.limit : 0},
                  workers);
  visit_rows(layout_, [&](std::size_t begin, std::size_t columns) {
    soften(logits.subspan(begin, columns), theta.subspan(begin, columns));
  });
}

void Ascent::reset() {
  for (int tensor = 0; tensor < layout_.count(); ++tensor) optimizer_.reset(tensor);
}

}  // namespace logpx::pc
