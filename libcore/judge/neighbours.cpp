#include "libcore/judge/neighbours.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/judge/distance_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace logpx {

namespace {

constexpr std::int64_t lanes = distance_lanes, rows_of_search = 128;

// Rows in groups of `lanes`, with one feature of all of them side by side: [groups,d,lanes]. The
// last group is filled up with zeros.
class LaneRows {
 public:
  explicit LaneRows(const FeatureView& features)
      : n_(features.n), d_(features.d), values_(at(groups() * d_ * lanes)) {
    for (std::int64_t i = 0; i < n_; ++i)
      for (std::int64_t k = 0; k < d_; ++k)
        values_[at((i / lanes * d_ + k) * lanes + i % lanes)] = features.row(i)[k];
  }
  [[nodiscard]] std::int64_t groups() const { return (n_ + lanes - 1) / lanes; }
  [[nodiscard]] std::int64_t count(std::int64_t group) const {
    return std::min(lanes, n_ - group * lanes);
  }
  using Distances = std::array<double, lanes>;
  [[nodiscard]] Distances squared_distances(const double* row, std::int64_t group) const {
    Distances sums{};
    kernels_.squared_distances(row, values_.data() + group * d_ * lanes, d_, sums.data());
    return sums;
  }

 private:
  std::int64_t n_, d_;
  std::vector<double> values_;
  const DistanceKernels& kernels_ = active_distance_kernels();
};

std::int64_t task_count(std::int64_t n) { return (n + rows_of_search - 1) / rows_of_search; }

// Keeps the smallest values of those offered.
class Smallest {
 public:
  explicit Smallest(std::int64_t count)
      : heap_(at(count), std::numeric_limits<double>::infinity()) {}
  void offer(double value) {
    if (!(value < heap_.front())) return;
    std::ranges::pop_heap(heap_);
    heap_.back() = value;
    std::ranges::push_heap(heap_);
  }
  [[nodiscard]] double largest() const { return heap_.front(); }

 private:
  std::vector<double> heap_;
};

// For each row: the squared distance to its K-th nearest neighbour among the others.
std::vector<double> squared_radii(const FeatureView& features, const LaneRows& lane_rows,
                                  std::int64_t neighbours, Workers& workers) {
  std::vector<double> radii(at(features.n));
  workers.run(task_count(features.n), [&](std::int64_t task) {
    const std::int64_t begin = task * rows_of_search;
    const std::int64_t end = std::min(features.n, begin + rows_of_search);
    std::vector<Smallest> nearest(at(end - begin), Smallest(neighbours));
    for (std::int64_t group = 0; group < lane_rows.groups(); ++group)
      for (std::int64_t i = begin; i < end; ++i) {
        const auto distances = lane_rows.squared_distances(features.row(i), group);
        for (std::int64_t lane = 0; lane < lane_rows.count(group); ++lane)
          if (group * lanes + lane != i) nearest[at(i - begin)].offer(distances[at(lane)]);
      }
    for (std::int64_t i = begin; i < end; ++i) radii[at(i)] = nearest[at(i - begin)].largest();
  });
  return radii;
}

// What one task finds about balls of real rows and balls of fake rows.
struct Meetings {
  std::vector<std::int64_t> real_balls;  // for each fake row: in how many it lies
  std::vector<std::uint8_t> covered;     // for each real row: its ball holds a fake row
  std::vector<std::uint8_t> recalled;    // for each real row: it is in a ball of a fake row
};

RowShares shares_of(const std::vector<std::uint8_t>& flags) {
  return {.shares = {flags.begin(), flags.end()}};
}

}  // namespace

double RowShares::mean() const {
  return std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
}

double RowShares::std_error() const {
  const double middle = mean();
  double squares = 0;
  for (const double share : shares) squares += (share - middle) * (share - middle);
  const auto n = static_cast<double>(shares.size());
  return n > 1 ? std::sqrt(squares / (n - 1) / n) : 0;
}

NeighbourScores neighbour_scores(const FeatureView& real, const FeatureView& fake,
                                 std::int64_t neighbours, Workers& workers) {
  LOGPX_ASSERT(neighbours >= 1 && real.n > neighbours && fake.n > neighbours && real.d == fake.d);
  const LaneRows real_lanes(real), fake_lanes(fake);
  const std::vector<double> real_radii = squared_radii(real, real_lanes, neighbours, workers);
  const std::vector<double> fake_radii = squared_radii(fake, fake_lanes, neighbours, workers);

  Meetings found{std::vector<std::int64_t>(at(fake.n)), std::vector<std::uint8_t>(at(real.n)),
                 std::vector<std::uint8_t>(at(real.n))};
  std::vector<std::vector<std::int32_t>> balls(at(task_count(real.n)));
  workers.run(task_count(real.n), [&](std::int64_t task) {
    const std::int64_t begin = task * rows_of_search;
    const std::int64_t end = std::min(real.n, begin + rows_of_search);
    balls[at(task)].resize(at(fake.n));
    for (std::int64_t group = 0; group < fake_lanes.groups(); ++group)
      for (std::int64_t i = begin; i < end; ++i) {
        const auto distances = fake_lanes.squared_distances(real.row(i), group);
        for (std::int64_t lane = 0; lane < fake_lanes.count(group); ++lane) {
          const std::int64_t j = group * lanes + lane;
          const bool in_real = distances[at(lane)] <= real_radii[at(i)];
          balls[at(task)][at(j)] += in_real;
          found.covered[at(i)] |= in_real;
          found.recalled[at(i)] |= distances[at(lane)] <= fake_radii[at(j)];
        }
      }
  });
  for (const auto& of_task : balls)
    for (std::size_t j = 0; j < of_task.size(); ++j) found.real_balls[j] += of_task[j];

  NeighbourScores scores{.precision = {},
                         .recall = shares_of(found.recalled),
                         .density = {},
                         .coverage = shares_of(found.covered)};
  for (const std::int64_t count : found.real_balls) {
    scores.precision.shares.push_back(count > 0 ? 1 : 0);
    scores.density.shares.push_back(static_cast<double>(count) / static_cast<double>(neighbours));
  }
  return scores;
}

}  // namespace logpx
