#include "libcore/eval/best_filling.hpp"

#include "libcore/base/index.hpp"
#include "libcore/eval/joint_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace logpx {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();
constexpr double worth_it = 1e-12;  // nats

BestFilling best_of_all(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                        const Assignments& assignments) {
  BestFilling best{.nats = impossible};
  std::int64_t chosen = -1;
  assignments.score(queries, rows, i, [&](std::int64_t first, std::span<const double> nats) {
    for (std::size_t k = 0; k < nats.size(); ++k)
      if (nats[k] > best.nats) {
        best.nats = nats[k];
        chosen = first + static_cast<std::int64_t>(k);
      }
  });
  if (chosen < 0) return best;
  best.x.assign(rows.row(i).begin(), rows.row(i).end());
  best.reals = rows.repeat(i, 1).reals;
  const std::vector<std::int32_t> values = assignments.values(chosen);
  for (std::size_t p = 0; p < values.size(); ++p) best.x[at(assignments.places()[p])] = values[p];
  return best;
}

// A beginning extended by one more value.
struct Step {
  double nats = 0;  // log p of what is there and the beginning
  std::int64_t from = 0;
  std::int32_t value = 0;
};

// The best beginnings, extended by a value in this place.
std::vector<Step> steps_to(const ModelQueries& queries, const Evidence& beam,
                           std::span<const double> nats, std::int64_t place, std::int64_t most) {
  const std::vector<double> p = queries.tables(beam).p;
  std::vector<Step> steps;
  for (std::int64_t b = 0; b < beam.count(); ++b)
    for (std::int64_t k = 0; k < queries.known_at(place); ++k) {
      const double one = p[at((b * beam.width + place) * queries.levels() + k)];
      if (one > 0) steps.push_back({nats[at(b)] + std::log(one), b, static_cast<std::int32_t>(k)});
    }
  std::ranges::stable_sort(steps, std::greater<>(), &Step::nats);
  if (std::ssize(steps) > most) steps.resize(at(most));
  return steps;
}

// The fillings at the end of a beam search, without real numbers.
Evidence beam_of(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                 std::int64_t most) {
  Evidence beam = rows.repeat(i, 1);
  std::vector<double> nats = queries.log_p(beam);
  for (const std::int64_t place : missing_places(rows, i)) {
    if (queries.is_real(place)) continue;
    const std::vector<Step> steps = steps_to(queries, beam, nats, place, most);
    Evidence longer = rows.repeat(i, std::ssize(steps));
    nats.clear();
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const auto copy = static_cast<std::int64_t>(s);
      std::ranges::copy(std::as_const(beam).row(steps[s].from), longer.row(copy).begin());
      longer.row(copy)[at(place)] = steps[s].value;
      nats.push_back(steps[s].nats);
    }
    beam = std::move(longer);
  }
  return beam;
}

// Changes the category that helps most, again and again until none helps.
void climb(const ModelQueries& queries, Evidence& row, std::span<const std::int64_t> places) {
  for (bool better = true; better;) {
    const std::vector<double> p = queries.tables(row).p;
    double best = 1 + worth_it;
    std::int64_t where = -1;
    std::int32_t value = 0;
    for (const std::int64_t place : places) {
      if (queries.is_real(place)) continue;
      const auto own =
          std::span(p).subspan(at(place * queries.levels()), at(queries.known_at(place)));
      const auto largest = std::ranges::max_element(own);
      const double ratio = *largest / own[at(row.x[at(place)])];
      if (!(ratio > best)) continue;
      best = ratio;
      where = place;
      value = static_cast<std::int32_t>(largest - own.begin());
    }
    better = where >= 0;
    if (better) row.x[at(where)] = value;
  }
}

// Moves a real number to the densest of some values around it, with the others fixed, then searches
// ever more closely around it.
void move_to_peak(const ModelQueries& queries, Evidence& row, std::int64_t place) {
  constexpr std::int64_t steps = 16;  // to either side
  constexpr int rounds = 7;
  constexpr double widest = 4;  // deviations
  const RealMoments moments = queries.tables(row).reals[at(place)];
  const double deviation = std::sqrt(std::max(0.0, moments.square - moments.mean * moments.mean));
  double middle = moments.mean, reach = widest * deviation;
  double best = queries.log_p(row)[0] + worth_it;
  for (int round = 0; round < rounds; ++round, reach /= steps / 2) {
    Evidence around = row.repeat(0, 2 * steps + 1);
    for (std::int64_t k = 0; k < around.count(); ++k)
      around.set_real(k, place, middle + reach * static_cast<double>(k - steps) / steps);
    const std::vector<double> nats = queries.log_p(around);
    const auto top = std::ranges::max_element(nats);
    if (*top > best) {
      best = *top;
      row = around.repeat(top - nats.begin(), 1);
    }
    middle = static_cast<double>(row.reals[at(place)]);
  }
}

// Categories and real numbers in turn, for as long as that helps.
void improve(const ModelQueries& queries, Evidence& row, std::span<const std::int64_t> places) {
  constexpr double enough = 1e-9;  // nats
  constexpr int most_turns = 100;
  const bool reals =
      std::ranges::any_of(places, [&](auto place) { return queries.is_real(place); });
  double before = impossible;
  for (int turn = 0; turn < most_turns; ++turn) {
    climb(queries, row, places);
    if (!reals) return;
    for (const std::int64_t place : places)
      if (queries.is_real(place)) move_to_peak(queries, row, place);
    const double nats = queries.log_p(row)[0];
    if (!(nats > before + enough)) return;
    before = nats;
  }
}

// Fills each row with its most probable explanation.
void explain(const ModelQueries& queries, Evidence& rows) {
  rows.become(queries.fill(rows, FillBy::explanation, Rng(1), 0));
}

}  // namespace

BestFilling best_filling(const ModelQueries& queries, const Evidence& rows, std::int64_t i,
                         const FillingSearch& search) {
  const std::vector<std::int64_t> missing = missing_places(rows, i);
  const bool reals =
      std::ranges::any_of(missing, [&](auto place) { return queries.is_real(place); });
  if (!reals) {
    const Assignments assignments(queries, missing);
    if (assignments.count(search.enumerate) <= search.enumerate)
      return best_of_all(queries, rows, i, assignments);
  }
  BestFilling best{.nats = queries.log_p(rows.repeat(i, 1))[0], .exact = false};
  if (!std::isfinite(best.nats)) return best;
  Evidence ends = beam_of(queries, rows, i, search.beam), explained = rows.repeat(i, 1);
  if (reals) explain(queries, ends);
  explain(queries, explained);
  ends.x.insert(ends.x.end(), explained.x.begin(), explained.x.end());
  ends.reals.insert(ends.reals.end(), explained.reals.begin(), explained.reals.end());
  ends.lengths.push_back(rows.lengths[at(i)]);
  const std::vector<double> nats = queries.log_p(ends);
  Evidence top = ends.repeat(std::ranges::max_element(nats) - nats.begin(), 1);
  improve(queries, top, missing);
  best.nats = queries.log_p(top)[0];
  best.x = std::move(top.x);
  best.reals = std::move(top.reals);
  return best;
}

}  // namespace logpx
