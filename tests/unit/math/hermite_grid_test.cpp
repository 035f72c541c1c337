#include "libcore/math/hermite_grid.hpp"

#include "libcore/base/rng.hpp"
#include "libcore/det/isa.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace logpx::hermite_grid_test {
namespace {

using Numbers = std::vector<double>;

template <typename T = double>
std::vector<T> uniforms(std::size_t count, std::uint32_t sub) {
  std::vector<T> x(count);
  Cursor words(Rng(5).stream(Stream::test, sub));
  for (T& value : x) value = static_cast<T>(words.uniform53());
  return x;
}

template <typename T>
const GridKernels<T>& kernels_of(Isa isa) {
  if constexpr (std::is_same_v<T, float>) return grid_kernels_of(isa).of_floats;
  else return grid_kernels_of(isa).of_doubles;
}

std::vector<Isa> available() {
  std::vector<Isa> all = {Isa::baseline, Isa::v3, Isa::v4};
  std::erase_if(all, [](Isa isa) { return !isa_available(isa); });
  return all;
}

// On rows of n numbers; what lies beyond them must not change.
template <typename T>
void works_on_rows(Isa isa, std::size_t n) {
  const GridKernels<T>& kernels = kernels_of<T>(isa);
  const auto x = uniforms<T>(n + 3, 1), y = uniforms<T>(n + 3, 2);
  const Numbers a = uniforms(n + 3, 3);
  const auto count = static_cast<long>(n);
  CHECK(kernels.largest(x.data(), count) == *std::max_element(x.begin(), x.end() - 3));
  const auto matches = [&](auto change, auto value) {
    std::vector<T> got = x, wanted = x;
    change(got.data());
    for (std::size_t i = 0; i < n; ++i) wanted[i] = value(i);
    CHECK(got == wanted);
  };
  matches([&](T* to) { kernels.add(to, y.data(), count); }, [&](auto i) { return x[i] + y[i]; });
  matches([&](T* to) { kernels.scale(to, T(0.3), count); }, [&](auto i) { return x[i] * T(0.3); });
  matches([&](T* to) { kernels.product(to, a.data(), y.data(), count); },
          [&](auto i) { return static_cast<T>(a[i]) * y[i]; });
  const bool narrow = std::is_same_v<T, float>;
  matches([&](T* to) { kernels.lower(to, T(69.4), count); },
          [&](auto i) { return narrow && x[i] - T(69.4) < -69 ? T(-1000) : x[i] - T(69.4); });
}

struct Gathered {
  std::vector<long long> cell;
  Numbers held, below, start, middle, end, width, low;
};
template <typename T>
Gathered gathered(Isa isa, const HermiteGrid& grid, const std::vector<T>& g, const Numbers& below,
                  const Numbers& u) {
  const std::size_t n = u.size();
  Gathered to{std::vector<long long>(n),
              Numbers(n),
              Numbers(n),
              Numbers(n),
              Numbers(n),
              Numbers(n),
              Numbers(n),
              Numbers(n)};
  kernels_of<T>(isa).gather(
      {below.data(), grid.lows().data(), grid.widths().data(), grid.first_points().data(),
       static_cast<long>(grid.cells()), g.data(), u.data(), 1e-300, 1 - 0x1p-53, to.cell.data(),
       to.held.data(), to.below.data(), to.start.data(), to.middle.data(), to.end.data(),
       to.width.data(), to.low.data()},
      static_cast<long>(n));
  return to;
}

template <typename T>
void finds_cells(Isa isa, std::int64_t intervals) {
  const HermiteGrid grid(Numbers{-1, 0.5, 2}, intervals);
  const auto g = uniforms<T>(grid.points().size(), 4);
  Numbers below = uniforms(grid.cells() + 1, 5), u = uniforms(101, 6);
  std::ranges::sort(below);
  below.front() = 0, below.back() = 1;
  if (below.size() > 4) below[3] = below[2];  // a cell without mass
  u.insert(u.end(), {0, 1, -1, 2, below[below.size() / 2]});
  const Gathered found = gathered(isa, grid, g, below, u);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double held = std::clamp(u[i], 1e-300, 1 - 0x1p-53);
    const auto cell = std::lower_bound(below.begin() + 1, below.end(), held) - below.begin() - 1;
    const auto k = static_cast<std::size_t>(cell);
    const auto first = static_cast<std::size_t>(grid.first_points()[k]);
    CHECK(found.held[i] == held);
    CHECK(found.cell[i] == cell);
    CHECK(found.below[i] == below[k]);
    CHECK(found.start[i] == static_cast<double>(g[first]));
    CHECK(found.middle[i] == static_cast<double>(g[first + 1]));
    CHECK(found.end[i] == static_cast<double>(g[first + 2]));
    CHECK(found.width[i] == grid.widths()[k]);
    CHECK(found.low[i] == grid.lows()[k]);
  }
}

}  // namespace

TEST_CASE("grid: every instruction set treats rows of a table as plain loops do") {
  for (const Isa isa : available())
    for (std::size_t n = 1; n < 150; n += n < 40 ? 1 : 37) {
      CAPTURE(n);
      works_on_rows<float>(isa, n);
      works_on_rows<double>(isa, n);
    }
}

TEST_CASE("grid: every instruction set finds the cell that a search finds") {
  for (const Isa isa : available())
    for (const std::int64_t intervals : {2, 4, 6, 34, 200}) {
      CAPTURE(intervals);
      finds_cells<float>(isa, intervals);
      finds_cells<double>(isa, intervals);
    }
}

TEST_CASE("grid: parts of cells integrate a constant up to z, and a cell of it as a whole") {
  const HermiteGrid grid(Numbers{-1, 0.5, 2}, 10);
  Numbers z = uniforms(77, 7);
  for (double& value : z) value = 3 * value - 1;
  z.insert(z.end(), {-1, 0.5, 2, 0.4999999});
  const Numbers shares = uniforms(z.size(), 8);
  CellParts parts;
  grid.parts(z, shares, parts);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto k = static_cast<std::size_t>(parts.cells[i]);
    CHECK(z[i] >= grid.lows()[k] - 1e-12);
    CHECK(z[i] <= grid.lows()[k] + grid.widths()[k] + 1e-12);
    const double sum = parts.weights[0][i] + parts.weights[1][i] + parts.weights[2][i];
    CHECK(sum == doctest::Approx(shares[i] * (z[i] - grid.lows()[k])).epsilon(1e-12));
  }
  Numbers masses(grid.cells());
  const Numbers ones(grid.points().size(), 1.0);
  grid.masses<double>(ones, masses);
  for (std::size_t k = 0; k < masses.size(); ++k)
    CHECK(masses[k] == doctest::Approx(grid.widths()[k]));
}

TEST_CASE("grid: every instruction set gives the same parts, masses and spread sums") {
  constexpr std::size_t cells = 37, samples = 53;
  const auto g = uniforms<float>(2 * cells + 1, 9);
  const Numbers sixth = uniforms(cells, 10), z = uniforms(samples, 11),
                shares = uniforms(samples, 12);
  const Numbers starts = {0, 0.4, 1}, per_width = {92.5, 61.6}, width = {0.4 / 37, 0.6 / 37},
                sixths = {0.4 / 222, 0.6 / 222};
  const auto all_of = [&](Isa isa) {
    Numbers mass(cells), sums = uniforms(2 * cells + 1, 13), first(samples), middle(samples),
                         last(samples);
    std::vector<long long> cell(samples);
    kernels_of<float>(isa).masses(g.data(), sixth.data(), mass.data(), cells);
    grid_kernels_of(isa).spread(mass.data(), sums.data(), cells);
    grid_kernels_of(isa).parts(
        {starts.data(), per_width.data(), width.data(), sixths.data(), 2, cells, z.data(),
         shares.data(), cell.data(), first.data(), middle.data(), last.data()},
        samples);
    Numbers all(cell.begin(), cell.end());
    for (const Numbers& part : {mass, sums, first, middle, last})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  const Numbers plain = all_of(Isa::baseline);
  for (const Isa isa : available()) CHECK(all_of(isa) == plain);
  Numbers mass(cells), sums = uniforms(2 * cells + 1, 13);
  for (std::size_t k = cells; k-- > 0;) {
    const double* const at = plain.data() + samples;
    mass[k] = at[k];
    sums[2 * k] += mass[k], sums[2 * k + 1] += 4 * mass[k], sums[2 * k + 2] += mass[k];
  }
  CHECK(std::equal(sums.begin(), sums.end(), plain.begin() + samples + cells));
}

}  // namespace logpx::hermite_grid_test
