#include "libcore/families/kaem/sample_scores.hpp"

#include "libcore/base/index.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/likelihood_graph.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/math/blas.hpp"

#include <algorithm>

namespace logpx::kaem {
namespace {

class HeadScores final : public SampleScores {
 public:
  HeadScores(const KaemModel& model, const Numerics& numerics)
      : latents_(model.prior_form().n_q),
        decoder_(make_decoder(model, numerics)),
        pairs_(model.likelihood().pairs(model.dims())) {
    pairs_->compute_by(numerics);
  }
  void take(std::span<const float> theta, std::span<const float> s) override {
    heads_ = decode_all(decoder_, {theta, s, latents_});
    pairs_->take(spans_of(heads_), std::ssize(s) / latents_);
  }
  void log_prob(std::span<const float> x, std::span<double> log_p) const override {
    pairs_->log_prob(x, log_p);
  }
  [[nodiscard]] std::int64_t samples() const override { return pairs_->samples(); }
  [[nodiscard]] std::int64_t dims() const override { return pairs_->dims(); }

 private:
  std::int64_t latents_;
  LatentDecoder decoder_;
  std::unique_ptr<LikelihoodPairs> pairs_;
  HeadMatrices heads_;
};

// A few rows, each under a few samples, at a time.
class PairScores final : public SampleScores {
 public:
  PairScores(const KaemModel& model, const Numerics& numerics)
      : model_(model),
        latents_(model.prior_form().n_q),
        graphs_(
            [&model](std::int64_t rows, std::int64_t copies) {
              return likelihood_graph(model, {.rows = rows, .copies = copies});
            },
            {.numerics = numerics}) {}
  void take(std::span<const float> theta, std::span<const float> s) override {
    theta_ = theta;
    s_ = s;
  }
  void log_prob(std::span<const float> x, std::span<double> log_p) const override {
    single_threaded_kernels();
    const std::int64_t rows = std::ssize(x) / dims();
    for (std::int64_t row = 0; row < rows; row += at_a_time)
      for (std::int64_t sample = 0; sample < samples(); sample += at_a_time)
        score({row, std::min(at_a_time, rows - row)},
              {sample, std::min(at_a_time, samples() - sample)}, x, log_p);
  }
  [[nodiscard]] std::int64_t samples() const override { return std::ssize(s_) / latents_; }
  [[nodiscard]] std::int64_t dims() const override { return model_.dims(); }

 private:
  static constexpr std::int64_t at_a_time = 8;
  struct Stretch {
    std::int64_t first, count;
  };
  void score(Stretch rows, Stretch samples_here, std::span<const float> x,
             std::span<double> log_p) const {
    const ExecutorPool::Loan loan = graphs_.lend({rows.count, samples_here.count});
    bind_rows(model_, x.subspan(at(rows.first * dims()), at(rows.count * dims())), loan.inputs());
    float* to = loan.inputs().values("s").data();
    for (std::int64_t k = 0; k < samples_here.count; ++k)
      for (std::int64_t i = 0; i < rows.count; ++i, to += latents_)
        std::copy_n(s_.data() + (samples_here.first + k) * latents_, latents_, to);
    loan.executor().bind_parameters(theta_);
    loan.executor().forward();
    const std::span<const float> found = loan.executor().output("log_likelihood").span();
    for (std::int64_t k = 0; k < samples_here.count; ++k)
      for (std::int64_t i = 0; i < rows.count; ++i)
        log_p[at((rows.first + i) * samples() + samples_here.first + k)] =
            static_cast<double>(found[at(k * rows.count + i)]);
  }

  const KaemModel& model_;
  std::int64_t latents_;
  mutable ExecutorPool graphs_;
  std::span<const float> theta_, s_;
};

}  // namespace

std::unique_ptr<SampleScores> sample_scores(const KaemModel& model, const Numerics& numerics) {
  if (model.generator().takes_tokens()) return std::make_unique<PairScores>(model, numerics);
  return std::make_unique<HeadScores>(model, numerics);
}

}  // namespace logpx::kaem
