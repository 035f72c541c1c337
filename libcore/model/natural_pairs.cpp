#include "libcore/model/natural_pairs.hpp"

#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

double square_of(const double* values, std::int64_t n) {
  return row_sum(n, [=](std::int64_t i) { return values[i] * values[i]; });
}

class NaturalPairs final : public LikelihoodPairs {
 public:
  NaturalPairs(std::unique_ptr<const NaturalForm> form, std::int64_t dims)
      : LikelihoodPairs(dims), form_(std::move(form)) {}

  [[nodiscard]] std::int64_t bytes(std::int64_t samples) const override {
    return samples * (2 * dims() + 1) * 8;
  }
  [[nodiscard]] std::int64_t worker_bytes(std::int64_t rows, std::int64_t samples) const override {
    return ((rows + samples) * dims() + samples) * 8;
  }

 private:
  void prepare(Memory&) override {
    h_.assign(heads()[0].begin(), heads()[0].end());
    means_ = h_;
    offsets_.assign(at(samples()), 0);
    terms_.dims = dims();
    terms_.offsets = offsets_;
    terms_.means = means_;
    form_->find(heads(), terms_);
  }
  void score(std::span<const float> x, std::span<double> log_p, Memory& memory) const override;
  void go_back(std::span<const float> x, std::span<const double> weights, const Slopes& slopes,
               Memory& memory) const override;
  [[nodiscard]] NaturalForm::Moments moments(std::span<const double> weights,
                                             const Memory& memory) const;

  std::unique_ptr<const NaturalForm> form_;
  NaturalForm::Terms terms_;
  std::vector<double> h_, means_, offsets_;
};

void NaturalPairs::score(std::span<const float> x, std::span<double> log_p, Memory& memory) const {
  const std::int64_t rows = rows_of(x);
  memory.rows.assign(x.begin(), x.end());
  gemm<double>({.trans_b = Trans::yes,
                .m = rows,
                .n = samples(),
                .k = dims(),
                .a = memory.rows.data(),
                .lda = dims(),
                .b = h_.data(),
                .ldb = dims(),
                .c = log_p.data(),
                .ldc = samples(),
                .alpha = terms_.scale},
               numerics().product);
  for (std::int64_t b = 0; b < rows; ++b) {
    const double own =
        terms_.square == 0 ? 0 : terms_.square * square_of(memory.rows.data() + b * dims(), dims());
    double* const row = log_p.data() + b * samples();
    for (std::int64_t s = 0; s < samples(); ++s) row[s] -= own + offsets_[at(s)];
  }
}

void NaturalPairs::go_back(std::span<const float> x, std::span<const double> weights,
                           const Slopes& slopes, Memory& memory) const {
  const std::int64_t rows = rows_of(x);
  memory.rows.assign(x.begin(), x.end());
  memory.slopes.resize(at(samples() * dims()));
  gemm<double>({.trans_a = Trans::yes,
                .m = samples(),
                .n = dims(),
                .k = rows,
                .a = weights.data(),
                .lda = samples(),
                .b = memory.rows.data(),
                .ldb = dims(),
                .c = memory.slopes.data(),
                .ldc = dims()},
               numerics().product);
  memory.sums.assign(at(samples()), 0);
  for (std::int64_t b = 0; b < rows; ++b)
    for (std::int64_t s = 0; s < samples(); ++s)
      memory.sums[at(s)] += weights[at(b * samples() + s)];
  for (std::int64_t s = 0; s < samples(); ++s) {
    const double *const from = memory.slopes.data() + s * dims(), *const mean =
                                                                      means_.data() + s * dims();
    double* const to = slopes[0].data() + s * dims();
    const double sum = memory.sums[at(s)];
    for (std::int64_t d = 0; d < dims(); ++d) to[d] += terms_.scale * (from[d] - sum * mean[d]);
  }
  if (slopes.size() > 1 && !slopes[1].empty())
    slopes[1][0] += form_->shared_slope(terms_, moments(weights, memory));
}

// |x - m|^2 = |x|^2 + |m|^2 - 2 x.m, where W^T x is known.
NaturalForm::Moments NaturalPairs::moments(std::span<const double> weights,
                                           const Memory& memory) const {
  NaturalForm::Moments all;
  for (std::int64_t s = 0; s < samples(); ++s) {
    const double *const mean = means_.data() + s * dims(), *const from =
                                                               memory.slopes.data() + s * dims();
    const double cross = row_sum(dims(), [=](std::int64_t d) { return mean[d] * from[d]; });
    all.weight += memory.sums[at(s)];
    all.squares += memory.sums[at(s)] * square_of(mean, dims()) - 2 * cross;
  }
  for (std::size_t b = 0; b < weights.size() / at(samples()); ++b) {
    const double* const own = weights.data() + b * at(samples());
    all.squares += row_sum(samples(), [=](std::int64_t s) { return own[s]; }) *
                   square_of(memory.rows.data() + b * at(dims()), dims());
  }
  return all;
}

}  // namespace

std::unique_ptr<LikelihoodPairs> natural_pairs(std::unique_ptr<const NaturalForm> form,
                                               std::int64_t dims) {
  return std::make_unique<NaturalPairs>(std::move(form), dims);
}

}  // namespace logpx
