#include "libcore/judge/subset_scores.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/special.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t usual_least = 1000, usual_most = 3000, usual_count = 11;

RowList all_rows(std::int64_t n) {
  RowList rows(at(n));
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// n rows drawn from n with replacement.
RowList resampled(std::int64_t n, Substream substream) {
  Cursor cursor(substream);
  RowList rows(at(n));
  for (std::uint32_t& row : rows) row = cursor.below(static_cast<std::uint32_t>(n));
  return rows;
}

// One side of a replicate: its rows, and the numbers that permutations of them are addressed by.
class Side {
 public:
  Side(const SubsetPlan& plan, std::int64_t n, Rng rng, std::uint32_t replicate)
      : plan_(plan), rng_(rng), replicate_(replicate), n_(static_cast<std::uint32_t>(n)) {
    rows_ = replicate == 0 ? all_rows(n) : resampled(n, rng.stream(Stream::resample, replicate));
    if (plan.kind == SubsetKind::disjoint) order_ = permutation(n_, stream(0));
  }

  // `number` counts the subsets of this replicate.
  RowList take(std::uint32_t number, std::int64_t size) {
    RowList taken(at(size));
    if (plan_.kind == SubsetKind::shuffle) order_ = permutation(n_, stream(number));
    for (std::int64_t i = 0; i < size; ++i) {
      const auto place = at(plan_.kind == SubsetKind::disjoint ? taken_ + i : i);
      taken[at(i)] = rows_[plan_.kind == SubsetKind::prefix ? place : order_[place]];
    }
    taken_ += size;
    // The order of rows changes no score, and memory is read front to back.
    std::ranges::sort(taken);
    return taken;
  }

 private:
  [[nodiscard]] Substream stream(std::uint32_t number) const {
    const auto subsets = static_cast<std::uint32_t>(std::ssize(plan_.sizes) * plan_.repeats);
    return rng_.stream(Stream::subsets, replicate_ * subsets + number);
  }

  const SubsetPlan& plan_;
  Rng rng_;
  std::uint32_t replicate_, n_;
  RowList rows_;
  std::vector<std::uint32_t> order_;
  std::int64_t taken_ = 0;
};

}  // namespace

std::vector<std::int64_t> even_sizes(double least, double most, std::int64_t count) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count == 1 ? 1 : static_cast<double>(i) / static_cast<double>(count - 1);
    // The ends are exact, and steps that are whole up to rounding stay whole.
    const double size = i + 1 == count ? most : least + share * (most - least) + 1e-9;
    sizes.push_back(static_cast<std::int64_t>(size));
  }
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<std::int64_t> default_sizes(std::int64_t n, std::int64_t d) {
  if (n >= usual_most) return even_sizes(usual_least, usual_most, usual_count);
  const std::int64_t least = std::min(std::max(d + 1, n / 3), n / 2);
  return even_sizes(static_cast<double>(std::max<std::int64_t>(least, 2)), static_cast<double>(n),
                    usual_count);
}

std::vector<Subset> subsets_of(const SubsetPlan& plan, const SideCounts& counts, Rng rng,
                               std::uint32_t replicate) {
  LOGPX_ASSERT(plan.repeats >= 1 && (plan.repeats == 1 || plan.kind != SubsetKind::prefix));
  Side fake(plan, counts.fake, rng, replicate);
  std::optional<Side> real;
  // The real rows are a different set, so they get different numbers.
  constexpr std::uint64_t other_side = 0x9e3779b97f4a7c15;
  if (plan.sides == SizedSides::both)
    real.emplace(plan, counts.real, Rng(rng.seed() ^ other_side), replicate);
  std::vector<Subset> subsets;
  for (const std::int64_t size : plan.sizes)
    for (std::int64_t repeat = 0; repeat < plan.repeats; ++repeat) {
      stop::check();
      const auto number = static_cast<std::uint32_t>(subsets.size());
      Subset subset{.size = size, .repeat = repeat, .fake = fake.take(number, size), .real = {}};
      if (real) subset.real = real->take(number, size);
      subsets.push_back(std::move(subset));
    }
  return subsets;
}

RowList chosen_rows(std::int64_t n, std::int64_t count, Substream substream) {
  if (count >= n) return all_rows(n);
  RowList rows = permutation(static_cast<std::uint32_t>(n), substream);
  rows.resize(at(count));
  std::ranges::sort(rows);
  return rows;
}

InceptionScores::InceptionScores(const FeatureView& logits) : classes_(logits.d) {
  for (std::int64_t i = 0; i < logits.n; ++i) {
    const std::span<const double> row(logits.row(i), at(logits.d));
    const double log_sum = log_sum_exp(row);
    double sum = 0;
    for (const double logit : row) {
      probabilities_.push_back(std::exp(logit - log_sum));
      sum += probabilities_.back() * (logit - log_sum);
    }
    negative_entropy_.push_back(sum);
  }
}

double InceptionScores::score(const RowList& rows) const {
  std::vector<double> mean(at(classes_));
  double divergence = 0;
  const auto n = static_cast<double>(rows.size());
  for (const std::uint32_t row : rows) {
    divergence += negative_entropy_[row];
    for (std::int64_t c = 0; c < classes_; ++c)
      mean[at(c)] += probabilities_[at(row * classes_ + c)];
  }
  divergence /= n;
  for (const double sum : mean)
    if (sum > 0) divergence -= sum / n * std::log(sum / n);
  return std::exp(divergence);
}

namespace {

// Evaluates a function of each subset, one thread for each.
template <typename Of>
std::vector<double> for_each(std::span<const Subset> subsets, Workers& workers, const Of& of) {
  std::vector<double> scores(subsets.size());
  workers.run(std::ssize(subsets), [&](std::int64_t number) {
    stop::check();
    single_threaded_kernels();
    // The largest subsets are last in the list and take longest, so they are started first.
    const std::size_t i = subsets.size() - 1 - at(number);
    scores[i] = of(subsets[i]);
  });
  return scores;
}

class FrechetScore final : public SubsetScore {
 public:
  FrechetScore(const FrechetSides& sides, Workers& workers)
      : sides_(sides), rows_(sides.real, sides.fake, workers) {}

  std::vector<double> of(std::span<const Subset> subsets, Workers& workers) override {
    std::vector<std::int64_t> clipped(subsets.size());
    const std::vector<double> scores = for_each(subsets, workers, [&](const Subset& subset) {
      const FrechetDistance distance = of_one(subset);
      clipped[at(&subset - subsets.data())] = distance.clipped;
      return distance.value;
    });
    clipped_ = std::accumulate(clipped.begin(), clipped.end(), clipped_);
    return scores;
  }
  [[nodiscard]] std::int64_t clipped() const override { return clipped_; }

 private:
  [[nodiscard]] FrechetDistance of_one(const Subset& subset) const {
    if (!subset.real) return rows_.distance(subset.fake);
    return FrechetReference(moments_of(sides_.real_rows, *subset.real))
        .to(moments_of(sides_.fake, subset.fake));
  }

  FrechetSides sides_;
  FrechetRows rows_;
  std::int64_t clipped_ = 0;
};

class KernelScore final : public SubsetScore {
 public:
  KernelScore(const KernelSets& sets, const KernelReference& reference)
      : sets_(sets), reference_(reference) {}

  std::vector<double> of(std::span<const Subset> subsets, Workers& workers) override {
    std::vector<RowList> fake, real;
    for (const Subset& subset : subsets) {
      fake.push_back(subset.fake);
      if (subset.real) real.push_back(*subset.real);
    }
    return real.empty() ? reference_.distances(fake, workers)
                        : kernel_distances(sets_, real, fake, workers);
  }

 private:
  KernelSets sets_;
  const KernelReference& reference_;
};

RowList everything(std::int64_t n) {
  RowList rows(at(n));
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

// The `number`-th random subset of `size` of these.
RowList part_of(const RowList& rows, std::int64_t size, Substream substream) {
  RowList part = chosen_rows(std::ssize(rows), size, substream);
  for (std::uint32_t& row : part) row = rows[row];
  return part;
}

class KernelSubsetScore final : public SubsetScore {
 public:
  KernelSubsetScore(const KernelSets& sets, const KernelSubsets& subsets, Rng rng)
      : sets_(sets), subsets_(subsets), rng_(rng) {}

  std::vector<double> of(std::span<const Subset> subsets, Workers& workers) override {
    std::vector<double> means;
    for (const Subset& subset : subsets) {
      const std::vector<double> values = of_each(subset, workers);
      means.push_back(std::accumulate(values.begin(), values.end(), 0.0) /
                      static_cast<double>(values.size()));
    }
    return means;
  }
  [[nodiscard]] std::vector<double> of_each(const Subset& subset, Workers& workers) const {
    const RowList real = subset.real ? *subset.real : everything(sets_.real.n);
    std::vector<double> values(at(subsets_.count));
    workers.run(subsets_.count, [&](std::int64_t i) {
      const auto number = static_cast<std::uint32_t>(2 * i);
      const Substream of_real = rng_.stream(Stream::resample, number);
      const Substream of_fake = rng_.stream(Stream::resample, number + 1);
      values[at(i)] = kernel_distance(sets_, part_of(real, subsets_.size, of_real),
                                      part_of(subset.fake, subsets_.size, of_fake));
    });
    return values;
  }

 private:
  KernelSets sets_;
  KernelSubsets subsets_;
  Rng rng_;
};

class InceptionSubsetScore final : public SubsetScore {
 public:
  explicit InceptionSubsetScore(const FeatureView& logits) : scores_(logits) {}
  std::vector<double> of(std::span<const Subset> subsets, Workers& workers) override {
    return for_each(subsets, workers,
                    [&](const Subset& subset) { return scores_.score(subset.fake); });
  }

 private:
  InceptionScores scores_;
};

}  // namespace

std::unique_ptr<SubsetScore> frechet_score(const FrechetSides& sides, Workers& workers) {
  return std::make_unique<FrechetScore>(sides, workers);
}

std::unique_ptr<SubsetScore> kernel_score(const KernelSets& sets,
                                          const KernelReference& reference) {
  return std::make_unique<KernelScore>(sets, reference);
}

std::unique_ptr<SubsetScore> kernel_score(const KernelSets& sets, const KernelSubsets& subsets,
                                          Rng rng) {
  return std::make_unique<KernelSubsetScore>(sets, subsets, rng);
}

std::vector<double> kernel_subset_distances(const KernelSets& sets, const KernelSubsets& subsets,
                                            Rng rng, Workers& workers) {
  const Subset all{.size = sets.fake.n, .repeat = 0, .fake = everything(sets.fake.n), .real = {}};
  return KernelSubsetScore(sets, subsets, rng).of_each(all, workers);
}

std::unique_ptr<SubsetScore> inception_score(const FeatureView& logits) {
  return std::make_unique<InceptionSubsetScore>(logits);
}

}  // namespace logpx
