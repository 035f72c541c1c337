#include "libcore/data/markov.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {

RandomTable::RandomTable(std::size_t rows, std::size_t columns, int power, DrawCursor& structure)
    : columns_(columns) {
  p_.reserve(rows * columns);
  cumulative_.reserve(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      double weight = exponential_of(structure.uniform());
      for (int squared = 1; squared < power; squared *= 2) weight *= weight;
      p_.push_back(weight);
      total += weight;
      cumulative_.push_back(total);
    }
    for (std::size_t j = i * columns; j < (i + 1) * columns; ++j) {
      p_[j] /= total;
      cumulative_[j] /= total;
    }
  }
}

double RandomTable::row_entropy(std::size_t i) const {
  double sum = 0;
  for (const double p : row(i))
    if (p > 0) sum -= p * det_log(p);
  return sum;
}

std::vector<double> stationary(const RandomTable& table,
                               const std::function<std::size_t(std::size_t, std::size_t)>& target) {
  const std::size_t states = table.rows();
  std::vector<std::size_t> to;
  for (std::size_t i = 0; i < states; ++i)
    for (std::size_t j = 0; j < table.row(i).size(); ++j) to.push_back(target(i, j));
  std::vector<double> p(states, 1 / static_cast<double>(states)), next(states);
  // All weights are above 0, so the chain mixes; the limit only guards against cycles of rounding.
  constexpr int most_steps = 100'000;
  double moved = 1;
  for (int step = 0; step < most_steps && moved >= 1e-14; ++step) {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t i = 0, k = 0; i < states; ++i)
      for (const double q : table.row(i)) next[to[k++]] += p[i] * q;
    double total = 0;
    for (const double value : next) total += value;
    moved = 0;
    for (std::size_t i = 0; i < states; ++i) {
      next[i] /= total;
      moved = std::max(moved, std::fabs(next[i] - p[i]));
    }
    std::swap(p, next);
  }
  return p;
}

std::vector<double> running_sum(std::span<const double> p) {
  std::vector<double> sums;
  double total = 0;
  for (const double value : p) sums.push_back(total += value);
  return sums;
}

HiddenChain::HiddenChain(std::size_t states, std::size_t symbols, DrawCursor& structure)
    : transition_(states, states, 4, structure),
      emission_(states, symbols, 8, structure),
      initial_(stationary(transition_, [](std::size_t, std::size_t j) { return j; })),
      initial_sum_(running_sum(initial_)) {}

void HiddenChain::draw(DrawCursor& draws, std::span<std::uint8_t> x) const {
  std::size_t state = category_of(initial_sum_, draws.uniform53());
  for (std::size_t t = 0; t < x.size(); ++t) {
    if (t > 0) state = transition_.draw(state, draws);
    x[t] = static_cast<std::uint8_t>(emission_.draw(state, draws));
  }
}

double HiddenChain::log_p(std::span<const std::uint8_t> x) const {
  const std::size_t states = initial_.size();
  std::vector<double> alpha = initial_, next(states);
  double sum = 0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    if (t > 0) {
      std::fill(next.begin(), next.end(), 0.0);
      for (std::size_t from = 0; from < states; ++from) {
        const std::span<const double> row = transition_.row(from);
        for (std::size_t to = 0; to < states; ++to) next[to] += alpha[from] * row[to];
      }
      std::swap(alpha, next);
    }
    double scale = 0;
    for (std::size_t s = 0; s < states; ++s) {
      alpha[s] *= emission_.row(s)[x[t]];
      scale += alpha[s];
    }
    for (double& value : alpha) value /= scale;
    sum += det_log(scale);
  }
  return sum;
}

std::vector<std::uint32_t> text_alphabet(std::int64_t symbols) {
  std::vector<std::uint32_t> points;
  if (symbols > 26) points.push_back(' ');
  for (std::uint32_t c = 'a'; c <= 'z'; ++c) points.push_back(c);
  const auto is_text27 = [](std::uint32_t c) { return c == ' ' || (c >= 'a' && c <= 'z'); };
  for (std::uint32_t c = '!'; static_cast<std::int64_t>(points.size()) < symbols; ++c)
    if (!is_text27(c) && (c < 0x7f || c > 0xa0) && c != 0xad) points.push_back(c);
  points.resize(static_cast<std::size_t>(symbols));
  return points;
}

}  // namespace logpx
