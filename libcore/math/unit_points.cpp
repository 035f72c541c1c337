#include "libcore/math/unit_points.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/math/low_discrepancy.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

class RandomPoints final : public UnitPoints {
 public:
  RandomPoints(std::int64_t dims, Rng rng)
      : dims_(dims), words_(rng.stream(Stream::prior_samples, 0)) {}

  [[nodiscard]] std::int64_t dims() const override { return dims_; }
  void fill(std::int64_t first, std::span<double> u) const override {
    std::uint64_t element = static_cast<std::uint64_t>(first * dims_);
    std::size_t i = 0;
    if (element % 2 == 1 && !u.empty()) u[i++] = uniform53_at(words_, element++);
    for (; i + 2 <= u.size(); i += 2, element += 2) {  // a block of words has two
      const Words4 words = words_.block(element / 2);
      u[i] = uniform53_of(words[0], words[1]);
      u[i + 1] = uniform53_of(words[2], words[3]);
    }
    if (i < u.size()) u[i] = uniform53_at(words_, element);
  }

 private:
  std::int64_t dims_;
  Substream words_;
};

// Points that are made one by one.
template <typename Points>
class SinglePoints final : public UnitPoints {
 public:
  explicit SinglePoints(Points points) : points_(std::move(points)) {}

  [[nodiscard]] std::int64_t dims() const override { return points_.dims(); }
  void fill(std::int64_t first, std::span<double> u) const override {
    const std::size_t width = at(dims());
    for (std::size_t i = 0; i < u.size(); i += width)
      points_.point(static_cast<std::uint32_t>(at(first) + i / width), u.subspan(i, width));
  }

 private:
  Points points_;
};

class GivenPoints final : public UnitPoints {
 public:
  GivenPoints(std::vector<double> u, std::int64_t dims) : dims_(dims), u_(std::move(u)) {}

  [[nodiscard]] std::int64_t dims() const override { return dims_; }
  void fill(std::int64_t first, std::span<double> u) const override {
    LOGPX_ASSERT(at(first * dims_) + u.size() <= u_.size());
    std::copy_n(u_.begin() + first * dims_, u.size(), u.begin());
  }

 private:
  std::int64_t dims_;
  std::vector<double> u_;
};

}  // namespace

std::unique_ptr<UnitPoints> random_points(std::int64_t dims, Rng rng) {
  return std::make_unique<RandomPoints>(dims, rng);
}
std::unique_ptr<UnitPoints> sobol_points(std::int64_t dims, Rng rng) {
  return std::make_unique<SinglePoints<Sobol>>(Sobol(dims, rng));
}
std::unique_ptr<UnitPoints> latin_points(std::int64_t count, std::int64_t dims, Rng rng) {
  LOGPX_ASSERT(count >= 1 && count <= std::int64_t{UINT32_MAX});
  return std::make_unique<SinglePoints<LatinHypercube>>(
      LatinHypercube(static_cast<std::uint32_t>(count), dims, rng));
}
std::unique_ptr<UnitPoints> given_points(std::vector<double> u, std::int64_t dims) {
  return std::make_unique<GivenPoints>(std::move(u), dims);
}

}  // namespace logpx
