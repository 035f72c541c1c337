#include "libcore/mol/numbering.hpp"

#include "libcore/base/index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx {

Numbering::Numbering(const Molecule& molecule)
    : symmetry_(molecule), colours_(symmetry_.start()), left_(at(molecule.size())) {
  std::iota(left_.begin(), left_.end(), 0);
}

std::vector<std::uint32_t> Numbering::alike(std::uint32_t place) const {
  const std::int64_t atom = left_[place];
  std::vector<std::uint32_t> places;
  for (std::uint32_t other = 0; other < left(); ++other) {
    const bool may_be = colours_[at(left_[other])] == colours_[at(atom)];
    if (other == place || (may_be && symmetry_.exchange(colours_, atom, left_[other])))
      places.push_back(other);
  }
  return places;
}

void Numbering::take(std::uint32_t place) {
  const std::int64_t atom = left_[place];
  if (std::ranges::count(colours_, colours_[at(atom)]) > 1)
    colours_ = symmetry_.with_first(std::move(colours_), atom);
  left_.erase(left_.begin() + place);
  order_.push_back(atom);
}

std::vector<std::int64_t> Numbering::exchanged(std::vector<std::int64_t> order, std::uint32_t place,
                                               std::uint32_t other) const {
  if (place == other) return order;
  const AtomImages image = symmetry_.exchange(colours_, left_[place], left_[other]).value();
  for (std::int64_t& atom : order) atom = image[at(atom)];
  return order;
}

std::uint32_t Numbering::place_of(std::int64_t atom) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(left_, atom) - left_.begin());
}

std::vector<NumberingStep> steps_of_numbering(const Molecule& molecule,
                                              std::vector<std::int64_t> order) {
  std::vector<NumberingStep> steps;
  Numbering numbering(molecule);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t place = numbering.place_of(order[i]);
    steps.push_back({.left = numbering.left(), .alike = numbering.alike(place)});
    const std::uint32_t first = steps.back().alike.front();
    order = numbering.exchanged(std::move(order), place, first);
    numbering.take(first);
  }
  return steps;
}

}  // namespace logpx
