// Coordinates in which independent densities become N(0, I): z = F^-1(Phi(v)).   [math/README 8.6]
//
//   const NormalScores scores(std::move(inverses), dims);
//   scores.to_z(v, z, slopes);              // log p(v) = log N(v; 0, I)
//   scores.pull_back(dz, slopes, dv);       // of a function of z, its gradient by v
#pragma once

#include "libcore/math/inverse_cdf.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace logpx {

class NormalScores {
 public:
  // Number k of z follows inverses[k] and is made of score k mod dims, which others may share.
  NormalScores(std::vector<InverseCdf> inverses, std::int64_t dims);
  [[nodiscard]] std::int64_t dims() const { return dims_; }
  [[nodiscard]] std::int64_t z_dims() const { return std::ssize(inverses_); }

  // v [n,dims] to z [n,z_dims] and, where they are wanted, slopes dz/dv.
  template <typename T>
  void to_z(std::span<const T> v, std::span<double> z, std::span<double> slopes) const;
  void to_z(std::span<const float> v, std::span<double> z, std::span<double> slopes) const {
    to_z<float>(v, z, slopes);
  }
  // d/dv [n,dims] from d/dz and slopes [n,z_dims].
  void pull_back(std::span<const double> dz, std::span<const double> slopes,
                 std::span<float> dv) const;
  // The scores v [n,dims] of z [n,z_dims], from the first `dims` numbers of each row.
  void from_z(std::span<const double> z, std::span<float> v) const;

 private:
  std::vector<InverseCdf> inverses_;
  std::int64_t dims_;
};

}  // namespace logpx
