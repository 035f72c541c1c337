// The weights of a layer of curves, folded into rows of a matrix, and what the gradient of these
// rows is for the weights; compiled once per instruction set, and every variant gives the same
// bits. Like every header of per_isa sources it uses no standard header.
#pragma once

namespace logpx {

// Curves that follow each other: curve c weighs function k by scale_c coef_ck, and by base_c what
// stands beside the functions. Their rows [count] or [count + 1] begin `step` numbers apart.
template <typename T>
struct CurveRun {
  long curves, count, step;
  const T *coef, *scale, *base;  // scale and base: null where there is none
};

// Where the gradients of a run go, null where one is not wanted, and whether they are added there.
template <typename T>
struct CurveSlopes {
  T *coef, *scale, *base;
  bool adds_coef, adds_scale, adds_base;
};

template <typename T>
struct CurveKernels {
  void (*fold)(const CurveRun<T>& run, T* rows);
  void (*unfold)(const CurveRun<T>& run, const T* rows, const CurveSlopes<T>& slopes);
};

struct AllCurveKernels {
  CurveKernels<float> of_floats;
  CurveKernels<double> of_doubles;
};

namespace baseline {
extern const AllCurveKernels curve_kernels;
}
namespace v3 {
extern const AllCurveKernels curve_kernels;
}
namespace v4 {
extern const AllCurveKernels curve_kernels;
}

enum class Isa;
[[nodiscard]] const AllCurveKernels& curve_kernels_of(Isa isa);
[[nodiscard]] const AllCurveKernels& active_curve_kernels();

}  // namespace logpx
