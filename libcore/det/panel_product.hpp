// Small matrix products of operands as they lie in memory, none of which is copied whole. Compiled
// once per instruction set in two forms: rounded twice (here: the same bits everywhere), and with a
// product and its sum rounded once where the CPU can (libcore/math/fused_panels.hpp). Like every
// header of per_isa sources it uses no standard header.
#pragma once

namespace logpx {

enum class Isa;

namespace det {

// C = A B, or C + A B. Every element is one sum, k ascending; at the end + 0, so that -0 is 0.
template <typename T>
struct PanelProduct {
  long m, n, k;
  const T* a;  // element (i, k) at a[i * a_row + k * a_k]
  long a_row, a_k;
  const T* b;  // element (k, j) at b[k * b_k + j * b_column]; one of the steps is 1
  long b_k, b_column;
  T* c;  // element (i, j) at c[i * ldc + j]
  long ldc;
  bool adds;
};

struct PanelKernels {
  void (*of_floats)(const PanelProduct<float>& call);
  void (*of_doubles)(const PanelProduct<double>& call);

  void operator()(const PanelProduct<float>& call) const { of_floats(call); }
  void operator()(const PanelProduct<double>& call) const { of_doubles(call); }
};

namespace baseline {
extern const PanelKernels ordered_panels;
}
namespace v3 {
extern const PanelKernels ordered_panels;
}
namespace v4 {
extern const PanelKernels ordered_panels;
}

[[nodiscard]] const PanelKernels& ordered_panels_of(Isa isa);
[[nodiscard]] const PanelKernels& active_ordered_panels();

}  // namespace det
}  // namespace logpx
