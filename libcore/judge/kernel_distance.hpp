// Kernel distance: the unbiased squared MMD between two sets of features [eval/README 10.2],
//
//   KID = sum_{i!=j} k(x_i,x_j) / (m (m-1)) + sum_{i!=j} k(y_i,y_j) / (n (n-1))
//         - 2 sum k(x_i,y_j) / (m n),       k(x,y) = (gamma x.y + coef0)^degree
//
// Sizes may differ, and it may be negative. Kernels are made block by block and used at once: no
// [n,m] matrix is ever kept. Many choices of rows share each block, since the sum over one choice
// is c^T K c, where c[i] counts how often row i occurs.
#pragma once

#include "libcore/judge/moments.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class Workers;

struct PolynomialKernel {
  std::int64_t degree = 3;
  double gamma = 1;  // usually 1/d
  double coef0 = 1;

  [[nodiscard]] double of(double product) const;
};

struct KernelDistance {
  double value = 0;
  double std_error = 0;  // for both samples, from the variance of rows' shares
};

// Two sets of two rows or more.
struct KernelSets {
  PolynomialKernel kernel;
  FeatureView real, fake;
};

// All real rows against any choice of fake ones.
class KernelReference {
 public:
  // Keeps what the views of `sets` show.
  KernelReference(const KernelSets& sets, Workers& workers);

  [[nodiscard]] KernelDistance distance(Workers& workers) const;  // to all fake rows
  [[nodiscard]] std::vector<double> distances(std::span<const RowList> fake,
                                              Workers& workers) const;

 private:
  [[nodiscard]] double real_term() const;

  KernelSets sets_;
  std::vector<double> real_sums_;   // [m] for each real row, over the others
  std::vector<double> real_cross_;  // [m] for each real row, over the fake ones
  std::vector<double> fake_cross_;  // [n] for each fake row, over the real ones
};

// For choices of rows on both sides, real[i] with fake[i].
[[nodiscard]] std::vector<double> kernel_distances(const KernelSets& sets,
                                                   std::span<const RowList> real,
                                                   std::span<const RowList> fake, Workers& workers);
// The same for one small choice, on the calling thread.
[[nodiscard]] double kernel_distance(const KernelSets& sets, const RowList& real,
                                     const RowList& fake);

}  // namespace logpx
