// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/grad/graph_kernels.hpp.
#include "libcore/grad/graph_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

template <typename T>
void edge_scores(const EdgeScoreCall<T>& call) {
  const long n = call.channels;
  const T *q = call.q, *gates = call.gates;
  T* to = call.scores;
  for (long i = 0; i < call.queries; ++i, q += n)
    for (long j = 0; j < call.keys; ++j, gates += 2 * n, to += n) {
      const T *const k = call.k + j * n, scale = call.scale;
#pragma GCC ivdep
      for (long c = 0; c < n; ++c) to[c] = q[c] * k[c] * scale * (1 + gates[c]) + gates[n + c];
    }
}

template <bool adds, typename T>
void edge_score_slopes_of(const EdgeScoreCall<T>& call) {
  const long n = call.channels;
  const T *q = call.q, *gates = call.gates, *up = call.upstream;
  T *dq = call.dq.at, *dgates = call.dgates.at;
  for (long i = 0; i < call.queries; ++i, q += n, dq += call.dq.step)
    for (long j = 0; j < call.keys; ++j, gates += 2 * n, up += n, dgates += call.dgates.step) {
      const T *const k = call.k + j * n, scale = call.scale;
      T* const dk = call.dk.at + j * call.dk.step;
#pragma GCC ivdep
      for (long c = 0; c < n; ++c) {
        const T scaled = up[c] * scale, slope = scaled * (1 + gates[c]);
        const T by_factor = scaled * q[c] * k[c];
        dq[c] += slope * k[c];
        dk[c] += slope * q[c];
        dgates[c] = adds ? dgates[c] + by_factor : by_factor;
        dgates[n + c] = adds ? dgates[n + c] + up[c] : up[c];
      }
    }
}
template <typename T>
void edge_score_slopes(const EdgeScoreCall<T>& call) {
  if (call.adds_gates) edge_score_slopes_of<true>(call);
  else edge_score_slopes_of<false>(call);
}

template <typename T>
void shift_by_largest(const KeyShiftCall<T>& call) {
  const long n = call.channels;
  const T nothing = -static_cast<T>(__builtin_huge_val());
  T* const top = call.largest;
  const T* from = call.scores;
  T* to = call.p;
  for (long i = 0; i < call.queries; ++i) {
    for (long c = 0; c < n; ++c) top[c] = nothing;
    for (long j = 0; j < call.keys; ++j) {
      if (call.mask[j] == 0) continue;
      const T* const s = from + j * n;
#pragma GCC ivdep
      for (long c = 0; c < n; ++c) top[c] = top[c] < s[c] ? s[c] : top[c];
    }
    for (long c = 0; c < n; ++c) top[c] = top[c] == nothing ? 0 : top[c];
    for (long j = 0; j < call.keys; ++j, from += n, to += n)
      if (call.mask[j] != 0)
#pragma GCC ivdep
        for (long c = 0; c < n; ++c) to[c] = from[c] - top[c];
      else
        for (long c = 0; c < n; ++c) to[c] = nothing;
  }
}

template <typename T>
void mean_of_keys(const KeyMeanCall<T>& call) {
  const long n = call.channels;
  T *p = call.p, *out = call.out, *const sums = call.sums;
  for (long i = 0; i < call.queries; ++i, p += call.keys * n, out += n) {
    for (long c = 0; c < n; ++c) sums[c] = out[c] = 0;
    for (long j = 0; j < call.keys; ++j)
#pragma GCC ivdep
      for (long c = 0; c < n; ++c) sums[c] += p[j * n + c];
    for (long c = 0; c < n; ++c) sums[c] = sums[c] == 0 ? 0 : 1 / sums[c];
    for (long j = 0; j < call.keys; ++j)
#pragma GCC ivdep
      for (long c = 0; c < n; ++c) {
        const T one = p[j * n + c] * sums[c];
        p[j * n + c] = one;
        out[c] += one * call.v[j * n + c];
      }
  }
}

// With t = p upstream: t for v, and t (v - out) for the score.
template <bool adds, typename T>
void mean_of_keys_slopes_of(const KeyMeanCall<T>& call) {
  const long n = call.channels;
  const T *p = call.p, *up = call.upstream, *out = call.out;
  T* ds = call.dscores.at;
  for (long i = 0; i < call.queries; ++i, up += n, out += n)
    for (long j = 0; j < call.keys; ++j, p += n, ds += call.dscores.step) {
      const T* const v = call.v + j * n;
      T* const dv = call.dv.at + j * call.dv.step;
#pragma GCC ivdep
      for (long c = 0; c < n; ++c) {
        const T t = p[c] * up[c], slope = t * (v[c] - out[c]);
        dv[c] += t;
        ds[c] = adds ? ds[c] + slope : slope;
      }
    }
}
template <typename T>
void mean_of_keys_slopes(const KeyMeanCall<T>& call) {
  if (call.adds_scores) mean_of_keys_slopes_of<true>(call);
  else mean_of_keys_slopes_of<false>(call);
}

template <typename T>
void modulate(const ModulateCall<T>& call) {
  const long n = call.channels;
  const T *x = call.x, *const film = call.film;
  T* y = call.y;
  for (long r = 0; r < call.rows; ++r, x += n, y += n)
#pragma GCC ivdep
    for (long c = 0; c < n; ++c) y[c] = x[c] * (1 + film[c]) + film[n + c];
}

template <bool adds, typename T>
void modulate_slopes_of(const ModulateCall<T>& call) {
  const long n = call.channels;
  const T *x = call.x, *up = call.upstream, *const film = call.film;
  T *dx = call.dx.at, *const dfilm = call.dfilm;
  for (long r = 0; r < call.rows; ++r, x += n, up += n, dx += call.dx.step)
#pragma GCC ivdep
    for (long c = 0; c < n; ++c) {
      const T slope = up[c] * (1 + film[c]);
      dx[c] = adds ? dx[c] + slope : slope;
      dfilm[c] += up[c] * x[c];
      dfilm[n + c] += up[c];
    }
}
template <typename T>
void modulate_slopes(const ModulateCall<T>& call) {
  if (call.adds_x) modulate_slopes_of<true>(call);
  else modulate_slopes_of<false>(call);
}

template <typename T>
long shown_rows(const RowStatisticsCall<T>& call) {
  long shown = 0;
  for (long r = 0; r < call.rows; ++r) shown += call.mask[r] != 0;
  return shown;
}

template <typename T>
void row_statistics(const RowStatisticsCall<T>& call) {
  const long n = call.channels, shown = shown_rows(call);
  T *const mean = call.y, *const least = mean + n, *const most = least + n,
           *const spread = most + n;
  for (long c = 0; c < 4 * n; ++c) mean[c] = 0;
  if (shown == 0) return;
  bool first = true;
  for (long r = 0; r < call.rows; ++r) {
    if (call.mask[r] == 0) continue;
    const T* const x = call.x + r * n;
    if (first)
      for (long c = 0; c < n; ++c) least[c] = most[c] = x[c];
    first = false;
#pragma GCC ivdep
    for (long c = 0; c < n; ++c) {
      mean[c] += x[c];
      least[c] = x[c] < least[c] ? x[c] : least[c];
      most[c] = most[c] < x[c] ? x[c] : most[c];
    }
  }
  const T count = static_cast<T>(shown);
  for (long c = 0; c < n; ++c) mean[c] /= count;
  for (long r = 0; r < call.rows; ++r) {
    if (call.mask[r] == 0) continue;
    const T* const x = call.x + r * n;
#pragma GCC ivdep
    for (long c = 0; c < n; ++c) spread[c] += (x[c] - mean[c]) * (x[c] - mean[c]);
  }
  for (long c = 0; c < n; ++c)
    if constexpr (sizeof(T) == sizeof(float))
      spread[c] = __builtin_sqrtf(spread[c] / count + call.floor);
    else spread[c] = __builtin_sqrt(spread[c] / count + call.floor);
}

// The first of equal extremes takes it all: `low` and `high` are 1 until it has come.
template <typename T>
void row_statistics_slopes(const RowStatisticsCall<T>& call) {
  const long n = call.channels, shown = shown_rows(call);
  if (shown == 0) return;
  const T *const mean = call.y, *const least = mean + n, *const most = least + n,
                 *const spread = most + n, *const up = call.upstream;
  const T count = static_cast<T>(shown);
  T *const low = call.rows_of_four, *const high = low + n, *const by_mean = high + n,
           *const by_spread = by_mean + n;
  for (long c = 0; c < n; ++c) {
    low[c] = high[c] = 1;
    by_mean[c] = up[c] / count;
    by_spread[c] = up[3 * n + c] / (count * spread[c]);
  }
  for (long r = 0; r < call.rows; ++r) {
    if (call.mask[r] == 0) continue;
    const T* const x = call.x + r * n;
    T* const dx = call.dx + r * n;
#pragma GCC ivdep
    for (long c = 0; c < n; ++c) {
      const T is_low = x[c] == least[c] ? low[c] : 0, is_high = x[c] == most[c] ? high[c] : 0;
      low[c] -= is_low;
      high[c] -= is_high;
      dx[c] += by_mean[c] + by_spread[c] * (x[c] - mean[c]) + is_low * up[n + c] +
               is_high * up[2 * n + c];
    }
  }
}

template <typename T>
constexpr GraphKernels<T> kernels = {
    edge_scores<T>,     edge_score_slopes<T>,   shift_by_largest<T>,
    mean_of_keys<T>,    mean_of_keys_slopes<T>, modulate<T>,
    modulate_slopes<T>, row_statistics<T>,      row_statistics_slopes<T>};

}  // namespace

constinit const AllGraphKernels graph_kernels = {kernels<float>, kernels<double>};

}  // namespace logpx::LOGPX_ISA
