#include "tests/support/mixture_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/det/draws.hpp"
#include "libcore/grad/executor.hpp"
#include "libcore/model/parameters.hpp"
#include "tests/support/plans.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace logpx {
namespace {

// log N(x_b; mean_k, scale_k^2 I): x [B,2], means [K,2], log scales [K] -> [B,K].
struct Components final : TypedOp<Components> {
  const char* name() const override { return "components"; }
  Shape infer(std::span<const Shape> in) const override { return {in[0][0], in[1][0]}; }
  Keeps keeps() const override { return {.inputs = 7}; }

  template <typename T>
  void forward(const Frame<T>& f) const {
    const auto x = f.in(0), means = f.in(1), scales = f.in(2);
    const std::int64_t components = means.shape[0];
    const T log_two_pi = std::log(2 * std::numbers::pi_v<T>);
    for (std::int64_t b = 0; b < x.shape[0]; ++b)
      for (std::int64_t k = 0; k < components; ++k) {
        const T u = x[2 * b] - means[2 * k], v = x[2 * b + 1] - means[2 * k + 1];
        f.out()[b * components + k] =
            -log_two_pi - 2 * scales[k] - (u * u + v * v) * std::exp(-2 * scales[k]) / 2;
      }
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const auto x = f.in(0), means = f.in(1), scales = f.in(2), g = f.upstream();
    const std::int64_t components = means.shape[0];
    T* const to_means = f.begin_gradient(1);
    T* const to_scales = f.begin_gradient(2);
    for (std::int64_t b = 0; b < x.shape[0]; ++b)
      for (std::int64_t k = 0; k < components; ++k) {
        const T precision = std::exp(-2 * scales[k]), up = g[b * components + k];
        const T u = x[2 * b] - means[2 * k], v = x[2 * b + 1] - means[2 * k + 1];
        to_means[2 * k] += up * u * precision;
        to_means[2 * k + 1] += up * v * precision;
        to_scales[k] += up * ((u * u + v * v) * precision - 2);
      }
  }
};

// -log sum_k softmax(logits)_k exp(c_bk): c [B,K], logits [K] -> [B].
struct MixtureNll final : TypedOp<MixtureNll> {
  const char* name() const override { return "mixture_nll"; }
  Shape infer(std::span<const Shape> in) const override { return {in[0][0]}; }
  Keeps keeps() const override { return {.inputs = 3, .output = true}; }

  template <typename T, typename Value>
  static T log_sum_exp(std::int64_t n, const Value& value) {
    T high = value(0), sum = 0;
    for (std::int64_t k = 1; k < n; ++k) high = std::max(high, value(k));
    for (std::int64_t k = 0; k < n; ++k) sum += std::exp(value(k) - high);
    return high + std::log(sum);
  }
  template <typename T>
  void forward(const Frame<T>& f) const {
    const auto c = f.in(0), logits = f.in(1);
    const std::int64_t components = logits.size();
    const T total = log_sum_exp<T>(components, [&](std::int64_t k) { return logits[k]; });
    for (std::int64_t b = 0; b < c.shape[0]; ++b)
      f.out()[b] = total - log_sum_exp<T>(components, [&](std::int64_t k) {
                     return logits[k] + c[b * components + k];
                   });
  }
  template <typename T>
  void backward(const Frame<T>& f) const {
    const auto c = f.in(0), logits = f.in(1), g = f.upstream();
    const std::int64_t components = logits.size();
    const T total = log_sum_exp<T>(components, [&](std::int64_t k) { return logits[k]; });
    T* const to_components = f.begin_gradient(0);
    T* const to_logits = f.begin_gradient(1);
    for (std::int64_t b = 0; b < c.shape[0]; ++b)
      for (std::int64_t k = 0; k < components; ++k) {
        const std::int64_t e = b * components + k;
        const T share = std::exp(logits[k] + c[e] + f.out()[b] - total);
        to_components[e] += -g[b] * share;
        to_logits[k] += g[b] * (std::exp(logits[k] - total) - share);
      }
  }
};

// A random walk that is kept from step to step, in shards over its own items, gathered by extra
// sums.
class ChainPhase final : public Phase {
 public:
  explicit ChainPhase(Tensor<float>& chain)
      : Phase({.name = "chains",
               .terms = {},
               .extra_sums = chain.size(),
               .items = chain.size(),
               .gradient = false,
               .update = Update::none}),
        chain_(chain) {}
  void run(const Shard& shard, std::span<const float>, const ShardSums& sums) override {
    const Rng rng(shard.place.seed);
    const Substream noise =
        rng.stream(Stream::langevin, static_cast<std::uint32_t>(shard.place.step));
    for (std::int64_t i = shard.first; i < shard.first + shard.count; ++i)
      sums.terms[static_cast<std::size_t>(i)] =
          0.9 * static_cast<double>(chain_[i]) +
          0.1 * normal_at(noise, static_cast<std::uint64_t>(i));
  }
  void compute_by(const Numerics&) override {}
  void finish(const StepPlace&, const PhaseSums& sums) override {
    for (std::int64_t i = 0; i < chain_.size(); ++i)
      chain_[i] = static_cast<float>(sums.terms[static_cast<std::size_t>(i)]);
  }

 private:
  Tensor<float>& chain_;
};

class MixtureDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    if (data.dims() != 2) fail(ErrorKind::usage, "mixture-fixture", "needs points in the plane");
    return std::make_unique<MixtureModel>(config_);
  }

 private:
  MixtureConfig config_;
};

DatasetInfo plane() {
  DatasetInfo info;
  info.name = "plane";
  info.content = Content::vector;
  info.measure = Measure::lebesgue;
  info.element = Element::f32;
  info.shape = {2};
  return info;
}

}  // namespace

void MixtureSampling::describe(Fields& f) {
  f.add("temperature", temperature, "factor on the width of every component").range(0, 1e6);
  f.add("component", component, "draw from this one only; -1 is all").at_least(-1);
}

class MixturePlan final : public SamplingPlan {
 public:
  explicit MixturePlan(const MixtureModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  void settle() override {
    if (settings_.component >= model_.params_.infos()[0].shape.elements())
      fail(ErrorKind::usage, "--component", "there is no such component");
  }
  [[nodiscard]] DatasetInfo rows() const override { return model_.info().samples; }
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const override {
    SampleChunk chunk;
    chunk.rows.count = last - first;
    model_.sample(chunk.rows, first, settings_, rng);
    return chunk;
  }

 private:
  const MixtureModel& model_;
  MixtureSampling settings_;
};

void MixtureConfig::describe(Fields& f) {
  f.group("model");
  f.add("components", components, "Gaussians of the mixture").range(1, 1 << 20);
}

MixtureModel::MixtureModel(const MixtureConfig& config) : config_(config) {
  info_ = {.family = "mixture-fixture",
           .data = plane(),
           .samples = plane(),
           .measure = Measure::lebesgue};
  logits_ = params_.add("mixture/logits", {config.components});
  means_ = params_.add("components/means", {config.components, 2});
  log_scales_ = params_.add("components/log_scales", {config.components});
}

void MixtureModel::initialise(Rng rng) {
  fill_normals(rng.stream(Stream::init, static_cast<std::uint32_t>(means_)), 0,
               params_.view(means_).span());
}

void MixtureModel::params(const TensorVisitor& visit) { visit_parameters(params_, visit); }

std::unique_ptr<Graph> MixtureModel::graph(std::int64_t rows) const {
  auto graph = std::make_unique<Graph>();
  const Var x = graph->input("x", {rows, 2});
  const Graph::Recompute region(*graph);
  const Var c =
      graph->apply(std::make_unique<Components>(),
                   {x, graph->parameter(params_, means_), graph->parameter(params_, log_scales_)});
  const Graph::Scope scope(*graph, "mixture");
  const Var loss =
      graph->apply(std::make_unique<MixtureNll>(), {c, graph->parameter(params_, logits_)});
  graph->output("loss", loss);
  graph->output("loss_before", loss);  // the same, for a first phase of two
  return graph;
}

Scores MixtureModel::score(const Examples& batch) const {
  const std::unique_ptr<Graph> whole = graph(batch.rows.count);
  Executor<float> run(*whole, {});
  run.bind("x", batch.rows.values<float>());
  run.bind_parameters(params_.block());
  run.forward();
  Scores scores;
  for (const float loss : run.output("loss").span())
    scores.nats.push_back(-static_cast<double>(loss));
  return scores;
}

void MixtureModel::sample(Rows& out, std::int64_t first, const MixtureSampling& how,
                          Rng rng) const {
  out.x.resize(static_cast<std::size_t>(out.count) * 2 * sizeof(float));
  std::vector<double> cumulative;
  for (const float logit : params_.view(logits_).span())
    cumulative.push_back((cumulative.empty() ? 0 : cumulative.back()) +
                         std::exp(static_cast<double>(logit)));
  for (std::int64_t i = 0; i < out.count; ++i) {
    DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
    const auto drawn = static_cast<std::int64_t>(draws.categorical(cumulative));
    const std::int64_t k = how.component >= 0 ? how.component : drawn;
    const auto scale =
        how.temperature * std::exp(static_cast<double>(params_.view(log_scales_)[k]));
    for (std::int64_t d = 0; d < 2; ++d)
      out.values<float>()[static_cast<std::size_t>(2 * i + d)] = static_cast<float>(
          static_cast<double>(params_.view(means_)[2 * k + d]) + scale * draws.normal());
  }
}

namespace {

std::unique_ptr<SamplingPlan> make_sampling(const MixtureModel& model) {
  return std::make_unique<MixturePlan>(model);
}

Trainee mixture_trainee(const std::string&, const TaskData& data, Rng rng) {
  auto model = std::make_unique<MixtureModel>(MixtureConfig{.components = 3});
  model->initialise(rng);
  const auto points = data.train.held().rows.values<float>();
  const MixtureTaskOptions options = {.jitter = 0.05, .chains = true};
  auto task = std::make_unique<MixtureTask>(
      *model, std::vector<float>(points.begin(), points.end()), options);
  TrainOptions training;
  training.lr = 0.02;
  return {std::move(model), std::move(task), training};
}

HeldRows mixture_rows(std::int64_t rows) {
  HeldRows made{.info = plane(), .rows = {}};
  made.info.n = made.rows.count = rows;
  const std::vector<float> points = ring_points(rows, 5, Rng(3));
  const auto bytes = std::as_bytes(std::span(points));
  made.rows.x.assign(bytes.begin(), bytes.end());
  return made;
}

}  // namespace

void register_mixture() {
  for (const Family& family : families())
    if (family.name == "mixture-fixture") return;
  register_family(
      {.name = "mixture-fixture",
       .summary = "mixture of Gaussians, for tests",
       .trainer = "train-fixture",
       .draft = [] { return std::make_unique<MixtureDraft>(); },
       .score = {{"exact", "log p(x) itself", from_model(testing::score_by_itself<MixtureModel>)}},
       .sample = from_model(make_sampling),
       .knobs = {.sample = list_knobs<MixtureSampling>},
       .trainee = mixture_trainee,
       .tiny_rows = mixture_rows});
}

MixtureTask::MixtureTask(MixtureModel& model, std::vector<float> points,
                         const MixtureTaskOptions& options)
    : model_(model), points_(std::move(points)), options_(options) {
  GraphPhaseParts parts;
  parts.build = [this](std::int64_t count, std::int64_t) { return model_.graph(count); };
  parts.bind = [this](const Shard& shard, GraphInputs& inputs) { bind(shard, inputs); };
  parts.reuse = options.reuse;
  if (options.chains) phases_.push_back(std::make_unique<ChainPhase>(chain_));
  PhaseSettings settings;
  if (options.two_phases) {
    settings = {.name = "means", .terms = {"loss_before"}, .moves = {"components/means"}};
    phases_.push_back(std::make_unique<GraphPhase>(settings, parts));
    settings = {.moves = {"mixture", "components/log_scales"}};
  }
  phases_.push_back(std::make_unique<GraphPhase>(settings, parts));
}

std::vector<Phase*> MixtureTask::phases() {
  std::vector<Phase*> list;
  for (const auto& phase : phases_) list.push_back(phase.get());
  return list;
}

std::vector<TensorRef> MixtureTask::state() {
  if (!options_.chains) return {};
  return {TensorRef::of("chain", chain_)};
}

void MixtureTask::bind(const Shard& shard, GraphInputs& inputs) const {
  const std::span<float> x = inputs.values("x");
  const Substream noise =
      Rng(shard.place.seed).stream(Stream::noise, static_cast<std::uint32_t>(shard.place.step));
  fill_normals(noise, static_cast<std::uint64_t>(2 * shard.first), x);
  for (std::size_t i = 0; i < shard.rows.size(); ++i)
    for (std::size_t d = 0; d < 2; ++d) {
      const auto place = (shard.first + static_cast<std::int64_t>(i)) % chain_.size();
      float& value = x[2 * i + d];
      value = points_[2 * static_cast<std::size_t>(shard.rows[i]) + d] +
              static_cast<float>(options_.jitter) * (value + chain_[place]);
    }
}

Metrics MixtureTask::evaluate(std::span<const float> weights, Workers&, Ranks&) {
  if (!options_.validates) return {};
  constexpr std::int64_t block = 16;
  double sum = 0;
  std::unique_ptr<Graph> graph;
  std::unique_ptr<Executor<float>> run;
  for (std::int64_t begin = 0; begin < rows(); begin += block) {
    const std::int64_t count = std::min(block, rows() - begin);
    if (run == nullptr || count < block) {
      run.reset();
      graph = model_.graph(count);
      run = std::make_unique<Executor<float>>(*graph, PlanRequest{});
    }
    run->bind("x", std::span(points_).subspan(static_cast<std::size_t>(2 * begin),
                                              static_cast<std::size_t>(2 * count)));
    run->bind_parameters(weights);
    run->forward();
    for (const float loss : run->output("loss").span()) sum += static_cast<double>(loss);
  }
  const double mean = sum / static_cast<double>(rows());
  if (options_.aim == Aim::maximise) return {{"valid_log_p", -mean}};
  return {{"valid_loss", mean}};
}

std::vector<float> ring_points(std::int64_t rows, std::int64_t modes, Rng rng) {
  std::vector<float> points;
  DrawCursor draws(rng.stream(Stream::synthetic, 1));
  for (std::int64_t i = 0; i < rows; ++i) {
    const double angle = 2 * std::numbers::pi *
                         static_cast<double>(draws.below(static_cast<std::uint32_t>(modes))) /
                         static_cast<double>(modes);
    points.push_back(static_cast<float>(std::cos(angle) + 0.1 * draws.normal()));
    points.push_back(static_cast<float>(std::sin(angle) + 0.1 * draws.normal()));
  }
  return points;
}

}  // namespace logpx
