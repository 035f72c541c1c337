#include "libcore/codec/levels.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/scheme.hpp"
#include "libcore/det/draws.hpp"

#include <algorithm>

namespace logpx::codec {
namespace {

std::span<const std::uint32_t> symbols_in(const std::vector<std::uint32_t>& v) { return v; }

LevelVariables variables_of(const LevelCoding& coding) {
  LevelVariables v;
  v.levels.resize(coding.levels());
  v.z.resize(coding.levels());
  for (std::size_t l = 0; l < coding.levels(); ++l) {
    v.levels[l].symbols.resize(coding.latents(l));
    v.z[l].resize(coding.latents(l));
  }
  return v;
}

// Room for the numbers of a level.
NormalVector room(std::vector<double>& mean, std::vector<double>& deviation, std::size_t size) {
  mean.resize(size);
  deviation.resize(size);
  return {mean, deviation};
}

void check_normals(const NormalVector& normals) {
  check_finite(std::span<const double>(normals.mean), "the mean of a level");
  check_finite(std::span<const double>(normals.deviation), "the deviation of a level");
  if (!std::all_of(normals.deviation.begin(), normals.deviation.end(),
                   [](double s) { return s > 0; }))
    fail(ErrorKind::numeric, "", "model produced a deviation that is not above 0");
}

// ln N(x; mean, s) without the constant, which cancels between p and q.
double log_normal(double x, double mean, double s) {
  const double t = (x - mean) / s;
  return -0.5 * (t * t) - det_log(s);
}

double log_normals(const std::vector<double>& z, const LevelVariables& v) {
  double sum = 0.0;
  for (std::size_t d = 0; d < z.size(); ++d) sum += log_normal(z[d], v.mean[d], v.deviation[d]);
  return sum;
}

}  // namespace

BitSwap::BitSwap(const ChainCoding& coding, int precision, BeforeDraws before)
    : coding_(coding), precision_(precision), before_draws_(before) {
  const std::size_t levels = coding.levels();
  LOGPX_ASSERT(levels > 0);
  for (std::size_t l = 0; l < levels; ++l) {
    lattices_.push_back(coding.lattice(l));
    LOGPX_ASSERT(lattices_[l].window >= 1 && lattices_[l].window <= 1u << (precision - 3));
  }
  code_up(0);
  coded(
      Part::likelihood,
      [this](Message& m, LevelVariables& v) { coding_.likelihood(v.z[0])->push(m, v.x); },
      [this](Message& m, LevelVariables& v) { coding_.likelihood(v.z[0])->pop(m, v.x); });
  for (std::size_t l = 1; l < levels; ++l) {
    code_up(l);
    code_down(l - 1);
  }
  code_down(levels - 1);
}

LevelVariables BitSwap::variables_for(std::span<const std::uint8_t>, std::uint64_t) const {
  return variables_of(coding_);
}

void BitSwap::know_up(LevelVariables& v, std::size_t level) const {
  const NormalVector q = room(v.mean, v.deviation, coding_.latents(level));
  if (level == 0) coding_.first(v.x, q);
  else coding_.up(level, v.z[level - 1], q);
  check_normals(q);
}

void BitSwap::know_down(LevelVariables& v, std::size_t level) const {
  const NormalVector p = room(v.mean, v.deviation, coding_.latents(level));
  const std::span<const double> nothing;
  coding_.down(level, level + 1 < v.z.size() ? v.z[level + 1] : nothing, p);
  check_normals(p);
}

void BitSwap::place(LevelVariables& v, std::size_t level) const {
  for (std::size_t d = 0; d < v.z[level].size(); ++d)
    v.z[level][d] = lattices_[level].cells.centre(v.levels[level].symbols[d]);
}

void BitSwap::push_drawn(Message& m, LevelVariables& v, std::size_t level) const {
  const auto cells = symbols_in(v.levels[level].symbols);
  const auto dist = [&](std::size_t d) { return normal(v, level, d, Leak::none); };
  if (before_draws_ == BeforeDraws::nothing) push_vector(m, cells, dist);
  else push_vector(m, cells, [&](std::size_t d) { return Stirred{dist(d)}; });
}

void BitSwap::draw(Message& m, LevelVariables& v, std::size_t level) const {
  const auto cells = std::span(v.levels[level].symbols);
  const auto dist = [&](std::size_t d) { return normal(v, level, d, Leak::none); };
  if (before_draws_ == BeforeDraws::nothing) pop_vector(m, cells, dist);
  else pop_vector(m, cells, [&](std::size_t d) { return Stirred{dist(d)}; });
  place(v, level);
}

void BitSwap::code_up(std::size_t level) {
  drawn(
      Part::posterior,
      [this, level](Message& m, LevelVariables& v) {
        know_up(v, level);
        push_drawn(m, v, level);
      },
      [this, level](Message& m, LevelVariables& v) {
        know_up(v, level);
        draw(m, v, level);
      });
}

void BitSwap::code_down(std::size_t level) {
  coded(
      Part::prior,
      [this, level](Message& m, LevelVariables& v) {
        know_down(v, level);
        push_vector(m, symbols_in(v.levels[level].symbols),
                    [&](std::size_t d) { return normal(v, level, d, Leak::kept); });
      },
      [this, level](Message& m, LevelVariables& v) {
        know_down(v, level);
        pop_vector(m, std::span(v.levels[level].symbols),
                   [&](std::size_t d) { return normal(v, level, d, Leak::kept); });
        place(v, level);
      });
}

void BitSwap::score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                    std::span<double> nats) const {
  LevelVariables v = variables_of(coding_);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    const auto x = item_of(items, i);
    v.x.assign(x.begin(), x.end());
    const Substream noise = rng.stream(Stream::evaluation, first + static_cast<std::uint32_t>(i));
    double sum = 0.0;
    std::uint64_t element = 0;
    for (std::size_t l = 0; l < v.z.size(); ++l) {
      know_up(v, l);
      for (std::size_t d = 0; d < v.z[l].size(); ++d)
        v.z[l][d] = v.mean[d] + v.deviation[d] * normal_at(noise, element++);
      sum -= log_normals(v.z[l], v);
    }
    for (std::size_t l = 0; l < v.z.size(); ++l) {
      know_down(v, l);
      sum += log_normals(v.z[l], v);
    }
    nats[i] = coding_.likelihood(v.z[0])->add_log_probability(x, 0.0) + sum;
  }
}

TopDown::TopDown(const HierarchyCoding& coding, const Bins& bins, int precision)
    : coding_(coding), bins_(bins), precision_(precision) {
  LOGPX_ASSERT(coding.levels() > 0 && bins.prior == Bins::Prior::normal);
  for (std::size_t l = coding.levels(); l-- > 0;) draw_level(l);
  coded(
      Part::likelihood,
      [this](Message& m, LevelVariables& v) { coding_.likelihood(v.z)->push(m, v.x); },
      [this](Message& m, LevelVariables& v) { coding_.likelihood(v.z)->pop(m, v.x); });
  for (std::size_t l = 0; l < coding.levels(); ++l) code_level(l);
}

LevelVariables TopDown::variables_for(std::span<const std::uint8_t>, std::uint64_t) const {
  return variables_of(coding_);
}

void TopDown::know_prior(LevelVariables& v, std::size_t level) const {
  LevelVariables::Level& at = v.levels[level];
  const NormalVector p = room(at.prior_mean, at.prior_deviation, coding_.latents(level));
  coding_.prior(level, v.z, p);
  check_normals(p);
}

void TopDown::know_posterior(LevelVariables& v, std::size_t level) const {
  const NormalVector q = room(v.mean, v.deviation, coding_.latents(level));
  coding_.posterior(level, v.x, v.z, q);
  check_normals(q);
}

void TopDown::place(LevelVariables& v, std::size_t level) const {
  const LevelVariables::Level& at = v.levels[level];
  for (std::size_t d = 0; d < at.symbols.size(); ++d)
    v.z[level][d] = at.prior_mean[d] + at.prior_deviation[d] * bins_.centres[at.symbols[d]];
}

PosteriorBins TopDown::relative(const LevelVariables& v, std::size_t level, std::size_t d) const {
  const LevelVariables::Level& at = v.levels[level];
  const double s = at.prior_deviation[d];
  return {bins_, {(v.mean[d] - at.prior_mean[d]) / s, v.deviation[d] / s}, precision_};
}

// A decoder has computed the prior when it popped the level.
void TopDown::draw_level(std::size_t level) {
  drawn(
      Part::posterior,
      [this, level](Message& m, LevelVariables& v) {
        know_posterior(v, level);
        push_vector(m, symbols_in(v.levels[level].symbols),
                    [&](std::size_t d) { return relative(v, level, d); });
      },
      [this, level](Message& m, LevelVariables& v) {
        know_prior(v, level);
        know_posterior(v, level);
        pop_vector(m, std::span(v.levels[level].symbols),
                   [&](std::size_t d) { return relative(v, level, d); });
        place(v, level);
      });
}

void TopDown::code_level(std::size_t level) {
  const auto uniform = [bits = bins_.bits](std::size_t) { return UniformBits{bits}; };
  coded(
      Part::prior,
      [=](Message& m, LevelVariables& v) {
        push_vector(m, symbols_in(v.levels[level].symbols), uniform);
      },
      [=, this](Message& m, LevelVariables& v) {
        pop_vector(m, std::span(v.levels[level].symbols), uniform);
        know_prior(v, level);
        place(v, level);
      });
}

void TopDown::score(std::span<const std::uint8_t> items, Rng rng, std::uint32_t first,
                    std::span<double> nats) const {
  LevelVariables v = variables_of(coding_);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    const auto x = item_of(items, i);
    v.x.assign(x.begin(), x.end());
    const Substream noise = rng.stream(Stream::evaluation, first + static_cast<std::uint32_t>(i));
    double sum = 0.0;
    std::uint64_t element = 0;
    for (std::size_t l = v.z.size(); l-- > 0;) {
      know_prior(v, l);
      know_posterior(v, l);
      const LevelVariables::Level& at = v.levels[l];
      for (std::size_t d = 0; d < v.z[l].size(); ++d) {
        v.z[l][d] = v.mean[d] + v.deviation[d] * normal_at(noise, element++);
        sum += log_normal(v.z[l][d], at.prior_mean[d], at.prior_deviation[d]);
      }
      sum -= log_normals(v.z[l], v);
    }
    nats[i] = coding_.likelihood(v.z)->add_log_probability(x, 0.0) + sum;
  }
}

}  // namespace logpx::codec
