#include "libcore/judge/subset_scores.hpp"

#include "libcore/base/parallel.hpp"
#include "libcore/base/stop.hpp"
#include "libcore/judge/inception_score.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx {
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
