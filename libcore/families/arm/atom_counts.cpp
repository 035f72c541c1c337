#include "libcore/families/arm/atom_counts.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace logpx::arm {
namespace {

constexpr std::int64_t most_counted = std::int64_t{1} << 40;
constexpr const char* tensor_name = "atom_counts";

}  // namespace

void AtomCounts::count(std::span<const std::int64_t> atoms) {
  for (const std::int64_t n : atoms) ++counts_[at(n)];
}

TensorRef AtomCounts::tensor() {
  return TensorRef::of(tensor_name, std::span(counts_), {std::ssize(counts_)});
}

void AtomCounts::check() const {
  for (const std::int64_t count : counts_)
    if (count < 0 || count > most_counted)
      fail(ErrorKind::data, tensor_name,
           "holds " + std::to_string(count) + ", which is no number of molecules");
  if (counts_[0] != 0) fail(ErrorKind::data, tensor_name, "counts molecules without atoms");
  if (total() == 0) fail(ErrorKind::data, tensor_name, "counts no molecule at all");
}

std::int64_t AtomCounts::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

double AtomCounts::log_p(std::int64_t atoms) const {
  const std::int64_t count = atoms > most_atoms() ? 0 : counts_[at(atoms)];
  if (count == 0) return -std::numeric_limits<double>::infinity();
  return std::log(static_cast<double>(count)) - std::log(static_cast<double>(total()));
}

std::int64_t AtomCounts::draw(double uniform) const {
  const double wanted = uniform * static_cast<double>(total());
  std::int64_t last = 1, sum = 0;
  for (std::int64_t n = 1; n <= most_atoms(); ++n) {
    if (counts_[at(n)] == 0) continue;
    last = n;
    sum += counts_[at(n)];
    if (static_cast<double>(sum) >= wanted) break;
  }
  return last;
}

std::vector<double> AtomCounts::weights() const {
  std::vector<double> weights;
  for (std::int64_t n = 1; n <= most_atoms(); ++n)
    weights.push_back(static_cast<double>(counts_[at(n)] + 1));
  return weights;
}

}  // namespace logpx::arm
