#include "tests/support/toy_codings.hpp"

#include "libcore/det/ordered_gemm.hpp"
#include "tests/support/random_values.hpp"

#include <cmath>

namespace logpx::toy {
namespace {

using namespace codec;

std::vector<float> linear(std::span<const float> x, const std::vector<float>& w,
                          const std::vector<float>& bias) {
  const auto k = static_cast<std::int64_t>(w.size() / bias.size());
  const auto n = static_cast<std::int64_t>(bias.size());
  const std::int64_t m = static_cast<std::int64_t>(x.size()) / k;
  std::vector<float> y(static_cast<std::size_t>(m * n));
  det::gemm({.m = m,
             .n = n,
             .k = k,
             .a = {x.data(), k, 1},
             .b = {w.data(), n, 1},
             .bias = bias.data(),
             .c = y.data(),
             .ldc = n});
  return y;
}

std::vector<float> tanh_of(std::vector<float> x) {
  for (float& v : x) v = static_cast<float>(det_tanh(static_cast<double>(v)));
  return x;
}

std::vector<float> scaled(std::uint32_t sub, std::size_t count, float scale) {
  std::vector<float> values = random_values<float>(sub, count);
  for (float& v : values) v *= scale;
  return values;
}

std::vector<double> shares(std::uint32_t sub, std::size_t rows, std::size_t columns) {
  std::vector<double> values = random_values<double>(sub, rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    double total = 0;
    for (std::size_t c = 0; c < columns; ++c)
      total += values[r * columns + c] = det_exp(values[r * columns + c]);
    for (std::size_t c = 0; c < columns; ++c) values[r * columns + c] /= total;
  }
  return values;
}

// The table over 0..7 of weights around z.
std::unique_ptr<SymbolVector> eight_symbols(std::vector<double> z) {
  return symbols_of([z = std::move(z)](std::size_t i, auto) {
    std::vector<double> weights(8);
    for (std::size_t x = 0; x < 8; ++x) {
      const double m = -2.0 + 0.5 * static_cast<double>(x);
      weights[x] = det_exp(-0.5 * ((z[i] - m) * (z[i] - m)) * 4.0);
    }
    return Table::leaky(weights, 24);
  });
}

void set(NormalVector normals, std::size_t d, double mean, double deviation) {
  normals.mean[d] = mean;
  normals.deviation[d] = deviation;
}

}  // namespace

Vae Vae::random(std::size_t pixels, std::size_t latents, std::size_t hidden) {
  Weights w;
  w.pixels = pixels;
  w.latents = latents;
  w.hidden = hidden;
  w.enc_w1 = scaled(1, pixels * hidden, 0.5F);
  w.enc_b1 = scaled(2, hidden, 0.5F);
  w.enc_wmu = scaled(3, hidden * latents, 0.7F);
  w.enc_bmu = scaled(4, latents, 0.2F);
  w.enc_wlv = scaled(5, hidden * latents, 0.3F);
  w.enc_blv = scaled(6, latents, 0.3F);
  for (float& v : w.enc_blv) v -= 2;
  w.dec_u1 = scaled(7, latents * hidden, 0.8F);
  w.dec_c1 = scaled(8, hidden, 0.3F);
  w.dec_u2 = scaled(9, hidden * pixels, 1.5F);
  w.dec_c2 = scaled(10, pixels, 0.5F);
  return Vae(std::move(w));
}

void Vae::posterior(std::span<const std::uint8_t> items, std::span<float> mean,
                    std::span<float> log_var) const {
  const std::vector<float> x(items.begin(), items.end());
  const std::vector<float> h = tanh_of(linear(x, w_.enc_w1, w_.enc_b1));
  const std::vector<float> mu = linear(h, w_.enc_wmu, w_.enc_bmu);
  const std::vector<float> lv = linear(h, w_.enc_wlv, w_.enc_blv);
  std::copy(mu.begin(), mu.end(), mean.begin());
  std::copy(lv.begin(), lv.end(), log_var.begin());
}

std::vector<const Bins*> OtherPriors::bins(int bits, Workers&) const {
  static const std::vector<double> grid = {-2, -1, 0, 1, 2}, even = {0, 0.3, 0.4, 0.9, 1},
                                   odd = {0, 0.6, 0.7, 0.75, 1};
  const auto [found, added] = bins_.try_emplace(bits);
  if (added)
    found->second = {tabulated_bins({grid, even}, bits), tabulated_bins({grid, odd}, bits)};
  std::vector<const Bins*> all;
  for (std::size_t d = 0; d < latents(); ++d) all.push_back(&found->second[d % 2]);
  return all;
}

std::vector<double> Vae::probabilities(std::span<const float> z) const {
  const std::vector<float> logits =
      linear(tanh_of(linear(z, w_.dec_u1, w_.dec_c1)), w_.dec_u2, w_.dec_c2);
  std::vector<double> p;
  for (const float v : logits) p.push_back(det_sigmoid(static_cast<double>(v)));
  return p;
}

std::unique_ptr<SymbolVector> Vae::likelihood(std::span<const float> z) const {
  return symbols_of([p = probabilities(z), r = w_.likelihood_precision](std::size_t i, auto) {
    return Bernoulli(p[i], r);
  });
}

void Chain::first(std::span<const std::uint8_t> x, NormalVector q) const {
  for (std::size_t d = 0; d < width_; ++d) set(q, d, -2.0 + 0.5 * static_cast<double>(x[d]), 0.5);
}
void Chain::up(std::size_t, std::span<const double> below, NormalVector q) const {
  for (std::size_t d = 0; d < width_; ++d) set(q, d, 0.9 * below[d], 0.4);
}
void Chain::down(std::size_t level, std::span<const double> above, NormalVector p) const {
  for (std::size_t d = 0; d < width_; ++d) {
    if (above.empty()) set(p, d, 0.0, 1.0);
    else set(p, d, 0.8 * above[d] + 0.05 * static_cast<double>(level), 0.45);
  }
}
std::unique_ptr<SymbolVector> Chain::likelihood(std::span<const double> z_0) const {
  return eight_symbols({z_0.begin(), z_0.end()});
}

std::size_t Hierarchy::latents(std::size_t level) const { return level == 0 ? 2 : 5 - 2 * level; }
void Hierarchy::prior(std::size_t level, LevelValues z, NormalVector p) const {
  for (std::size_t d = 0; d < p.mean.size(); ++d) {
    if (level == 2) set(p, d, 0.0, 1.0);
    else set(p, d, 0.7 * z[level + 1][d % z[level + 1].size()], 0.8);
  }
}
void Hierarchy::posterior(std::size_t level, std::span<const std::uint8_t> x, LevelValues z,
                          NormalVector q) const {
  for (std::size_t d = 0; d < q.mean.size(); ++d) {
    const double at = -2.0 + 0.5 * static_cast<double>(x[d % 2]);
    const double above = level == 2 ? 0.0 : z[level + 1][0];
    set(q, d, 0.6 * at + 0.1 * above, 0.5);
  }
}
std::unique_ptr<SymbolVector> Hierarchy::likelihood(LevelValues z) const {
  return eight_symbols({z[0].begin(), z[0].end()});
}

namespace {

// [items, states], each item by itself.
class HmmState final : public SequenceState {
 public:
  explicit HmmState(const Hmm::Weights& w) : w_(w) {}
  void begin(std::size_t items) override { alpha_.assign(items, w_.pi); }
  std::span<const double> weights(std::size_t items) override {
    weights_.assign(items * w_.symbols, 0.0);
    for (std::size_t i = 0; i < items; ++i)
      for (std::size_t v = 0; v < w_.symbols; ++v)
        for (std::size_t k = 0; k < w_.states; ++k) {
          double& sum = weights_[i * w_.symbols + v];
          sum = sum + alpha_[i][k] * w_.b[k * w_.symbols + v];
        }
    return weights_;
  }
  void advance(std::span<const std::uint32_t> symbols) override {
    for (std::size_t i = 0; i < symbols.size(); ++i) advance(alpha_[i], symbols[i]);
  }

 private:
  void advance(std::vector<double>& alpha, std::uint32_t symbol) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < w_.states; ++k) {
      alpha[k] = alpha[k] * w_.b[k * w_.symbols + symbol];
      largest = std::fmax(largest, alpha[k]);
    }
    int exponent = 0;
    (void)std::frexp(largest, &exponent);
    for (double& a : alpha) a = std::ldexp(a, -exponent);
    std::vector<double> next(w_.states, 0.0);
    for (std::size_t to = 0; to < w_.states; ++to)
      for (std::size_t k = 0; k < w_.states; ++k)
        next[to] = next[to] + alpha[k] * w_.a[k * w_.states + to];
    alpha = next;
  }

  const Hmm::Weights& w_;
  std::vector<std::vector<double>> alpha_;
  std::vector<double> weights_;
};

}  // namespace

Hmm Hmm::random(std::size_t length) {
  Weights w;
  w.states = 3;
  w.symbols = 5;
  w.length = length;
  w.pi = shares(20, 1, 3);
  w.a = shares(21, 3, 3);
  w.b = shares(22, 3, 5);
  return Hmm(std::move(w));
}
std::unique_ptr<SequenceState> Hmm::start() const { return std::make_unique<HmmState>(w_); }

namespace {

class LoArmWalk final : public OrderWalk {
 public:
  LoArmWalk(const std::vector<double>& g, const std::vector<double>& theta)
      : g_(g), theta_(theta), known_(g.size(), -1) {}
  void start_item(std::span<const std::uint32_t>) override { known_.assign(g_.size(), -1); }
  void order_weights(std::span<const std::uint32_t> remaining, std::span<double> weights) override {
    const auto placed = static_cast<double>(g_.size() - remaining.size());
    for (std::size_t i = 0; i < remaining.size(); ++i)
      weights[i] = det_exp(0.25 * g_[remaining[i]] + 0.5 * placed);
  }
  SymbolDist symbol(std::uint32_t position) override {
    double sum = 0.0;
    for (std::size_t q = 0; q < g_.size(); ++q)
      if (known_[q] >= 0)
        sum = sum + theta_[position * g_.size() + q] * static_cast<double>(2 * known_[q] - 1);
    return Bernoulli(det_sigmoid(sum), 24);
  }
  void place(std::uint32_t position, std::uint8_t symbol) override { known_[position] = symbol; }

 private:
  const std::vector<double>&g_, &theta_;
  std::vector<int> known_;
};

class LoArmPosterior final : public OrderPosterior {
 public:
  explicit LoArmPosterior(const std::vector<double>& g) : g_(g) {}
  void start_item(std::span<const std::uint8_t> x) override { x_.assign(x.begin(), x.end()); }
  void order_weights(std::span<const std::uint32_t> remaining, std::span<double> weights) override {
    for (std::size_t i = 0; i < remaining.size(); ++i)
      weights[i] = det_exp(g_[remaining[i]] + 0.5 * static_cast<double>(x_[remaining[i]]));
  }
  void place(std::uint32_t) override {}

 private:
  const std::vector<double>& g_;
  std::vector<std::uint8_t> x_;
};

}  // namespace

LoArm LoArm::random(std::size_t dims) {
  return {random_values<double>(30, dims), random_values<double>(31, dims * dims)};
}
std::unique_ptr<OrderWalk> LoArm::walk() const { return std::make_unique<LoArmWalk>(g_, theta_); }
std::unique_ptr<OrderPosterior> LoArm::posterior() const {
  return std::make_unique<LoArmPosterior>(g_);
}

BernoulliBook BernoulliBook::random(std::uint32_t entries, std::size_t pixels) {
  std::vector<double> p = random_values<double>(40, entries * pixels);
  for (double& v : p) v = det_sigmoid(2 * v);
  return {entries, std::move(p), 24};
}
void BernoulliBook::log_likelihoods(std::span<const std::uint8_t> x, std::span<double> nats) const {
  for (std::uint32_t s = 0; s < entries_; ++s) nats[s] = likelihood(s)->add_log_probability(x, 0.0);
}
std::unique_ptr<SymbolVector> BernoulliBook::likelihood(std::uint32_t entry) const {
  const double* const p = p_.data() + entry * item_size();
  return symbols_of([p, r = precision_](std::size_t i, auto) { return Bernoulli(p[i], r); });
}

}  // namespace logpx::toy
