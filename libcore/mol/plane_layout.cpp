#include "libcore/mol/plane_layout.hpp"

#include "libcore/base/index.hpp"
#include "libcore/mol/molecule.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace logpx {
namespace {

constexpr double between_pieces = 2.5;  // bonds, for two atoms that none connect
constexpr int rounds = 300;

// The fewest bonds between any two atoms, [n, n].
std::vector<double> bonds_between(std::int64_t n, std::span<const std::uint8_t> bonds) {
  std::vector<double> far(at(n * n), std::numeric_limits<double>::infinity());
  for (std::int64_t i = 0, pair = 0; i < n; ++i) {
    far[at(i * n + i)] = 0;
    for (std::int64_t j = i + 1; j < n; ++j, ++pair)
      if (bonds[at(pair)] > 0 && bonds[at(pair)] < bond_kinds)
        far[at(i * n + j)] = far[at(j * n + i)] = 1;
  }
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        far[at(i * n + j)] = std::min(far[at(i * n + j)], far[at(i * n + k)] + far[at(k * n + j)]);
  for (double& distance : far)
    if (!std::isfinite(distance)) distance = between_pieces;
  return far;
}

// Each atom goes to where the others would have it, on average.
std::vector<PlanePoint> moved(const std::vector<PlanePoint>& places,
                              const std::vector<double>& wanted) {
  const std::int64_t n = std::ssize(places);
  std::vector<PlanePoint> next(places.size());
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const double dx = places[at(i)].x - places[at(j)].x, dy = places[at(i)].y - places[at(j)].y;
      const double distance = std::max(std::hypot(dx, dy), 1e-9), target = wanted[at(i * n + j)];
      const double weight = 1 / (target * target);
      next[at(i)].x += weight * (places[at(j)].x + target * dx / distance);
      next[at(i)].y += weight * (places[at(j)].y + target * dy / distance);
      sum += weight;
    }
    if (sum > 0) next[at(i)] = {next[at(i)].x / sum, next[at(i)].y / sum};
  }
  return next;
}

void turn_across(std::vector<PlanePoint>& places) {
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (const PlanePoint& place : places) x += place.x, y += place.y;
  const auto n = static_cast<double>(places.size());
  for (PlanePoint& place : places) {
    place = {place.x - x / n, place.y - y / n};
    xx += place.x * place.x, xy += place.x * place.y, yy += place.y * place.y;
  }
  const double angle = std::atan2(2 * xy, xx - yy) / 2, c = std::cos(angle), s = std::sin(angle);
  for (PlanePoint& place : places) place = {c * place.x + s * place.y, c * place.y - s * place.x};
}

// The atoms of each piece, the largest piece first, else in the order of their first atoms.
std::vector<std::vector<std::size_t>> pieces_of(std::int64_t n,
                                                std::span<const std::uint8_t> bonds) {
  std::vector<std::int64_t> piece(at(n));
  for (std::int64_t i = 0; i < n; ++i) piece[at(i)] = i;
  for (std::int64_t i = 0, pair = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j, ++pair)
      if (bonds[at(pair)] > 0 && bonds[at(pair)] < bond_kinds) {
        const std::int64_t one = piece[at(i)], other = piece[at(j)];
        std::ranges::replace(piece, std::int64_t{std::max(one, other)}, std::min(one, other));
      }
  std::vector<std::vector<std::size_t>> pieces(at(n));
  for (std::size_t i = 0; i < piece.size(); ++i) pieces[at(piece[i])].push_back(i);
  std::erase_if(pieces, [](const auto& atoms) { return atoms.empty(); });
  std::ranges::stable_sort(pieces, std::greater(), &std::vector<std::size_t>::size);
  return pieces;
}

struct PieceBox {
  double left = 0, right = 0, low = 0, high = 0;
};
PieceBox box_of(std::span<const PlanePoint> places, const std::vector<std::size_t>& atoms) {
  const PlanePoint first = places[atoms.front()];
  PieceBox box{first.x, first.x, first.y, first.y};
  for (const std::size_t i : atoms) {
    box.left = std::min(box.left, places[i].x);
    box.right = std::max(box.right, places[i].x);
    box.low = std::min(box.low, places[i].y);
    box.high = std::max(box.high, places[i].y);
  }
  return box;
}

}  // namespace

void set_apart(std::span<PlanePoint> places, std::span<const std::uint8_t> bonds) {
  constexpr double across = 1.6, down = 1.2;  // between pieces: letters need room
  const auto pieces = pieces_of(std::ssize(places), bonds);
  if (pieces.size() < 2) return;
  const PieceBox first = box_of(places, pieces.front());
  double width = -across;
  for (std::size_t p = 1; p < pieces.size(); ++p) {
    const PieceBox box = box_of(places, pieces[p]);
    width += box.right - box.left + across;
  }
  double x = (first.left + first.right - width) / 2;
  for (std::size_t p = 1; p < pieces.size(); ++p) {
    const PieceBox box = box_of(places, pieces[p]);
    for (const std::size_t i : pieces[p])
      places[i] = {places[i].x - box.left + x, places[i].y - box.high + first.low - down};
    x += box.right - box.left + across;
  }
}

std::vector<PlanePoint> plane_layout(std::int64_t atoms, std::span<const std::uint8_t> bonds) {
  std::vector<PlanePoint> places(at(atoms));
  if (atoms < 2) return places;
  const std::vector<double> wanted = bonds_between(atoms, bonds);
  const double radius = static_cast<double>(atoms) / 6 + 0.5;
  for (std::int64_t i = 0; i < atoms; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(atoms);
    places[at(i)] = {radius * std::cos(angle), radius * std::sin(angle)};
  }
  for (int round = 0; round < rounds; ++round) places = moved(places, wanted);
  turn_across(places);
  return places;
}

bool is_readable(std::span<const PlanePoint> places, std::span<const std::uint8_t> bonds) {
  constexpr double nearest = 0.3, shortest = 0.5, longest = 2.5;
  std::size_t pair = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j, ++pair) {
      const double distance = std::hypot(places[i].x - places[j].x, places[i].y - places[j].y);
      const bool bonded = bonds[pair] > 0 && bonds[pair] < bond_kinds;
      if (!(distance > nearest) || (bonded && !(distance > shortest && distance < longest)))
        return false;
    }
  return true;
}

}  // namespace logpx
