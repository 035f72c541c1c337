// A normal number of which it is known only that it lies in a region: what a node of real numbers
// says of a value that is not there.   [pc/README 9.13]
//
//   const NormalRegion view({.mean = 3, .deviation = 2}, region, Numbers::real);
//   const double nats = view.log_mass();       // of the region
//   const double middle = view.value_at(0.5);  // of what lies there
#pragma once

#include "libcore/families/pc/leaves/joint_gaussian.hpp"
#include "libcore/model/value_region.hpp"

#include <span>
#include <vector>

namespace logpx::pc {

// Whole numbers k have the mass from k - 1/2 to k + 1/2.
enum class Numbers { real, whole };

class NormalRegion {
 public:
  NormalRegion(const SeenGaussian::Normal& normal, const ValueRegion& region, Numbers numbers);

  [[nodiscard]] double log_mass() const { return log_mass_; }
  // Mean and deviation of the normal number in the region.
  [[nodiscard]] SeenGaussian::Normal inside() const;
  // The same of the whole numbers there.
  [[nodiscard]] SeenGaussian::Normal inside_whole() const;
  // The normal number below which this share of the region's mass lies.
  [[nodiscard]] double value_at(double share) const;

 private:
  struct Part {
    double low = 0, high = 0;  // in deviations from the mean
    ValueRange numbers = {};
    double share = 0;
  };
  // Adds what the whole numbers of a range give to the sums of numbers and of squares.
  void add_numbers(const ValueRange& numbers, double& mean, double& square) const;

  SeenGaussian::Normal normal_;
  std::vector<Part> parts_;                      // those of some mass
  double log_mass_ = 0, mean_ = 0, square_ = 0;  // moments in deviations
  double ends_ = 0, moment_of_ends_ = 0;         // densities at lower ends less those at upper ones
};

// The first hidden variable of a node, where a region of it is known.
[[nodiscard]] NormalRegion hidden_region(const SeenGaussian& node, const SeenPlaces& places,
                                         std::span<const double> z);
// A number of a normal distribution in deviations from its mean.
[[nodiscard]] double in_deviations(double x, const SeenGaussian::Normal& of);

}  // namespace logpx::pc
