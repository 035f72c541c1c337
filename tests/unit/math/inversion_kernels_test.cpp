#include "libcore/math/inversion_kernels.hpp"

#include "libcore/base/rng.hpp"
#include "libcore/det/isa.hpp"
#include "libcore/math/cell_guide.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace logpx::inversion_kernels_test {
namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t count, std::uint32_t sub) {
  Numbers x(count);
  Cursor words(Rng(5).stream(Stream::test, sub));
  for (double& value : x) value = words.uniform53();
  return x;
}

// Uneven cells, some so narrow that several lie within one step of the guide.
Numbers uneven_ends() {
  Numbers ends = random_numbers(60, 1);
  for (int i = 0; i < 30; ++i) ends.push_back(0.3 + 1e-6 * i);
  ends.push_back(1);
  std::sort(ends.begin(), ends.end());
  return ends;
}

// 0, 1, numbers outside and numbers between; their count is no multiple of a vector's length.
Numbers all_sorts_of_u() {
  Numbers u = random_numbers(1003, 2);
  for (const double x : {0.0, 1.0, -0.5, 1.5, 1e-300, 1 - 0x1p-53, 0.3000015})
    u.insert(u.begin() + 77, x);
  return u;
}

bool same_bytes(const Numbers& a, const Numbers& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

template <typename Run>
void same_for_every_isa(Run run) {
  const Numbers plain = run(inversion_kernels_of(Isa::baseline));
  for (const Isa isa : {Isa::v3, Isa::v4}) {
    if (!isa_available(isa)) continue;
    CAPTURE(isa_name(isa));
    CHECK(same_bytes(run(inversion_kernels_of(isa)), plain));
  }
}

}  // namespace

TEST_CASE("inversion: a guide finds the cell that a search finds, however narrow cells are") {
  const Numbers ends = uneven_ends();
  CellGuide guide;
  guide.rebuild(ends);
  for (const double u : all_sorts_of_u()) {
    if (!(u >= 0 && u <= 1)) continue;
    const auto wanted = std::lower_bound(ends.begin(), ends.end(), u) - ends.begin();
    CHECK(static_cast<std::ptrdiff_t>(guide.find(u)) == wanted);
  }
}

TEST_CASE("inversion: every instruction set gives the same polynomials, and the ends outside") {
  const Numbers ends = uneven_ends(), slopes = random_numbers(5 * ends.size(), 3);
  CellGuide guide;
  guide.rebuild(ends);
  std::vector<InversePiece> pieces;
  for (std::size_t j = 0; j < ends.size(); ++j) {
    InversePiece piece{j == 0 ? 0 : ends[j - 1], 2 * static_cast<double>(j), {}, 0};
    for (std::size_t k = 0; k < 5; ++k) piece.c[k] = slopes[5 * j + k];
    piece.high = piece.low + 1;
    pieces.push_back(piece);
  }
  const Numbers u = all_sorts_of_u();
  const PieceGuide view = guide.view(0, pieces.back().high);
  const auto run = [&](const InversionKernels& kernels) {
    Numbers z(u.size());
    kernels.polynomials(view, pieces.data(), u.data(), z.data(), std::ssize(u));
    return z;
  };
  same_for_every_isa(run);
  const Numbers z = run(active_inversion_kernels());
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (u[i] <= 0) CHECK(z[i] == 0);
    else if (u[i] >= 1) CHECK(z[i] == pieces.back().high);
    else CHECK(static_cast<std::size_t>(z[i] / 2) == guide.find(u[i]));
  }
}

TEST_CASE(
    "inversion: every instruction set gives the same cubics, or leaves the same to a search") {
  constexpr std::size_t cells_in_all = 45, room = 45 + shape_padding;
  const Numbers g = random_numbers(2 * room + 1, 4);
  const auto shapes_by = [&](const InversionKernels& kernels) {
    Numbers all(5 * room), kept;
    kernels.shapes({g.data(), &all[0], &all[room], &all[2 * room], &all[3 * room], &all[4 * room]},
                   cells_in_all);
    for (std::size_t k = 0; k < 5; ++k)
      kept.insert(kept.end(), &all[k * room], &all[k * room + cells_in_all]);
    return kept;
  };
  same_for_every_isa(shapes_by);
  const Numbers shapes = shapes_by(active_inversion_kernels());
  const double total = std::accumulate(shapes.begin(), shapes.begin() + 45, 0.0);
  std::vector<HermiteCell> cells;
  Numbers ends;
  double sum = 0;
  for (std::size_t j = 0; j < 45; ++j) {
    const double mass = shapes[j] / total;
    // The third cell begins and ends where there is nothing: Newton's iteration fails at its ends.
    const double slope = j == 2 ? 0 : 1;
    cells.push_back({sum, 1 / mass, slope * shapes[45 + j], slope * shapes[90 + j],
                     j == 2 ? 3 : shapes[135 + j], j == 2 ? 3 : shapes[180 + j],
                     static_cast<double>(j), 1});
    ends.push_back(sum += mass);
  }
  ends.back() = 1;
  CellGuide guide;
  guide.rebuild(ends);
  Numbers u = all_sorts_of_u();
  u.push_back(cells[2].below + 1e-9 / cells[2].inverse_mass);
  long lost = -1;
  const auto run = [&](const InversionKernels& kernels) {
    Numbers z(u.size());
    lost = kernels.hermites(guide.view(0, 45), cells.data(), u.data(), z.data(), std::ssize(u));
    const auto missing = std::count_if(z.begin(), z.end(), [](double x) { return std::isnan(x); });
    CHECK(missing == lost);
    for (double& value : z)  // whatever the sign of the NaN
      if (std::isnan(value)) value = -1;
    return z;
  };
  same_for_every_isa(run);
  CHECK(lost >= 1);
  CHECK(lost < 60);  // of a thousand, in cells as rough as there can be
}

TEST_CASE("inversion: every instruction set gives the same places in cells given one by one") {
  constexpr std::size_t n = 203, room = n + cell_padding;
  // A seventh of the cells have no density at their ends: Newton's iteration fails close to them.
  Numbers start = random_numbers(room, 5), middle = random_numbers(room, 6),
          end = random_numbers(room, 7), share = random_numbers(room, 8);
  Numbers below(room, 0.25), width(room, 0.5), u(room);
  for (std::size_t i = 0; i < room; ++i) {
    if (i % 7 == 0) start[i] = end[i] = 0;
    if (i % 21 == 0) share[i] = 1e-9;
    u[i] = below[i] + share[i] * width[i] * (start[i] + 4 * middle[i] + end[i]) / 6;
  }
  long lost = -1;
  const auto run = [&](const InversionKernels& kernels) {
    Numbers t(room), slopes(room);
    lost = kernels.cells({u.data(), below.data(), start.data(), middle.data(), end.data(),
                          width.data(), t.data(), slopes.data()},
                         n);
    t.resize(n);
    CHECK(std::count_if(t.begin(), t.end(), [](double x) { return std::isnan(x); }) == lost);
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isnan(t[i])) t[i] = slopes[i] = -1;  // whatever the sign of the NaN
      t.push_back(slopes[i]);
    }
    return t;
  };
  same_for_every_isa(run);
  const Numbers t = run(active_inversion_kernels());
  CHECK(lost > 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (t[i] < 0) continue;
    const double mean = (start[i] + 4 * middle[i] + end[i]) / 6;
    const double first = std::min(start[i] / mean, 3.0), last = std::min(end[i] / mean, 3.0);
    const double b = 3 - 2 * first - last, c = first + last - 2;
    CHECK(std::fabs(t[i] * (first + t[i] * (b + t[i] * c)) - share[i]) <= 2e-12);
    const double rise = first + t[i] * (2 * b + t[i] * 3 * c);
    CHECK(t[n + i] == doctest::Approx(1 / (mean * rise)).epsilon(1e-9));
  }
}

}  // namespace logpx::inversion_kernels_test
