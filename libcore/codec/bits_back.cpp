// What an encoder does to the message for one item x, and how a decoder undoes it, step by step in
// the reverse order. The message is a stack: a pop takes bits from it, a push adds some.
//
//   encode, from top to bottom                     decode, from bottom to top
//
//   message --- pop  z under q(z|x) --> z          message <-- push z under q(z|x) --- z
//   message <-- push x under p(x|z) --- x          message --- pop  x under p(x|z) --> x
//   message <-- push z under p(z) ----- z          message --- pop  z under p(z) ----> z
//
// The first line borrows log 1/q(z|x) bits of items coded before, and the decoder, which knows x by
// then, gives them back. Net length: log 1/p(x|z) + log 1/p(z) - log 1/q(z|x).
//
// Under a prior with components the encoder also pops the component k under p(k|z), when it has z,
// and pushes z under p(z|k) and k in place of z under p(z): log 1/p(k|z) bits come back, too, and
// what is left is log 1/p(z).
//
// Each line is a step below, with its push and its pop: an encoder pops what is `drawn` and pushes
// what is `coded`, a decoder does the opposite. q, p_x and p_z are the three distributions.
#include "libcore/codec/bits_back.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/scheme.hpp"
#include "libcore/codec/tables.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/det/reductions.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

namespace logpx::codec {
namespace {

using std::numbers::ln2;
constexpr int choice_precision = 24;
constexpr double ln_two_pi = 1.8378770664093454836;

std::span<const std::uint32_t> read(const std::vector<std::uint32_t>& v) { return v; }

}  // namespace

BitsBack::BitsBack(const LatentCoding& coding, BitsBackSettings settings)
    : BinnedScheme(coding, std::move(settings)) {
  const auto q = [this](V& v) {
    know_posterior(v);
    return [this, &v](std::size_t d) { return posterior(v, d); };
  };
  const auto stirred_q = [q](V& v) {
    return [q_of = q(v)](std::size_t d) { return Stirred{q_of(d)}; };
  };
  if (coding.before_draws() == BeforeDraws::nothing)
    drawn(
        Part::posterior, [=](Message& m, V& v) { push_vector(m, read(v.bins), q(v)); },
        [=](Message& m, V& v) { pop_vector(m, std::span(v.bins), q(v)); });
  else
    drawn(
        Part::posterior, [=](Message& m, V& v) { push_vector(m, read(v.bins), stirred_q(v)); },
        [=](Message& m, V& v) { pop_vector(m, std::span(v.bins), stirred_q(v)); });
  code_likelihood_and_prior();
}

void BinnedScheme::code_likelihood_and_prior() {
  const ComponentPrior* const components = coding_.prior();
  if (components != nullptr) return code_components(*components);
  code_likelihood();
  // Bins have equal mass under the prior.
  const auto p_z = [bits = settings_.bins[0]->bits](std::size_t) { return UniformBits{bits}; };
  coded(
      Part::prior, [=](Message& m, V& v) { push_vector(m, read(v.bins), p_z); },
      [=](Message& m, V& v) { pop_vector(m, std::span(v.bins), p_z); });
}

void BinnedScheme::code_likelihood() {
  const auto p_x = [this](const V& v) { return likelihood(v.bins); };
  coded(
      Part::likelihood, [=](Message& m, V& v) { p_x(v)->push(m, v.x); },
      [=](Message& m, V& v) { p_x(v)->pop(m, v.x); });
}

void BinnedScheme::code_components(const ComponentPrior& prior) {
  const auto p_k_given_z = [this, &prior](const V& v) {
    std::vector<double> weights(prior.weights().size());
    prior.log_joint(centres(v.bins), weights);
    const double nats[] = {det::log_sum_exp(weights)};
    check_finite(std::span<const double>(nats), "the density of the prior");
    det::softmax(weights, weights);
    return Table::posterior(weights, choice_precision);
  };
  drawn(
      Part::posterior, [=](Message& m, V& v) { push(m, p_k_given_z(v), v.component); },
      [=](Message& m, V& v) { v.component = pop(m, p_k_given_z(v)); });
  code_likelihood();
  // A decoder asks for element d when it has just found the one before.
  const auto p_z_given_k = [this, &prior](const V& v) {
    return [this, &prior, &v, z = centres(v.bins)](std::size_t d) mutable {
      if (d > 0) z[d - 1] = settings_.bins[d - 1]->centres[v.bins[d - 1]];
      return PriorBins(*settings_.bins[d], prior.next(v.component, std::span(z).first(d)),
                       settings_.precision);
    };
  };
  coded(
      Part::prior, [=](Message& m, V& v) { push_vector(m, read(v.bins), p_z_given_k(v)); },
      [=](Message& m, V& v) { pop_vector(m, std::span(v.bins), p_z_given_k(v)); });
  // Unless the message is stirred, the next z would be drawn by where k has left it, and so follow
  // this k.
  const auto p_k = [&prior] { return Table::leaky(prior.weights(), choice_precision); };
  coded(
      Part::prior,
      [=, this](Message& m, V& v) {
        push(m, p_k(), v.component);
        for (int lane = 0; lane < m.lanes(); ++lane) m.stir(settings_.precision, lane);
      },
      [=, this](Message& m, V& v) {
        for (int lane = 0; lane < m.lanes(); ++lane) m.unstir(settings_.precision, lane);
        v.component = pop(m, p_k());
      });
}

std::vector<const Bins*> standard_bins(std::size_t latents, int bits, Workers& workers) {
  return std::vector<const Bins*>(latents, &normal_bins(bits, workers));
}

std::vector<const Bins*> LatentCoding::bins(int bits, Workers& workers) const {
  return standard_bins(latents(), bits, workers);
}

BinnedScheme::BinnedScheme(const LatentCoding& coding, BitsBackSettings settings)
    : coding_(coding), settings_(std::move(settings)) {
  LOGPX_ASSERT(settings_.bins.size() == coding.latents() && coding.latents() > 0);
  for (const Bins* bins : settings_.bins) LOGPX_ASSERT(bins->bits == settings_.bins[0]->bits);
}

LatentVariables BinnedScheme::variables_for(std::span<const std::uint8_t> items,
                                            std::uint64_t) const {
  const std::size_t latents = coding_.latents(), count = items_in(items.size());
  LatentVariables v;
  v.mean.resize(latents);
  v.deviation.resize(latents);
  v.bins.resize(latents);
  if (count == 0) return v;
  std::vector<float> mean(count * latents), log_var(count * latents);
  coding_.posterior(items, mean, log_var);
  check_finite(std::span<const float>(mean), "the mean of the posterior");
  check_finite(std::span<const float>(log_var), "the log-variance of the posterior");
  v.all_means.assign(mean.begin(), mean.end());
  for (const float value : log_var)
    v.all_deviations.push_back(deviation_of(static_cast<double>(value)));
  return v;
}

void BinnedScheme::know_posterior(LatentVariables& v) const {
  const std::size_t latents = coding_.latents(), from = v.item * latents;
  if (!v.all_means.empty()) {
    std::copy_n(v.all_means.data() + from, latents, v.mean.data());
    std::copy_n(v.all_deviations.data() + from, latents, v.deviation.data());
    return;
  }
  const LatentVariables one = variables_for(v.x, 0);
  v.mean = one.all_means;
  v.deviation = one.all_deviations;
}

std::vector<double> BinnedScheme::centres(std::span<const std::uint32_t> bins) const {
  std::vector<double> z(bins.size());
  for (std::size_t d = 0; d < z.size(); ++d) z[d] = settings_.bins[d]->centres[bins[d]];
  return z;
}

std::unique_ptr<SymbolVector> BinnedScheme::likelihood(std::span<const std::uint32_t> bins) const {
  const std::vector<double> z = centres(bins);
  return coding_.likelihood(std::vector<float>(z.begin(), z.end()));
}

void BitsBack::score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                     std::span<double> nats) const {
  LatentVariables v = variables_for(items, 0);
  std::vector<float> z(coding_.latents());
  for (std::size_t i = 0; i < nats.size(); ++i) {
    v.item = i;
    know_posterior(v);
    const Substream noise = rng.stream(Stream::evaluation, first + static_cast<std::uint32_t>(i));
    const double divergence = draw_all(v, noise, z);
    const auto x = item_of(items, i);
    nats[i] = coding_.likelihood(z)->add_log_probability(x, 0.0) - divergence;
  }
}

// z ~ q, and the divergence of q from the prior.
double BitsBack::draw_all(const LatentVariables& v, const Substream& noise,
                          std::span<float> z) const {
  double divergence = 0.0;
  const ComponentPrior* const prior = coding_.prior();
  if (prior == nullptr) {
    for (std::size_t d = 0; d < z.size(); ++d) divergence += draw(v, d, noise, z[d]);
    return divergence;
  }
  std::vector<double> exact(z.size()), nats(prior->weights().size());
  for (std::size_t d = 0; d < z.size(); ++d) {
    const double eps = normal_at(noise, d);
    exact[d] = v.mean[d] + v.deviation[d] * eps;
    z[d] = static_cast<float>(exact[d]);
    divergence = divergence - 0.5 * (ln_two_pi + eps * eps) - det_log(v.deviation[d]);
  }
  prior->log_joint(exact, nats);
  return divergence - det::log_sum_exp(nats);
}

// The same for one latent whose prior is its own.
double BitsBack::draw(const LatentVariables& v, std::size_t d, const Substream& noise,
                      float& z) const {
  const Bins& bins = *settings_.bins[d];
  if (bins.prior == Bins::Prior::normal) {
    const double mean = v.mean[d], s = v.deviation[d];
    z = static_cast<float>(mean + s * normal_at(noise, d));
    return 0.5 * (mean * mean + s * s - 1.0) - det_log(s);
  }
  const PosteriorBins q = posterior(v, d);
  const std::uint32_t bin = q.find(noise.word(d) >> (32 - settings_.precision));
  z = static_cast<float>(bins.centres[bin]);
  return log_probability(q, bin) + static_cast<double>(bins.bits) * ln2;
}

Particles::Particles(const LatentCoding& coding, BitsBackSettings settings, std::uint32_t count)
    : BinnedScheme(coding, std::move(settings)), count_(count) {
  LOGPX_ASSERT(count >= 1 && count <= 1024);
  const auto uniform = [r = settings_.precision](std::size_t) { return UniformBits{r}; };
  drawn(
      Part::posterior, [=](Message& m, V& v) { push_vector(m, read(v.shared), uniform); },
      [=, this](Message& m, V& v) {
        v.shared.resize(coding_.latents());
        pop_vector(m, std::span(v.shared), uniform);
        know_posterior(v);
      });
  drawn(
      Part::posterior, [this](Message& m, V& v) { push(m, choices(v), v.chosen); },
      [this](Message& m, V& v) {
        v.chosen = pop(m, choices(v));
        const std::size_t latents = coding_.latents();
        std::copy_n(v.all_bins.data() + v.chosen * latents, latents, v.bins.data());
      });
  coded(
      Part::posterior,
      [this](Message& m, V& v) {
        std::vector<std::uint32_t> parts(v.bins.size()), offsets(v.bins.size());
        for (std::size_t d = 0; d < parts.size(); ++d) {
          const Slot slot = slot_of(posterior(v, d), v.bins[d]);
          const std::uint32_t mask = (1u << settings_.precision) - 1;
          parts[d] = slot.frequency;
          offsets[d] = ((v.shared[d] + shift(v.chosen, d)) & mask) - slot.start;
        }
        push_vector(m, read(offsets), [&](std::size_t d) { return Uniform{parts[d]}; });
      },
      [this](Message& m, V& v) { restore(m, v); });
  code_likelihood_and_prior();
  coded(
      Part::prior, [this](Message& m, V& v) { m.push_uniform(v.chosen, count_); },
      [this](Message& m, V& v) { v.chosen = m.pop_uniform(count_); });
}

std::uint32_t Particles::shift(std::uint32_t k, std::size_t d) const {
  if (k == 0) return 0;
  const std::uint32_t sum = k * 0x9E3779B1u + static_cast<std::uint32_t>(d) * 0x85EBCA77u;
  return sum & ((1u << settings_.precision) - 1);
}

// Fills all_bins from `shared`; ln p(x|z^k) - sum_d ln(parts of the bin).
std::vector<double> Particles::log_weights(LatentVariables& v) const {
  const std::size_t latents = coding_.latents();
  const std::uint32_t mask = (1u << settings_.precision) - 1;
  v.all_bins.resize(count_ * latents);
  std::vector<double> weights(count_);
  for (std::uint32_t k = 0; k < count_; ++k) {
    const std::span bins = std::span(v.all_bins).subspan(k * latents, latents);
    for (std::size_t d = 0; d < latents; ++d)
      bins[d] = posterior(v, d).find((v.shared[d] + shift(k, d)) & mask);
    double sum = likelihood(bins)->add_log_probability(v.x, 0.0);
    for (std::size_t d = 0; d < latents; ++d)
      sum = sum - det_log(static_cast<double>(slot_of(posterior(v, d), bins[d]).frequency));
    weights[k] = sum + prior_against_bins(bins);
  }
  check_finite(std::span<const double>(weights), "the weight of a particle");
  return weights;
}

// ln p(z) of these bins, beside bins of equal mass: 0 where that is the prior.
double Particles::prior_against_bins(std::span<const std::uint32_t> bins) const {
  const ComponentPrior* const prior = coding_.prior();
  if (prior == nullptr) return 0.0;
  std::vector<double> nats(prior->weights().size());
  prior->log_joint(centres(bins), nats);
  double sum = det::log_sum_exp(nats);
  for (std::size_t d = 0; d < bins.size(); ++d) {
    const Bins& own = *settings_.bins[d];
    const double width = own.width(bins[d]);
    sum = sum + det_log(width) + static_cast<double>(own.bits) * ln2;
  }
  return sum;
}

Table Particles::choices(LatentVariables& v) const {
  std::vector<double> weights = log_weights(v);
  const double largest = *std::max_element(weights.begin(), weights.end());
  for (double& w : weights) w = det_exp(w - largest);
  return Table::posterior(weights, choice_precision);
}

// In a decoder: finds `shared` from where in its bin the chosen particle lay.
void Particles::restore(Message& m, LatentVariables& v) const {
  know_posterior(v);
  const auto part = [&](std::size_t d) { return slot_of(posterior(v, d), v.bins[d]); };
  v.shared.resize(v.bins.size());
  pop_vector(m, std::span(v.shared), [&](std::size_t d) { return Uniform{part(d).frequency}; });
  const std::uint32_t mask = (1u << settings_.precision) - 1;
  for (std::size_t d = 0; d < v.shared.size(); ++d)
    v.shared[d] = (v.shared[d] + part(d).start - shift(v.chosen, d)) & mask;
}

void Particles::score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                      std::span<double> nats) const {
  LatentVariables v = variables_for(items, 0);
  const std::size_t latents = coding_.latents();
  v.shared.resize(latents);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    const auto x = item_of(items, i);
    v.x.assign(x.begin(), x.end());
    v.item = i;
    know_posterior(v);
    Cursor words(rng.stream(Stream::evaluation, first + static_cast<std::uint32_t>(i)));
    for (std::uint32_t& u : v.shared) u = words.word() >> (32 - settings_.precision);
    const double per_latent = static_cast<double>(settings_.precision - settings_.bins[0]->bits);
    nats[i] = det::log_sum_exp(log_weights(v)) - det_log(static_cast<double>(count_)) +
              static_cast<double>(latents) * per_latent * ln2;
  }
}

}  // namespace logpx::codec
