#include "libcore/model/likelihood_pairs.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/grad/axes.hpp"
#include "libcore/grad/executor_pool.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/math/repeatable.hpp"
#include "libcore/math/vector_math.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace logpx {

// Memory lent for one call, with the kernels and functions that the call needs.
class LikelihoodPairs::Lent {
 public:
  explicit Lent(const LikelihoodPairs& pairs) : pairs_(pairs) {
    single_threaded_kernels();
    if (pairs.numerics_.functions == Functions::repeatable) repeatable_.emplace();
    const std::lock_guard lock(pairs.mutex_);
    if (pairs.idle_.empty()) {
      memory_ = std::make_unique<Memory>();
      return;
    }
    memory_ = std::move(pairs.idle_.back());
    pairs.idle_.pop_back();
  }
  ~Lent() {
    const std::lock_guard lock(pairs_.mutex_);
    pairs_.idle_.push_back(std::move(memory_));
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  [[nodiscard]] Memory& memory() const { return *memory_; }

 private:
  const LikelihoodPairs& pairs_;
  std::optional<RepeatableFunctions> repeatable_;
  std::unique_ptr<Memory> memory_;
};

void LikelihoodPairs::take(const Likelihood::HeadValues& heads, std::int64_t samples) {
  samples_ = samples;
  heads_ = heads;
  const Lent lent(*this);
  prepare(lent.memory());
}

void LikelihoodPairs::log_prob(std::span<const float> x, std::span<double> log_p) const {
  LOGPX_ASSERT(std::ssize(log_p) == rows_of(x) * samples_);
  const Lent lent(*this);
  score(x, log_p, lent.memory());
}

void LikelihoodPairs::add_slopes(std::span<const float> x, std::span<const double> weights,
                                 const Slopes& slopes) const {
  LOGPX_ASSERT(std::ssize(weights) == rows_of(x) * samples_ && slopes.size() == heads_.size());
  const Lent lent(*this);
  go_back(x, weights, slopes, lent.memory());
}

namespace {

// The graph of a likelihood's node, for one sample's heads at a time.
class GraphPairs final : public LikelihoodPairs {
 public:
  GraphPairs(const Likelihood& likelihood, std::int64_t dims)
      : LikelihoodPairs(dims),
        pool_([&likelihood, dims](std::int64_t rows,
                                  std::int64_t) { return built(likelihood, dims, rows); },
              {.from = "log_p"}) {
    LOGPX_ASSERT(!likelihood.takes_index());
    for (const HeadForm& form : likelihood.heads()) {
      inputs_.push_back("head" + std::to_string(inputs_.size()));
      sizes_.push_back(form.shared ? 0 : dims * form.per_dim);
    }
    pool_.request().inputs = inputs_;
  }

  void compute_by(const Numerics& numerics) override {
    LikelihoodPairs::compute_by(numerics);
    pool_.request().numerics = numerics;
  }
  [[nodiscard]] std::int64_t bytes(std::int64_t) const override { return 0; }
  [[nodiscard]] std::int64_t worker_bytes(std::int64_t rows, std::int64_t) const override {
    return pool_.arena_bytes({rows});
  }

 private:
  void prepare(Memory&) override {}
  void score(std::span<const float> x, std::span<double> log_p, Memory&) const override {
    const ExecutorPool::Loan loan = lend(x);
    for (std::int64_t s = 0; s < samples(); ++s) {
      run(loan, s);
      const View<const float> each = loan.executor().output("log_p");
      for (std::int64_t b = 0; b < each.size(); ++b)
        log_p[at(b * samples() + s)] = static_cast<double>(each[b]);
    }
  }
  void go_back(std::span<const float> x, std::span<const double> weights, const Slopes& slopes,
               Memory&) const override;

  static std::unique_ptr<Graph> built(const Likelihood& likelihood, std::int64_t dims,
                                      std::int64_t rows) {
    auto graph = std::make_unique<Graph>();
    const Var x = graph->input("x", {1, rows, dims});
    Likelihood::Heads heads;
    for (const HeadForm& form : likelihood.heads()) {
      const Shape shape = form.shared         ? Shape{}
                          : form.per_dim == 1 ? Shape{dims}
                                              : Shape{dims, form.per_dim};
      heads.push_back(graph->input("head" + std::to_string(heads.size()), shape));
    }
    graph->output("log_p", likelihood.log_prob({x}, heads));
    return graph;
  }
  [[nodiscard]] ExecutorPool::Loan lend(std::span<const float> x) const {
    ExecutorPool::Loan loan = pool_.lend({rows_of(x)});
    std::ranges::copy(x, loan.inputs().values("x").begin());
    return loan;
  }
  // The part of a head, or of its slope, that belongs to sample s.
  template <typename T>
  [[nodiscard]] std::span<T> of_sample(std::span<T> all, std::size_t head, std::int64_t s) const {
    return sizes_[head] == 0 ? all : all.subspan(at(s * sizes_[head]), at(sizes_[head]));
  }
  void run(const ExecutorPool::Loan& loan, std::int64_t s) const {
    for (std::size_t h = 0; h < inputs_.size(); ++h)
      std::ranges::copy(of_sample(heads()[h], h, s), loan.inputs().values(inputs_[h]).begin());
    loan.executor().forward();
  }

  mutable ExecutorPool pool_;
  std::vector<std::string> inputs_;
  std::vector<std::int64_t> sizes_;  // for one sample; 0: shared
};

void GraphPairs::go_back(std::span<const float> x, std::span<const double> weights,
                         const Slopes& slopes, Memory&) const {
  const ExecutorPool::Loan loan = lend(x);
  const std::span<float> seed = loan.inputs().seed();
  for (std::int64_t s = 0; s < samples(); ++s) {
    for (std::size_t b = 0; b < seed.size(); ++b)
      seed[b] = static_cast<float>(weights[b * at(samples()) + at(s)]);
    if (std::ranges::all_of(seed, [](float weight) { return weight == 0; })) continue;
    run(loan, s);
    loan.executor().backward(seed);
    for (std::size_t h = 0; h < inputs_.size(); ++h) {
      if (slopes[h].empty()) continue;
      const std::span<double> to = of_sample(slopes[h], h, s);
      const View<const float> from = loan.executor().gradient(inputs_[h]);
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += static_cast<double>(from.data[i]);
    }
  }
}

// log p = sum_d logit_d[x_d] - sum_d log sum_c e^logit_dc, without a table of probabilities.
class CategoricalPairs final : public LikelihoodPairs {
 public:
  CategoricalPairs(std::int64_t dims, LevelsOfX values)
      : LikelihoodPairs(dims), values_(std::move(values)), levels_(values_.most()) {}

  [[nodiscard]] std::int64_t bytes(std::int64_t samples) const override {
    return samples * (dims() + 1) * 8;
  }
  [[nodiscard]] std::int64_t worker_bytes(std::int64_t rows, std::int64_t) const override {
    return rows * dims() * 4 + levels_ * 8;
  }

 private:
  void prepare(Memory& memory) override;
  void score(std::span<const float> x, std::span<double> log_p, Memory& memory) const override;
  void go_back(std::span<const float> x, std::span<const double> weights, const Slopes& slopes,
               Memory& memory) const override;

  [[nodiscard]] std::span<const float> logits(std::int64_t s) const {
    return heads()[0].subspan(at(s * dims() * levels_), at(dims() * levels_));
  }
  // The place of every value of x among a sample's logits.
  void find_places(std::span<const float> x, std::vector<std::int32_t>& places) const {
    places.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto value = static_cast<std::int64_t>(x[i]);
      const std::int64_t dim = static_cast<std::int64_t>(i) % dims();
      LOGPX_ASSERT(0 <= value && value < values_.at(at(dim)));
      places[i] = static_cast<std::int32_t>(dim * levels_ + value);
    }
  }
  // The logits that dimension d of a sample has.
  [[nodiscard]] std::span<const float> logits(std::int64_t s, std::int64_t d) const {
    return logits(s).subspan(at(d * levels_), at(values_.at(at(d))));
  }

  LevelsOfX values_;
  std::int64_t levels_;
  std::vector<double> log_sums_, offsets_;  // [S,D], [S]
};

void CategoricalPairs::prepare(Memory& memory) {
  log_sums_.resize(at(samples() * dims()));
  offsets_.assign(at(samples()), 0);
  memory.rows.resize(at(levels_));
  for (std::int64_t i = 0; i < std::ssize(log_sums_); ++i) {
    const std::span<const float> row = logits(i / dims(), i % dims());
    const std::span<double> e = std::span(memory.rows).first(row.size());
    const auto largest = static_cast<double>(*std::ranges::max_element(row));
    double& log_sum = log_sums_[at(i)];
    log_sum = std::numeric_limits<double>::infinity();  // no value is possible
    if (largest > -log_sum) {
      for (std::size_t c = 0; c < row.size(); ++c) e[c] = static_cast<double>(row[c]) - largest;
      vec::exp(e, e);
      log_sum = largest + log_of_sum(row_sum(std::ssize(e), [e](auto c) { return e[at(c)]; }));
    }
    offsets_[at(i / dims())] += log_sum;
  }
}

void CategoricalPairs::score(std::span<const float> x, std::span<double> log_p,
                             Memory& memory) const {
  find_places(x, memory.index);
  const std::int32_t* const places = memory.index.data();
  const std::int64_t rows = rows_of(x);
  for (std::int64_t s = 0; s < samples(); ++s) {
    const float* const table = logits(s).data();
    for (std::int64_t b = 0; b < rows; ++b) {
      const std::int32_t* const row = places + b * dims();
      const double sum = row_sum(dims(), [=](std::int64_t d) { return table[row[d]]; });
      log_p[at(b * samples() + s)] = sum - offsets_[at(s)];
    }
  }
}

void CategoricalPairs::go_back(std::span<const float> x, std::span<const double> weights,
                               const Slopes& slopes, Memory& memory) const {
  find_places(x, memory.index);
  memory.rows.resize(at(levels_));
  const std::int64_t rows = rows_of(x);
  for (std::int64_t s = 0; s < samples(); ++s) {
    double* const to = slopes[0].data() + s * dims() * levels_;
    double total = 0;
    for (std::int64_t b = 0; b < rows; ++b) {
      const double weight = weights[at(b * samples() + s)];
      if (weight == 0) continue;
      total += weight;
      for (std::int64_t d = 0; d < dims(); ++d) to[memory.index[at(b * dims() + d)]] += weight;
    }
    if (total == 0) continue;
    for (std::int64_t d = 0; d < dims(); ++d) {
      const std::span<const float> row = logits(s, d);
      const std::span<double> p = std::span(memory.rows).first(row.size());
      for (std::size_t c = 0; c < row.size(); ++c)
        p[c] = static_cast<double>(row[c]) - log_sums_[at(s * dims() + d)];
      vec::exp(p, p);
      for (std::size_t c = 0; c < row.size(); ++c) to[at(d * levels_) + c] -= total * p[c];
    }
  }
}

}  // namespace

std::unique_ptr<LikelihoodPairs> graph_pairs(const Likelihood& likelihood, std::int64_t dims) {
  return std::make_unique<GraphPairs>(likelihood, dims);
}
std::unique_ptr<LikelihoodPairs> categorical_pairs(std::int64_t dims, const LevelsOfX& values) {
  return std::make_unique<CategoricalPairs>(dims, values);
}

std::unique_ptr<LikelihoodPairs> Likelihood::pairs(std::int64_t dims) const {
  return graph_pairs(*this, dims);
}

}  // namespace logpx
