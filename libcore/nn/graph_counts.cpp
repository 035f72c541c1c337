#include "libcore/nn/graph_counts.hpp"

#include "libcore/base/index.hpp"
#include "libcore/math/eigen.hpp"

#include <cmath>

namespace logpx {
namespace {

using Matrix = std::vector<double>;

// Both factors are symmetric and commute.
Matrix product(std::span<const double> a, std::span<const double> b, std::int64_t n) {
  Matrix c(at(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t j = 0; j < n; ++j) c[at(i * n + j)] += a[at(i * n + k)] * b[at(k * n + j)];
  return c;
}

double row_product(std::span<const double> a, std::span<const double> b, std::int64_t i,
                   std::int64_t n) {
  double sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum += a[at(i * n + j)] * b[at(i * n + j)];
  return sum;
}

constexpr double zero = 1e-8;  // eigenvalues of a Laplacian of a few dozen nodes are far from it

}  // namespace

// Rings are closed walks of as many steps, less those that pass a node twice. With d the degrees, t
// the closed walks of 3 steps, A the edges, B = A A and C = A A A, through node i go
//   t_i / 2;   (B_i B_i - d_i (d_i - 1) - A_i d) / 2;
//   (B_i C_i - 2 (A B)_i d - 2 d_i t_i - A_i t + 5 t_i) / 2,  (A B) element by element.
RingCounts count_rings(std::span<const double> edges, std::int64_t n) {
  const Matrix two = product(edges, edges, n), three = product(two, edges, n);
  RingCounts counts;
  double six = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = two[at(i * n + i)], t = three[at(i * n + i)];
    const double walks4 = row_product(two, two, i, n);
    double near_d = 0, near_t = 0, shared_d = 0, shared = 0, walks3 = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const double edge = edges[at(i * n + j)], both = edge * two[at(i * n + j)];
      near_d += edge * two[at(j * n + j)];
      near_t += edge * three[at(j * n + j)];
      shared_d += both * two[at(j * n + j)];
      shared += both * two[at(i * n + j)];
      walks3 += three[at(i * n + j)];
    }
    const double c3 = t / 2, c4 = (walks4 - d * (d - 1) - near_d) / 2;
    const double c5 =
        (row_product(two, three, i, n) - 2 * shared_d - 2 * d * t - near_t + 5 * t) / 2;
    counts.of_nodes.push_back({c3, c4, c5});
    counts.of_graph[0] += c3 / 3;
    counts.of_graph[1] += c4 / 4;
    counts.of_graph[2] += c5 / 5;
    six += row_product(three, three, i, n) - 3 * t * t + 9 * shared - 6 * d * walks4 + 6 * walks4 -
           4 * t + 4 * d * d * d + 3 * walks3 - 12 * d * d + 4 * d;
  }
  counts.of_graph[3] = six / 12;
  return counts;
}

Spectrum spectrum_of(std::span<const double> edges, std::int64_t n) {
  Matrix laplacian(at(n * n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      laplacian[at(i * n + j)] -= edges[at(i * n + j)];
      laplacian[at(i * n + i)] += edges[at(i * n + j)];
    }
  const SymmetricEigen axes = symmetric_eigen(laplacian, n);
  Spectrum spectrum;
  std::int64_t zeros = 0;
  while (zeros < n && axes.values[at(zeros)] < zero) ++zeros;
  spectrum.pieces = static_cast<double>(zeros);
  spectrum.values.fill(2);
  for (std::int64_t k = 0; k < std::ssize(spectrum.values) && zeros + k < n; ++k)
    spectrum.values[at(k)] = axes.values[at(zeros + k)] / static_cast<double>(n);
  spectrum.vectors.resize(at(n));
  for (std::int64_t k = 0; k < 2 && zeros + k < n; ++k) {
    const std::span<const double> axis =
        std::span(axes.vectors).subspan(at((zeros + k) * n), at(n));
    double largest = 0;
    for (const double entry : axis)
      if (std::fabs(entry) > std::fabs(largest) + zero) largest = entry;
    for (std::int64_t i = 0; i < n; ++i)
      spectrum.vectors[at(i)][at(k)] = largest < 0 ? -axis[at(i)] : axis[at(i)];
  }
  return spectrum;
}

}  // namespace logpx
