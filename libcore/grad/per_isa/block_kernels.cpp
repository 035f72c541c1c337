// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/grad/block_kernels.hpp.
#include "libcore/grad/block_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

float clamped(float x, float limit) {  // NaN stays NaN
  const float low = x < -limit ? -limit : x;
  return limit < low ? limit : low;
}

// theta[i] = rule(i, theta, g), then the average, in one pass.
template <typename Rule>
void sweep(const Sweep& call, Rule rule) {
  const Sweep s = call;
  const auto moved = [&s, &rule](long i) {
    const float g = clamped(s.scale * s.gradient[i], s.limit);
    const float theta = s.theta[i];
    return rule(i, theta - s.decay * theta, g + s.l2 * theta);
  };
  if (s.average == nullptr) {
#pragma GCC ivdep
    for (long i = 0; i < s.count; ++i) s.theta[i] = moved(i);
    return;
  }
#pragma GCC ivdep
  for (long i = 0; i < s.count; ++i) {
    const float theta = moved(i);
    s.theta[i] = theta;
    s.average[i] += s.average_rate * (theta - s.average[i]);
  }
}

void sgd(const Sweep& s) {
  sweep(s, [rate = s.rate](long, float theta, float g) { return theta - rate * g; });
}

template <bool ahead>
void with_momentum(const Sweep& s) {
  sweep(s, [rate = s.rate, momentum = s.momentum, first = s.first](long i, float theta, float g) {
    const float v = momentum * first[i] + g;
    first[i] = v;
    return theta - rate * (ahead ? g + momentum * v : v);
  });
}

void adagrad(const Sweep& s) {
  sweep(s, [rate = s.rate, eps = s.eps, second = s.second](long i, float theta, float g) {
    const float sum = second[i] + g * g;
    second[i] = sum;
    return theta - rate * g / (__builtin_sqrtf(sum) + eps);
  });
}

// Written as steps towards g, because float(b) + float(1 - b) is not 1.
void adam(const Sweep& s) {
  sweep(s, [r = s](long i, float theta, float g) {
    const float m = r.first[i] + r.towards1 * (g - r.first[i]);
    const float v = r.second[i] + r.towards2 * (g * g - r.second[i]);
    r.first[i] = m;
    r.second[i] = v;
    return theta - r.rate * m / (__builtin_sqrtf(v * r.correction) + r.eps);
  });
}

double square_sum(const float* x, long n) {
  constexpr long lanes = 16;  // an order of summation that does not depend on the compiler
  double sums[lanes] = {};
  long i = 0;
  for (; i + lanes <= n; i += lanes)
    for (long lane = 0; lane < lanes; ++lane) {
      const auto value = static_cast<double>(x[i + lane]);
      sums[lane] += value * value;
    }
  for (long lane = 0; i < n; ++i, ++lane)
    sums[lane] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  for (long half = lanes / 2; half > 0; half /= 2)
    for (long lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

void add(float* to, const float* from, long n) {
#pragma GCC ivdep
  for (long i = 0; i < n; ++i) to[i] += from[i];
}

}  // namespace

constinit const BlockKernels block_kernels = {
    sgd, with_momentum<false>, with_momentum<true>, adagrad, adam, square_sum, add};

}  // namespace logpx::LOGPX_ISA
