#include "libcore/families/kaem/chains/chain_walk.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/families/kaem/prior/prior_draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace logpx::kaem {
namespace {

constexpr double farthest = 1e6, modest_eta = 1e-3;
// A number that no chain has: its uniforms choose the share of the preconditioner.
constexpr std::uint64_t of_all_chains = std::uint64_t{1} << 40;

SwapPairs pairs_of(SwapRule rule) {
  return rule == SwapRule::alternating ? SwapPairs::alternating : SwapPairs::random;
}

}  // namespace

ChainWalk::ChainWalk(TemperedTarget target, const LangevinOptions& options,
                     const WalkTuning& tuning, const Shard& shard)
    : target_(std::move(target)),
      options_(options),
      tuning_(tuning),
      shard_(shard),
      rows_(shard.places.begin(), shard.places.end()) {
  const std::size_t rungs = target_.t.size();
  for (std::size_t k = 0; k < rungs; ++k)
    for (const std::uint64_t row : rows_) numbers_.push_back(row * rungs + k);
  etas_.assign(numbers_.size(), tuning.eta);
  outcome_.tried.resize(rungs - 1);
  outcome_.exchanged.resize(rungs - 1);
  density_ = [this](std::span<const double> c, std::span<double> log_density,
                    std::span<double> gradient) { density(c, log_density, gradient); };
  if (target_.box) density_ = mirrored(std::move(density_), *target_.box);
}

void ChainWalk::density(std::span<const double> c, std::span<double> log_density,
                        std::span<double> gradient) {
  const std::size_t chains = log_density.size(), rows = rows_.size();
  z_.resize(chains * at(target_.form.z_dims()));
  s_.resize(chains * at(target_.form.n_q));
  by_s_.resize(s_.size());
  log_prior_.resize(chains);
  target_.space.to_z(c, z_);
  sum_rows(target_.form, z_, s_);
  target_.likelihood(s_, log_density, by_s_);
  target_.space.log_prior(c, log_prior_, gradient);
  target_.space.pull_back(by_s_, gradient);
  for (std::size_t i = 0; i < chains; ++i)
    log_density[i] = target_.t[i / rows] * log_density[i] + log_prior_[i];
}

void ChainWalk::start(std::vector<double> places) {
  chains_ = start_langevin(std::move(places), target_.space.dims(), density_);
  if (target_.box) fold(chains_, *target_.box);
  for (std::size_t c = 0; c < chains_.log_density.size(); ++c)
    if (!std::isfinite(chains_.log_density[c]))
      fail(ErrorKind::numeric, "row " + std::to_string(shard_.rows[c % rows_.size()]),
           "its chain cannot start where log p(x|z) + log p(z) is " +
               to_text(chains_.log_density[c]),
           "a larger --obs-std of fit-prior");
}

void ChainWalk::move(std::int64_t i) {
  propose(i);
  if (options_.swap == SwapRule::off || target_.t.size() < 2) return;
  if ((i + 1) % options_.swap_every == 0) exchange(i);
}

void ChainWalk::propose(std::int64_t i) {
  const LangevinNoise noise =
      langevin_noise(Rng(shard_.place.seed),
                     static_cast<std::uint32_t>(shard_.place.step * options_.steps + i), numbers_);
  const auto add = [&](const LangevinOutcome& moves) {
    outcome_.accept += std::accumulate(moves.accept.begin(), moves.accept.end(), 0.0);
  };
  switch (options_.posterior) {
    case PosteriorKind::importance:
    case PosteriorKind::encoder: break;
    case PosteriorKind::ula:
      ula_move(chains_, density_, {etas_}, noise);
      outcome_.accept += static_cast<double>(numbers_.size());
      require_near(i);
      break;
    case PosteriorKind::mala: add(mala_move(chains_, density_, {etas_}, noise)); break;
    case PosteriorKind::automala: {
      const std::vector<double> own = scales(noise);
      const AutoMove move{
          .step = {.eta = tuning_.eta,
                   .least = options_.eta_min,
                   .most = options_.eta_max,
                   .scales = own},
          .correction = i < options_.unadjusted ? Correction::none : Correction::metropolis};
      const AutoOutcome moved = auto_mala_move(chains_, density_, move, noise);
      add(moved.moves);
      outcome_.accepted += static_cast<double>(moved.moves.accepted);
      outcome_.etas += moved.mean_eta * static_cast<double>(moved.moves.accepted);
    }
  }
  if (target_.box) fold(chains_, *target_.box);
}

// Mixed: deviations in a third of the moves, ones in a third, and something between them else.
std::vector<double> ChainWalk::scales(const LangevinNoise& noise) const {
  if (options_.precondition == Precondition::none) return {};
  std::vector<double> own(tuning_.deviations.begin(), tuning_.deviations.end());
  if (options_.precondition == Precondition::diag) return own;
  const double choice = 3 * noise.accept.uniform(of_all_chains);
  const double share = choice < 1 ? 0 : choice < 2 ? 1 : noise.accept.uniform(of_all_chains + 1);
  for (double& scale : own) scale += share * (1 - scale);
  return own;
}

void ChainWalk::require_near(std::int64_t i) const {
  const double most = target_.box ? std::numeric_limits<double>::max() : farthest;
  for (std::size_t e = 0; e < chains_.z.size(); ++e) {
    if (std::fabs(chains_.z[e]) <= most) continue;
    const std::size_t row = e / at(chains_.dims) % rows_.size();
    fail(ErrorKind::numeric, "row " + std::to_string(shard_.rows[row]),
         "its chain diverged: reduce --eta, which is " + to_text(options_.eta) +
             " (Langevin step " + std::to_string(i + 1) + " of update " +
             std::to_string(shard_.place.step + 1) + ")",
         "--eta " + to_text(std::min(options_.eta / 10, modest_eta)));
  }
}

void ChainWalk::exchange(std::int64_t i) {
  const std::size_t rows = rows_.size();
  prior_gradient_.resize(chains_.z.size());
  target_.space.log_prior(chains_.z, log_prior_, prior_gradient_);
  std::vector<double> log_likelihood(numbers_.size());
  for (std::size_t c = 0; c < log_likelihood.size(); ++c)
    log_likelihood[c] = (chains_.log_density[c] - log_prior_[c]) / target_.t[c / rows];
  const auto round = static_cast<std::uint32_t>(
      shard_.place.step * (options_.steps / options_.swap_every) + i / options_.swap_every);
  const SwapCounts counts =
      exchange_replicas({target_.t, log_likelihood, pairs_of(options_.swap), options_.swap_scope},
                        Rng(shard_.place.seed), round, rows_,
                        [&](std::int64_t k, std::int64_t row) { swap_states(k, row); });
  for (std::size_t k = 0; k < counts.tried.size(); ++k) {
    outcome_.tried[k] += static_cast<double>(counts.tried[k]);
    outcome_.exchanged[k] += static_cast<double>(counts.accepted[k]);
  }
}

// Each state goes to the other's temperature, and with it the likelihood's part of density and
// gradient.
void ChainWalk::swap_states(std::int64_t k, std::int64_t row) {
  const std::size_t rows = rows_.size(), dims = at(chains_.dims);
  const std::size_t low = at(k) * rows + at(row), high = low + rows;
  const double up = target_.t[at(k) + 1] / target_.t[at(k)];
  const auto trade = [&](double& a, double& b, double prior_a, double prior_b) {
    const double of_a = a - prior_a, of_b = b - prior_b;
    a = prior_b + of_b / up;
    b = prior_a + of_a * up;
  };
  trade(chains_.log_density[low], chains_.log_density[high], log_prior_[low], log_prior_[high]);
  for (std::size_t d = 0; d < dims; ++d) {
    const std::size_t a = low * dims + d, b = high * dims + d;
    trade(chains_.gradient[a], chains_.gradient[b], prior_gradient_[a], prior_gradient_[b]);
    std::swap(chains_.z[a], chains_.z[b]);
  }
}

}  // namespace logpx::kaem
