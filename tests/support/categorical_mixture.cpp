#include "tests/support/categorical_mixture.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/parameters.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/phase.hpp"
#include "tests/support/plans.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx {
namespace {

DatasetInfo symbols(const CategoricalConfig& config) {
  DatasetInfo info;
  info.name = "symbols";
  info.content = Content::symbols;
  info.shape = {config.dims};
  info.levels = config.levels;
  info.value_max = static_cast<double>(config.levels - 1);
  return info;
}

// Each run of `size` values divided by its sum.
void normalise(std::span<float> values, std::int64_t size) {
  for (std::size_t begin = 0; begin < values.size(); begin += at(size)) {
    const std::span<float> row = values.subspan(begin, at(size));
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (float& value : row) value = static_cast<float>(static_cast<double>(value) / sum);
  }
}

class CountPhase final : public Phase {
 public:
  CountPhase(CategoricalMixture& model, std::span<const std::uint8_t> rows,
             const CountingOptions& options)
      : Phase({.name = "count",
               .terms = {"nll"},
               .gradients_in_flight = options.gradients_in_flight,
               .update = Update::own}),
        model_(model),
        rows_(rows),
        pseudocount_(options.pseudocount) {}

  void run(const Shard& shard, std::span<const float> theta, const ShardSums& sums) override {
    for (const BlockRange& range : sums.written)
      std::fill(sums.gradient.begin() + range.begin, sums.gradient.begin() + range.end, 0.0F);
    const CategoricalConfig& c = model_.config();
    const View<float> weights = model_.weights(sums.gradient),
                      probabilities = model_.probabilities(sums.gradient);
    std::vector<double> posterior(at(c.components));
    for (const std::int64_t row : shard.rows) {
      const auto x = rows_.subspan(at(row * c.dims), at(c.dims));
      sums.terms[0] -= model_.log_prob(theta, x, posterior) / static_cast<double>(shard.step_count);
      for (std::int64_t k = 0; k < c.components; ++k) {
        const auto share = static_cast<float>(posterior[at(k)]);
        weights[k] += share;
        for (std::int64_t d = 0; d < c.dims; ++d)
          probabilities[(k * c.dims + d) * c.levels + x[at(d)]] += share;
      }
    }
  }

  void update(const StepPlace&, const PhaseSums& sums, Workers&) override {
    const auto take = [&](std::span<float> to, std::span<const float> counts, std::int64_t size) {
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = counts[i] + static_cast<float>(pseudocount_);
      normalise(to, size);
    };
    const CategoricalConfig& c = model_.config();
    const std::span<float> theta = model_.param_set().block();
    take(model_.weights(theta).span(), model_.weights(sums.gradient).span(), c.components);
    take(model_.probabilities(theta).span(), model_.probabilities(sums.gradient).span(), c.levels);
  }

 private:
  CategoricalMixture& model_;
  std::span<const std::uint8_t> rows_;
  double pseudocount_;
};

}  // namespace

void CategoricalConfig::describe(Fields& f) {
  f.group("model");
  f.add("components", components, "products of categoricals in the mixture").range(1, 1 << 20);
  f.add("dims", dims, "symbols of a row").range(1, 1 << 20);
  f.add("levels", levels, "symbols to choose from").range(2, 256);
}

CategoricalMixture::CategoricalMixture(const CategoricalConfig& config) : config_(config) {
  info_ = {.family = "categorical-mixture", .data = symbols(config), .samples = symbols(config)};
  weights_ = params_.add("mixture/weights", {config.components});
  probabilities_ =
      params_.add("components/probabilities", {config.components, config.dims, config.levels});
}

void CategoricalMixture::initialise(Rng rng) {
  for (const int tensor : {weights_, probabilities_}) {
    const Substream draws = rng.stream(Stream::init, static_cast<std::uint32_t>(tensor));
    const std::span<float> values = params_.view(tensor).span();
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(0.5 + draws.uniform(i));
  }
  normalise(weights(params_.block()).span(), config_.components);
  normalise(probabilities(params_.block()).span(), config_.levels);
}

void CategoricalMixture::params(const TensorVisitor& visit) { visit_parameters(params_, visit); }

View<float> CategoricalMixture::weights(std::span<float> block) const {
  return params_.view(weights_, block);
}

View<float> CategoricalMixture::probabilities(std::span<float> block) const {
  return params_.view(probabilities_, block);
}

double CategoricalMixture::log_prob(std::span<const float> theta, std::span<const std::uint8_t> x,
                                    std::span<double> posterior) const {
  const View<const float> weight = params_.view(weights_, theta),
                          probability = params_.view(probabilities_, theta);
  for (std::int64_t k = 0; k < config_.components; ++k) {
    double product = static_cast<double>(weight[k]);
    for (std::int64_t d = 0; d < config_.dims; ++d)
      product *=
          static_cast<double>(probability[(k * config_.dims + d) * config_.levels + x[at(d)]]);
    posterior[at(k)] = product;
  }
  const double sum = std::accumulate(posterior.begin(), posterior.end(), 0.0);
  for (double& share : posterior) share /= sum;
  return std::log(sum);
}

Scores CategoricalMixture::score(const Examples& batch) const {
  Scores scores;
  std::vector<double> posterior(at(config_.components));
  const auto values = batch.rows.values<std::uint8_t>();
  for (std::int64_t i = 0; i < batch.rows.count; ++i)
    scores.nats.push_back(log_prob(
        params_.block(), values.subspan(at(i * config_.dims), at(config_.dims)), posterior));
  return scores;
}

void CategoricalMixture::sample(Rows& out, std::int64_t first, Rng rng) const {
  out.x.resize(at(out.count * config_.dims));
  const auto draw = [](DrawCursor& draws, std::span<const float> weights) {
    std::vector<double> cumulative(weights.begin(), weights.end());
    std::partial_sum(cumulative.begin(), cumulative.end(), cumulative.begin());
    return static_cast<std::int64_t>(draws.categorical(cumulative));
  };
  const std::span<const float> probability = params_.view(probabilities_).span();
  for (std::int64_t i = 0; i < out.count; ++i) {
    DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
    const std::int64_t k = draw(draws, params_.view(weights_).span());
    for (std::int64_t d = 0; d < config_.dims; ++d)
      out.values<std::uint8_t>()[at(i * config_.dims + d)] = static_cast<std::uint8_t>(draw(
          draws,
          probability.subspan(at((k * config_.dims + d) * config_.levels), at(config_.levels))));
  }
}

CountingTask::CountingTask(CategoricalMixture& model, std::vector<std::uint8_t> rows,
                           const CountingOptions& options)
    : model_(model),
      rows_(std::move(rows)),
      phase_(std::make_unique<CountPhase>(model, rows_, options)) {}

CountingTask::~CountingTask() = default;

TrainReads CountingTask::what_it_reads() {
  return {.rate = false,
          .optimiser = false,
          .averages = false,
          .recomputation = false,
          .convolutions = false,
          .way = "expectation maximisation"};
}

std::int64_t CountingTask::rows() const { return std::ssize(rows_) / model_.config().dims; }

Metrics CountingTask::evaluate(std::span<const float> weights, Workers& workers, Ranks& ranks) {
  const CategoricalConfig& c = model_.config();
  const auto of_block = [&](RowBlock block, std::span<double> sums) {
    std::vector<double> posterior(at(c.components));
    for (std::int64_t row = block.first; row < block.first + block.count; ++row)
      sums[0] += model_.log_prob(weights, std::span(rows_).subspan(at(row * c.dims), at(c.dims)),
                                 posterior);
  };
  const std::vector<double> sums =
      sum_over_rows({workers, ranks, {}}, {.rows = rows(), .columns = 1}, of_block);
  return {{"log_p", sums[0] / static_cast<double>(rows())}};
}

namespace {

class CategoricalDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    if (data.dims() != config_.dims || data.levels != config_.levels)
      fail(ErrorKind::data, "dims", "does not fit the data");
    return std::make_unique<CategoricalMixture>(config_);
  }

 private:
  CategoricalConfig config_;
};

Trainee counting_trainee(const std::string&, const TaskData& data, Rng rng) {
  auto model = std::make_unique<CategoricalMixture>(CategoricalConfig{});
  model->initialise(rng);
  const auto symbols = data.train.held().rows.values<std::uint8_t>();
  auto task = std::make_unique<CountingTask>(
      *model, std::vector<std::uint8_t>(symbols.begin(), symbols.end()),
      CountingOptions{.pseudocount = 0.01});
  TrainOptions training;
  training.reads = CountingTask::what_it_reads();
  return {std::move(model), std::move(task), training};
}

HeldRows counted_rows(std::int64_t rows) {
  const CategoricalConfig config;
  HeldRows made{.info = symbols(config), .rows = {}};
  made.info.n = made.rows.count = rows;
  const std::vector<std::uint8_t> x = three_kinds(rows, config, Rng(3));
  const auto bytes = std::as_bytes(std::span(x));
  made.rows.x.assign(bytes.begin(), bytes.end());
  return made;
}

}  // namespace

void register_categorical_mixture() {
  for (const Family& family : families())
    if (family.name == "categorical-mixture") return;
  register_family({.name = "categorical-mixture",
                   .summary = "mixture of categoricals, for tests",
                   .trainer = "train-counts",
                   .draft = [] { return std::make_unique<CategoricalDraft>(); },
                   .score = {{"exact", "log p(x) itself",
                              from_model(testing::score_by_itself<CategoricalMixture>)}},
                   .sample = from_model(testing::sample_by_itself<CategoricalMixture>),
                   .trainee = counting_trainee,
                   .tiny_rows = counted_rows});
}

std::vector<std::uint8_t> three_kinds(std::int64_t rows, const CategoricalConfig& config, Rng rng) {
  std::vector<std::uint8_t> symbols;
  DrawCursor draws(rng.stream(Stream::synthetic, 2));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t kind = draws.below(3);
    for (std::int64_t d = 0; d < config.dims; ++d) {
      const bool typical = draws.uniform() < 0.8;
      symbols.push_back(static_cast<std::uint8_t>(
          typical ? (kind + d) % config.levels
                  : draws.below(static_cast<std::uint32_t>(config.levels))));
    }
  }
  return symbols;
}

}  // namespace logpx
