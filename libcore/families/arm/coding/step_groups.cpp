#include "libcore/families/arm/coding/step_groups.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/functions.hpp"

#include <algorithm>
#include <limits>

namespace logpx::arm {
namespace {

constexpr std::size_t most_places = 32;

// 0 and up, ever farther apart: the first positions teach the most.
std::vector<std::size_t> known_counts(std::size_t dims) {
  std::vector<std::size_t> counts;
  const std::size_t places = std::min(dims, most_places);
  for (std::size_t i = 0; i < places; ++i) {
    const std::size_t known =
        dims <= most_places ? i : (dims - 1) * i * i / ((places - 1) * (places - 1));
    if (counts.empty() || known > counts.back()) counts.push_back(known);
  }
  return counts;
}

// What a value costs among those that the dim can have; the same on all machines.
double nats_of(std::span<const double> logits, std::int32_t value) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double logit : logits) sum += det_exp(logit - largest);
  constexpr double most = 24 * 0.693147180559945309417;  // what the rarest value of a table costs
  if (value >= std::ssize(logits)) return most;
  return std::min(most, det_log(sum) - (logits[at(value)] - largest));
}

double nats_left(const StateView& state, const SampleRow& row, const RowForm& form) {
  double nats = 0;
  for (std::size_t dim = 0; dim < row.x.size(); ++dim)
    if (state.is_left(dim))
      nats +=
          nats_of(state.values_of(dim).first(at(form.levels_of(static_cast<std::int64_t>(dim)))),
                  row.x[dim]);
  return nats;
}

// The least of a group's cost and of those before it, for ever more groups.
class Cuts {
 public:
  explicit Cuts(std::span<const double> nats) : nats_(nats), least_(nats.size() + 1) {
    for (std::size_t end = 0; end < least_.size(); ++end) least_[end] = cost(0, end);
  }
  // One group more. Returns by end where the last group begins.
  std::vector<std::uint32_t> add(std::size_t groups) {
    next_.assign(least_.size(), std::numeric_limits<double>::infinity());
    begins_.assign(least_.size(), 0);
    find(groups, nats_.size(), groups - 1, nats_.size() - 1);
    least_ = next_;
    return begins_;
  }

 private:
  [[nodiscard]] double cost(std::size_t begin, std::size_t end) const {
    return begin == end ? 0 : static_cast<double>(end - begin) * nats_[begin];
  }
  // For ends from `low` to `high`, whose last groups begin from `first` to `last`: since nats never
  // rise, a later end never has its last group begin earlier.
  void find(std::size_t low, std::size_t high, std::size_t first, std::size_t last) {
    if (low > high) return;
    const std::size_t end = low + (high - low) / 2;
    for (std::size_t begin = first; begin <= std::min(last, end - 1); ++begin) {
      const double sum = least_[begin] + cost(begin, end);
      if (sum >= next_[end]) continue;
      next_[end] = sum;
      begins_[end] = static_cast<std::uint32_t>(begin);
    }
    find(low, end - 1, first, begins_[end]);
    find(end + 1, high, begins_[end], last);
  }
  std::span<const double> nats_;
  std::vector<double> least_, next_;
  std::vector<std::uint32_t> begins_;
};

}  // namespace

void make_falling(std::span<double> values) {
  struct Run {
    double sum;
    std::size_t size;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(size); }
  };
  std::vector<Run> runs;
  for (const double value : values) {
    runs.push_back({value, 1});
    while (runs.size() > 1 && runs.end()[-2].mean() < runs.back().mean()) {
      runs.end()[-2].sum += runs.back().sum;
      runs.end()[-2].size += runs.back().size;
      runs.pop_back();
    }
  }
  std::size_t i = 0;
  for (const Run& run : runs)
    for (std::size_t k = 0; k < run.size; ++k) values[i++] = run.mean();
}

std::vector<double> nats_by_known(const StatePredictor& predictor,
                                  std::span<const SampleRow> rows) {
  const std::size_t dims = at(predictor.dims());
  const std::vector<std::size_t> counts = known_counts(dims);
  std::vector<double> sums(counts.size());
  const auto count_of = [&](std::int64_t i) { return at(i) % counts.size(); };
  const auto row_of = [&](std::int64_t i) -> const SampleRow& {
    return rows[at(i) / counts.size()];
  };
  look_at_states(
      predictor, std::ssize(rows) * std::ssize(counts),
      [&](std::int64_t i, StateRow state) {
        const SampleRow& row = row_of(i);
        std::ranges::copy(row.x, state.x.begin());
        std::ranges::fill(state.seen, std::uint8_t{0});
        for (std::size_t k = 0; k < counts[count_of(i)]; ++k)
          if (row.x[row.order[k]] >= 0) state.seen[row.order[k]] = 1;
      },
      [&](std::int64_t i, const StateView& state) {
        sums[count_of(i)] += nats_left(state, row_of(i), predictor.form());
      });
  for (std::size_t i = 0; i < counts.size(); ++i)
    sums[i] /= static_cast<double>(rows.size() * (dims - counts[i]));
  make_falling(sums);
  std::vector<double> nats(dims);
  for (std::size_t known = 0, i = 0; known < dims; ++known) {
    if (i + 1 < counts.size() && known == counts[i + 1]) ++i;
    nats[known] = sums[i];
    if (i + 1 == counts.size()) continue;
    const double part =
        static_cast<double>(known - counts[i]) / static_cast<double>(counts[i + 1] - counts[i]);
    nats[known] += part * (sums[i + 1] - sums[i]);
  }
  return nats;
}

std::vector<std::int64_t> best_groups(std::span<const double> nats, std::size_t groups) {
  LOGPX_ASSERT(groups >= 1 && groups <= nats.size());
  Cuts cuts(nats);
  std::vector<std::vector<std::uint32_t>> begins;
  for (std::size_t count = 2; count <= groups; ++count) begins.push_back(cuts.add(count));
  std::vector<std::int64_t> ends = {std::ssize(nats)};
  for (auto begin = begins.rbegin(); begin != begins.rend(); ++begin)
    ends.push_back((*begin)[at(ends.back())]);
  std::ranges::reverse(ends);
  return ends;
}

}  // namespace logpx::arm
