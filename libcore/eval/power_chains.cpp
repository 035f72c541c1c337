#include "libcore/eval/power_chains.hpp"

#include "libcore/base/fields.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/eval/chains.hpp"
#include "libcore/math/replica_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace logpx {

double split_r_hat(std::span<const ChainHalf> halves) {
  constexpr double most = 1000;
  const auto parts = static_cast<double>(halves.size());
  double count = halves.empty() ? 0 : halves[0].count, within = 0, mean = 0, between = 0;
  for (const ChainHalf& half : halves) {
    count = std::min(count, half.count);
    within += half.variance / parts;
    mean += half.mean / parts;
  }
  if (count < 2 || parts < 2) return 0;
  for (const ChainHalf& half : halves)
    between += (half.mean - mean) * (half.mean - mean) / (parts - 1);
  if (between == 0) return 1;
  const double ratio = (count - 1) / count + between / within;
  return ratio < most * most ? std::sqrt(ratio) : most;
}

namespace {

constexpr std::int64_t burn_share = 5;       // burn-in is one in so many of the moves
constexpr std::int64_t adapting_moves = 30;  // at a temperature

// Uses of the stream of annealing, numbered above those of ais.
enum class PowerUse : std::uint32_t { adaptation = 11, sampling, prior };
Rng power_rng(Rng rng, PowerUse use) {
  return own_generator(rng, Stream::ais, static_cast<std::uint32_t>(use));
}

}  // namespace

void PowerOptions::describe(Fields& f) {
  add_samples(f, samples);
  f.add("temps", temps, "temperatures above 0").range(1, 10'000).rank(Rank::manual);
  f.add("power", power, "power p of the temperatures (k/N)^p").range(0.01, 100).rank(Rank::manual);
  add_chains(f, chains);
  add_moves(f, leapfrog, accept);
}

void PowerSums::add(double l, const StepWidths& widths) {
  ++count_;
  const double off = l - mean_;
  mean_ += off / count_;
  squares_ += off * (l - mean_);
  ahead_.add(widths.above * l);
  back_.add(-widths.below * l);
}

void PowerSums::add(const PowerSums& others) {
  if (others.count_ == 0) return;
  const double total = count_ + others.count_, off = others.mean_ - mean_;
  squares_ += others.squares_ + off * off * count_ * others.count_ / total;
  mean_ += off * others.count_ / total;
  count_ = total;
  ahead_.add(others.ahead_);
  back_.add(others.back_);
}

PowerChains::PowerChains(const LatentBlock& block, const PowerOptions& options)
    : block_(block),
      options_(options),
      t_(power_temperatures(options.temps, options.power)),
      total_(static_cast<std::size_t>(options.chains * block.rows())),
      joint_(block.latents.joint(block.examples, options.chains)),
      log_prior_(total_),
      log_likelihood_(total_),
      numbers_(chain_numbers(block, options.chains)),
      sizes_(t_.size(), std::vector<double>(total_, first_size)),
      accepted_(total_) {
  for (auto& half : halves_) half.assign(total_, PowerPath(t_.size()));
}

// A run only to find step sizes: at each temperature the mean of the later half.
void PowerChains::adapt() {
  const Rng noise = power_rng(block_.rng, PowerUse::adaptation);
  std::vector<float> z = draw_prior_starts(block_, {options_.chains, 0, options_.chains}, noise);
  for (std::size_t k = 1; k < t_.size(); ++k) {
    ChainStates states = start_chains(std::move(z), block_.latents.dims(), at(t_[k]));
    adapt_at(k, states, noise);
    z = std::move(states.z);
  }
}

void PowerChains::sample() {
  const Rng noise = power_rng(block_.rng, PowerUse::sampling);
  std::vector<float> z = sample_prior();
  for (std::size_t k = 1; k < t_.size(); ++k) {
    ChainStates states = start_chains(std::move(z), block_.latents.dims(), at(t_[k]));
    const std::int64_t burn = options_.moves() / burn_share + 1;
    for (std::int64_t m = -burn; m < options_.moves(); ++m) {
      const HmcOutcome outcome = move(states, t_[k], sizes_[k], noise);
      if (m < 0) continue;
      for (std::size_t c = 0; c < total_; ++c) accepted_[c] += outcome.accept[c];
      look(k, m, states.z);
    }
    z = std::move(states.z);
  }
}

PowerPath PowerChains::path(std::size_t row) const { return path_without(row, -1); }

PowerPath PowerChains::path_without(std::size_t row, std::int64_t chain) const {
  PowerPath all(t_.size());
  for (std::int64_t c = 0; c < options_.chains; ++c)
    for (const int which : {0, 1})
      for (std::size_t k = 0; k < all.size() && c != chain; ++k) all[k].add(half(row, c, which)[k]);
  return all;
}

double PowerChains::r_hat(std::size_t row) const {
  double largest = 0;
  for (std::size_t k = 1; k < t_.size(); ++k) {
    std::vector<ChainHalf> halves;
    for (std::int64_t c = 0; c < options_.chains; ++c)
      for (const int which : {0, 1}) {
        const PowerSums& seen = half(row, c, which)[k];
        halves.push_back({seen.count(), seen.mean(), seen.variance()});
      }
    largest = std::max(largest, split_r_hat(halves));
  }
  return largest;
}

double PowerChains::acceptance(std::size_t row) const {
  double sum = 0;
  for (std::int64_t c = 0; c < options_.chains; ++c) sum += accepted_[place(row, c)];
  return sum / static_cast<double>(options_.chains * options_.moves() * options_.temps);
}

ChainDensity PowerChains::at(double t) {
  return [this, t](std::span<const float> z, std::span<double> log_density,
                   std::span<float> gradient) {
    joint_->evaluate(z, {log_prior_, log_likelihood_},
                     {.prior_weight = 1, .likelihood_weight = t, .values = gradient});
    for (std::size_t c = 0; c < total_; ++c)
      log_density[c] = log_prior_[c] + t * log_likelihood_[c];
  };
}

HmcOutcome PowerChains::move(ChainStates& states, double t, std::span<const double> sizes,
                             Rng noise) {
  stop::check();
  return hmc_move(states, at(t), {options_.leapfrog, sizes},
                  chain_noise(noise, moved_++, numbers_));
}

void PowerChains::adapt_at(std::size_t k, ChainStates& states, Rng noise) {
  std::vector<StepSize> steps;
  for (std::size_t c = 0; c < total_; ++c)
    steps.emplace_back(options_.accept, k > 1 ? sizes_[k - 1][c] : first_size);
  std::vector<double> now(total_), later(total_);
  for (std::int64_t m = 0; m < adapting_moves; ++m) {
    for (std::size_t c = 0; c < total_; ++c) now[c] = steps[c].value();
    const HmcOutcome outcome = move(states, t_[k], now, noise);
    for (std::size_t c = 0; c < total_; ++c) {
      steps[c].update(outcome.accept[c]);
      if (2 * m >= adapting_moves)
        later[c] += 2 * steps[c].value() / static_cast<double>(adapting_moves);
    }
  }
  sizes_[k] = later;
}

// Exact samples of the prior; chains begin at the last of them.
std::vector<float> PowerChains::sample_prior() {
  const Rng rng = power_rng(block_.rng, PowerUse::prior);
  std::vector<float> z;
  for (std::int64_t m = 0; m < options_.moves(); ++m) {
    stop::check();
    z = draw_prior_starts(block_,
                          {.chains = options_.chains,
                           .first = m * options_.chains,
                           .draws = options_.moves() * options_.chains},
                          rng);
    look(0, m, z);
  }
  return z;
}

// `number` counts the samples at this temperature; the later half is kept apart.
void PowerChains::look(std::size_t k, std::int64_t number, std::span<const float> z) {
  joint_->evaluate(z, {log_prior_, log_likelihood_}, {});
  const StepWidths widths{k > 0 ? t_[k] - t_[k - 1] : 0, k + 1 < t_.size() ? t_[k + 1] - t_[k] : 0};
  auto& half = halves_[2 * number < options_.moves() ? 0 : 1];
  for (std::size_t c = 0; c < total_; ++c) half[c][k].add(log_likelihood_[c], widths);
}

}  // namespace logpx
