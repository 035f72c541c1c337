// Compiled once per instruction set into namespace LOGPX_ISA; see libcore/grad/curve_kernels.hpp.
#include "libcore/det/vector_bytes.hpp"
#include "libcore/grad/curve_kernels.hpp"

namespace logpx::LOGPX_ISA {

namespace {

template <typename T>
constexpr long most_lanes = vector_bytes / int{sizeof(T)};

template <typename T, long lanes>
struct VectorOf {
  typedef T Type __attribute__((vector_size(lanes * sizeof(T))));
};
template <typename T, long lanes>
using Vector = typename VectorOf<T, lanes>::Type;

// to = by from, for at least `lanes` numbers: the last vector overlaps the one before it.
template <long lanes, typename T>
inline void scaled(const T* from, T by, long n, T* to) {
  Vector<T, lanes> v;
  const auto move = [&](long k) {
    __builtin_memcpy(&v, from + k, sizeof v);
    v *= by;
    __builtin_memcpy(to + k, &v, sizeof v);
  };
  long k = 0;
  for (; k + lanes <= n; k += lanes) move(k);
  if (k < n) move(n - lanes);
}
template <typename T>
inline void add_scaled(const T* from, T by, long n, T* to) {
  for (long k = 0; k < n; ++k) to[k] += by * from[k];
}

// The order of short_dot.hpp.
template <typename T>
inline T dot(const T* a, const T* b, long n) {
  Vector<T, 4> sums{}, x, y;
  long k = 0;
  for (; k + 4 <= n; k += 4) {
    __builtin_memcpy(&x, a + k, sizeof x);
    __builtin_memcpy(&y, b + k, sizeof y);
    sums += x * y;
  }
  for (; k < n; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Calls run<lanes>, the widest vectors that `count` numbers fill.
template <typename T, long lanes, typename Run>
inline void with_lanes(long count, const Run& run) {
  if constexpr (lanes == 1) run.template operator()<1>();
  else if (count >= lanes) run.template operator()<lanes>();
  else with_lanes<T, lanes / 2>(count, run);
}

template <typename T>
void fold(const CurveRun<T>& given, T* rows) {
  const CurveRun<T> r = given;
  with_lanes<T, most_lanes<T>>(r.count, [&]<long lanes>() {
    for (long c = 0; c < r.curves; ++c) {
      T* const to = rows + c * r.step;
      scaled<lanes>(r.coef + c * r.count, r.scale == nullptr ? T(1) : r.scale[c], r.count, to);
      if (r.base != nullptr) to[r.count] = r.base[c];
    }
  });
}

template <typename T>
inline void put(T value, bool adds, T& to) {
  to = adds ? to + value : value;
}

template <typename T>
void unfold(const CurveRun<T>& given, const T* rows, const CurveSlopes<T>& slopes) {
  const CurveRun<T> r = given;
  const CurveSlopes<T> s = slopes;
  with_lanes<T, most_lanes<T>>(r.count, [&]<long lanes>() {
    for (long c = 0; c < r.curves; ++c) {
      const T* const from = rows + c * r.step;
      const T* const coef = r.coef + c * r.count;
      if (s.scale != nullptr) put(dot(from, coef, r.count), s.adds_scale, s.scale[c]);
      if (s.base != nullptr) put(from[r.count], s.adds_base, s.base[c]);
      if (s.coef == nullptr) continue;
      const T by = r.scale == nullptr ? T(1) : r.scale[c];
      T* const to = s.coef + c * r.count;
      if (s.adds_coef) add_scaled(from, by, r.count, to);
      else scaled<lanes>(from, by, r.count, to);
    }
  });
}

}  // namespace

constinit const AllCurveKernels curve_kernels = {{fold<float>, unfold<float>},
                                                 {fold<double>, unfold<double>}};

}  // namespace logpx::LOGPX_ISA
