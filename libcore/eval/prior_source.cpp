#include "libcore/eval/prior_source.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/math/under_name.hpp"

#include <algorithm>

namespace logpx {
namespace {

constexpr std::int64_t rows_decoded_at_once = 64;

std::string place_name(const PriorComponent& component) {
  return "component (" + std::to_string(component.q) + ',' + std::to_string(component.p) +
         ") of the prior";
}

// Decodes those of the samples block, block + 1 ... that are present. A product of matrices may
// round a row by its place and by the number of rows, so every block is decoded whole, with copies
// of the nearest neighbour in place of missing samples.
std::vector<float> decoded_block(const ModelPrior& prior, const InverseSamples& samples,
                                 std::optional<ModelPrior::Noise> noise, std::int64_t block) {
  const std::int64_t begin = std::max(block, samples.first),
                     end = std::min(block + rows_decoded_at_once, samples.last);
  const std::size_t values = at(prior.shape().values());
  std::vector<double> z;
  for (std::int64_t i = block; i < block + rows_decoded_at_once; ++i) {
    const std::int64_t nearest = std::clamp(i, begin, end - 1) - samples.first;
    const std::span<const double> own = samples.z.subspan(at(nearest) * values, values);
    z.insert(z.end(), own.begin(), own.end());
  }
  if (noise) noise->first = block;
  const std::vector<float> all = prior.decode(z, noise);
  const std::int64_t dims = std::ssize(all) / rows_decoded_at_once;
  return {all.begin() + (begin - block) * dims, all.begin() + (end - block) * dims};
}

}  // namespace

PriorSource::PriorSource(const ModelPrior& prior, const InversionOptions& options, Workers& workers)
    : prior_(prior), workers_(workers), shape_(prior.shape()), inverses_(at(count())) {
  std::vector<double> lows(inverses_.size()), highs(inverses_.size());
  weights_.resize(inverses_.size());
  workers.run(count(), [&](std::int64_t number) {
    const std::size_t i = at(number);
    const PriorComponent component = prior.component(number / shape_.parts, number % shape_.parts);
    weights_[i] = component.weight;
    lows[i] = component.breaks.front();
    highs[i] = component.breaks.back();
    if (component.weight > 0)
      under_name([&] { return place_name(component); },
                 [&] { inverses_[i].emplace(density_of(component), options); });
  });
  domain_ = {*std::ranges::min_element(lows), *std::ranges::max_element(highs)};
}

std::int64_t PriorSource::uniforms() const {
  if (shape_.is_mixture) return 2 * shape_.latents;
  return shape_.is_shared ? shape_.parts : count();
}

std::vector<std::int64_t> PriorSource::shape() const {
  if (shape_.is_mixture) return {shape_.latents};
  return {shape_.latents, shape_.parts};
}

std::pair<double, double> PriorSource::domain() const { return domain_; }

std::vector<std::int32_t> PriorSource::components(std::span<const double> u) const {
  LOGPX_ASSERT(shape_.is_mixture);
  const std::size_t latents = at(shape_.latents), parts = at(shape_.parts);
  std::vector<std::int32_t> chosen(u.size() / 2);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    chosen[i] = static_cast<std::int32_t>(
        choose_component(std::span(weights_).subspan(i % latents * parts, parts), u[2 * i]));
  return chosen;
}

PriorSource::Uniforms PriorSource::with_choices(std::span<const double> u) const {
  return {u, shape_.is_mixture ? components(u) : std::vector<std::int32_t>{}};
}

// Collects the share of component `number` = (q,p).
void PriorSource::gather(std::int64_t number, const Uniforms& from, Share& share) const {
  const std::size_t q = at(number / shape_.parts), p = at(number % shape_.parts);
  const std::size_t latents = at(shape_.latents), each = at(uniforms());
  share.u.clear();
  share.places.clear();
  for (std::size_t i = 0; i < from.u.size() / each; ++i) {
    const std::span<const double> own = from.u.subspan(i * each, each);
    if (shape_.is_mixture) {
      if (at(from.chosen[i * latents + q]) != p) continue;
      share.u.push_back(own[2 * q + 1]);
      share.places.push_back(i * latents + q);
    } else {
      share.u.push_back(own[shape_.is_shared ? p : at(number)]);
      share.places.push_back(i * inverses_.size() + at(number));
    }
  }
}

void PriorSource::map(std::span<const double> u, std::span<double> z) const {
  const Uniforms from = with_choices(u);
  Share share;
  for (std::int64_t number = 0; number < count(); ++number) {
    if (!inverses_[at(number)]) continue;
    gather(number, from, share);
    share.z.resize(share.u.size());
    inverses_[at(number)]->quantiles(share.u, share.z);
    for (std::size_t i = 0; i < share.z.size(); ++i) z[share.places[i]] = share.z[i];
  }
}

double PriorSource::u_error(std::span<const double> u, std::span<const double> z) const {
  const Uniforms from = with_choices(u);
  std::vector<double> errors(inverses_.size(), 0);
  workers_.run(count(), [&](std::int64_t number) {
    if (!inverses_[at(number)]) return;
    Share share;
    gather(number, from, share);
    for (const std::size_t place : share.places) share.z.push_back(z[place]);
    const PanelCdf target(
        density_of(prior_.component(number / shape_.parts, number % shape_.parts)));
    errors[at(number)] = largest_u_error(target, share.u, share.z);
  });
  return *std::ranges::max_element(errors);
}

std::vector<float> decoded(const ModelPrior& prior, const InverseSamples& samples,
                           const std::optional<ModelPrior::Noise>& noise, Workers& workers) {
  const std::int64_t from = samples.first / rows_decoded_at_once,
                     to = (samples.last + rows_decoded_at_once - 1) / rows_decoded_at_once;
  std::vector<std::vector<float>> parts(at(to - from));
  workers.run(to - from, [&](std::int64_t part) {
    parts[at(part)] = decoded_block(prior, samples, noise, (from + part) * rows_decoded_at_once);
  });
  std::vector<float> x;
  for (const std::vector<float>& part : parts) x.insert(x.end(), part.begin(), part.end());
  return x;
}

}  // namespace logpx
