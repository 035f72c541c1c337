#include "libcore/det/ordered_product.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/panel_product.hpp"

#include <vector>

namespace logpx::det {

namespace {

// With fewer columns most of a vector would be empty: then vectors run along the rows of C.
constexpr std::int64_t few_columns = 4;

PanelProduct<double> panel_product(const OrderedProduct& g, Matrix64 a, Matrix64 b) {
  return {.m = g.m,
          .n = g.n,
          .k = g.k,
          .a = a.data,
          .a_row = a.row_step,
          .a_k = a.col_step,
          .b = b.data,
          .b_k = b.row_step,
          .b_column = b.col_step,
          .c = g.c,
          .ldc = g.ldc,
          .adds = g.beta != 0};
}

Matrix64 turned(Matrix64 matrix) { return {matrix.data, matrix.col_step, matrix.row_step}; }

// C^T = B^T A^T has the same sums, as a product of two numbers does not depend on their order.
void multiply_turned(const OrderedProduct& g, const PanelKernels& kernels) {
  thread_local std::vector<double> turned_c;
  turned_c.resize(at(g.m * g.n));
  if (g.beta != 0)
    for (std::int64_t i = 0; i < g.m; ++i)
      for (std::int64_t j = 0; j < g.n; ++j) turned_c[at(j * g.m + i)] = g.c[i * g.ldc + j];
  OrderedProduct other = g;
  other.m = g.n;
  other.n = g.m;
  other.c = turned_c.data();
  other.ldc = g.m;
  kernels(panel_product(other, turned(g.b), turned(g.a)));
  for (std::int64_t i = 0; i < g.m; ++i)
    for (std::int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = turned_c[at(j * g.m + i)];
}

}  // namespace

void multiply(const OrderedProduct& call) { multiply(call, active_ordered_panels()); }

void multiply(const OrderedProduct& call, const PanelKernels& kernels) {
  LOGPX_ASSERT((call.a.row_step == 1 || call.a.col_step == 1) &&
               (call.b.row_step == 1 || call.b.col_step == 1));
  OrderedProduct g = call;
  if (g.beta != 0 && g.beta != 1)
    for (std::int64_t i = 0; i < g.m; ++i)
      for (std::int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] *= g.beta;
  thread_local std::vector<double> scaled;
  if (g.alpha != 1) {
    scaled.resize(at(g.m * g.k));
    for (std::int64_t i = 0; i < g.m; ++i)
      for (std::int64_t k = 0; k < g.k; ++k)
        scaled[at(i * g.k + k)] = g.alpha * g.a.data[i * g.a.row_step + k * g.a.col_step];
    g.a = {scaled.data(), g.k, 1};
  }
  if (g.n < few_columns && g.m > g.n) multiply_turned(g, kernels);
  else kernels(panel_product(g, g.a, g.b));
}

}  // namespace logpx::det
