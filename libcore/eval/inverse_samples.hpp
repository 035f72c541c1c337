// Samples by inverse distribution functions, in blocks over threads: UnitPoints says which uniform
// numbers they are made of, InverseSource whose distribution functions are inverted.
// [eval/README 7]
//
//   const DensitySource source(density, {.method = Inversion::exact});
//   const auto points = random_points(source.uniforms(), rng);
//   InverseSampler sampler(source, *points, workers);
//   const std::span<const double> z = sampler.draw(first, last).z;
#pragma once

#include "libcore/math/inverse_cdf.hpp"
#include "libcore/math/unit_points.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace logpx {

class Workers;

// Turns uniform numbers into samples.
class InverseSource {
 public:
  virtual ~InverseSource() = default;
  [[nodiscard]] virtual std::int64_t uniforms() const = 0;            // per sample
  [[nodiscard]] virtual std::vector<std::int64_t> shape() const = 0;  // empty: one number
  [[nodiscard]] virtual std::pair<double, double> domain() const = 0;
  // u [n,uniforms], z [n,shape]. Several threads at once.
  virtual void map(std::span<const double> u, std::span<double> z) const = 0;
  // max |F(z) - u|, F evaluated anew.
  [[nodiscard]] virtual double u_error(std::span<const double> u,
                                       std::span<const double> z) const = 0;
};

// One density on an interval.
class DensitySource final : public InverseSource {
 public:
  DensitySource(const IntervalDensity& density, const InversionOptions& options);

  [[nodiscard]] std::int64_t uniforms() const override { return 1; }
  [[nodiscard]] std::vector<std::int64_t> shape() const override { return {}; }
  [[nodiscard]] std::pair<double, double> domain() const override {
    return {density_.breaks.front(), density_.breaks.back()};
  }
  void map(std::span<const double> u, std::span<double> z) const override;
  [[nodiscard]] double u_error(std::span<const double> u, std::span<const double> z) const override;

 private:
  IntervalDensity density_;
  std::unique_ptr<PanelCdf> exact_;  // for Inversion::exact, which is made from it
  std::unique_ptr<InverseCdf> inverse_;
};

// Samples first .. last - 1 and the numbers that they are made of.
struct InverseSamples {
  std::int64_t first = 0, last = 0;
  std::span<const double> u, z;
};

class InverseSampler {
 public:
  // Borrows all three.
  InverseSampler(const InverseSource& source, const UnitPoints& points, Workers& workers);
  // Valid until the next call.
  [[nodiscard]] InverseSamples draw(std::int64_t first, std::int64_t last);
  [[nodiscard]] std::int64_t numbers_per_sample() const;  // product of the source's shape

 private:
  const InverseSource& source_;
  const UnitPoints& points_;
  Workers& workers_;
  std::vector<double> u_, z_;
};

// Keeps some samples of a run, spread evenly over it, for the u-error to be measured on.
class SpreadSamples {
 public:
  // Keeps at most `count` of samples first .. last - 1.
  SpreadSamples(std::int64_t first, std::int64_t last, std::int64_t count = 4096);
  // Must be given all samples, in order.
  void keep(const InverseSamples& samples);
  [[nodiscard]] double u_error(const InverseSource& source) const { return source.u_error(u_, z_); }

 private:
  [[nodiscard]] std::int64_t next() const;

  std::int64_t first_, last_, count_, kept_ = 0;
  std::vector<double> u_, z_;
};

}  // namespace logpx
