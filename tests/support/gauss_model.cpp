#include "tests/support/gauss_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/step_scheme.hpp"
#include "libcore/codec/symbol_vector.hpp"
#include "libcore/data/synthetic.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/math/blas.hpp"
#include "libcore/model/mean_rows.hpp"
#include "libcore/nn/site.hpp"
#include "libcore/train/evaluation.hpp"
#include "libcore/train/graph_phase.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::gauss {

// ---- settings

void Config::describe(Fields& f) {
  f.group("model");
  f.add("start-scale", start_scale, "scale of every dimension before training, x on [-1, 1]")
      .range(0.01, 100)
      .rank(Rank::manual);
}

void ScoringSettings::describe(Fields& f) {
  f.add("widen", widen, "factor on the scale of every dimension").range(0.001, 1000);
}

void SamplingSettings::describe(Fields& f) {
  f.add("temperature", temperature, "factor on the scale of every dimension").range(0, 1e6);
}

void Settings::describe(Fields& f) {
  model.describe(f);
  training.describe(f);
}

const Presets<Settings>& Settings::presets() {
  static const Presets<Settings> all = {{"plain", [](Settings& s) { s.training.lr = 0.02; }},
                                        {"tiny", [](Settings& s) { s.training.lr = 0.05; }}};
  return all;
}

// ---- the model

namespace {

CodedItem item_of(const DatasetInfo& data) {
  CodedItem item{.width = data.dims(), .levels = data.levels, .alphabet = byte_alphabet(data)};
  if (data.content == Content::image)
    item = {.height = data.shape[0],
            .width = data.shape[1],
            .channels = data.shape[2],
            .levels = data.levels};
  if (data.content == Content::bytes || data.content == Content::symbols)
    item.kind = CodedItem::Kind::run;
  return item;
}

}  // namespace

GaussModel::GaussModel(const Config& config, const DatasetInfo& data)
    : config_(config),
      item_(item_of(data)),
      likelihood_(make_likelihood("logistic256", data.levels, {})),
      head_values_(params_,
                   [this](Graph& graph, std::int64_t) {
                     for (std::size_t i = 0; const Var& head : heads(graph))
                       graph.output(likelihood_->heads()[i++].name, head);
                   }),
      passes_([this](std::int64_t rows, std::int64_t) { return graph(rows); }, {}) {
  if (data.levels < 2) fail(ErrorKind::usage, data.name, "needs whole numbers; these are real");
  info_ = {
      .family = "gauss-fixture", .data = data, .samples = row_info(data), .methods = {"exact"}};
  const Site site(params_, initialisers_);
  site.tensor("mean", {data.dims()}, Init::zeros());
  site.tensor("log_scale", {data.dims()}, Init::constant(std::log(config.start_scale)));
}

void GaussModel::params(const TensorVisitor& visit) {
  for (int i = 0; i < params_.count(); ++i) {
    const ParamInfo& info = params_.infos()[at(i)];
    visit(TensorRef::of(info.name, params_.view(i).span(), info.shape), TensorRole::parameter);
  }
}

Likelihood::Heads GaussModel::heads(Graph& graph) const {
  Likelihood::Heads heads;
  for (const HeadForm& form : likelihood_->heads()) {
    const Var head = graph.parameter(params_, params_.find(form.name));
    heads.push_back(form.low ? smooth_clamp(head, *form.low, *form.high) : head);
  }
  return heads;
}

std::unique_ptr<Graph> GaussModel::graph(std::int64_t rows) const {
  auto graph = std::make_unique<Graph>();
  const Var x = graph->input("x", {rows, info_.data.dims()});
  Likelihood::Heads bells = heads(*graph);
  bells[1] = bells[1] + graph->input("log_widen", {});
  const Var log_p = likelihood_->log_prob({x.reshape({1, rows, info_.data.dims()})}, bells);
  graph->output("loss", -log_p.reshape({rows}));
  return graph;
}

void GaussModel::take_rows(const Examples& examples, std::span<const std::int64_t> which,
                           std::span<float> x) const {
  const std::size_t dims = at(info_.data.dims());
  for (std::size_t i = 0; i < which.size(); ++i)
    row_values(examples.info, examples.rows, {.from = which[i]}, {}, evaluation_noise({}),
               x.subspan(i * dims, dims));
}

std::vector<double> GaussModel::log_p(ExecutorPool& passes, std::span<const float> theta,
                                      const Examples& examples, double widen) const {
  single_threaded_kernels();
  const ExecutorPool::Loan loan = passes.lend({examples.rows.count});
  std::vector<std::int64_t> all(at(examples.rows.count));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  take_rows(examples, all, loan.inputs().values("x"));
  loan.inputs().values("log_widen")[0] = static_cast<float>(std::log(widen));
  loan.executor().bind_parameters(theta);
  loan.executor().forward();
  std::vector<double> nats;
  for (const float loss : loan.executor().output("loss").span())
    nats.push_back(-static_cast<double>(loss));
  return nats;
}

Likelihood::ItemHeads GaussModel::heads() const {
  Likelihood::ItemHeads values;
  head_values_.run({}, 1, [&](const Executor<float>& done) {
    for (const HeadForm& form : likelihood_->heads()) {
      const auto head = done.output(form.name).span();
      values.emplace_back(head.begin(), head.end());
    }
  });
  return values;
}

// ---- what it does

class BellScoring final : public ScoringPlan {
 public:
  explicit BellScoring(const GaussModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] Scores score(const Examples& examples, Rng) const override {
    return {.nats =
                model_.log_p(model_.passes_, model_.params_.block(), examples, settings_.widen)};
  }

 private:
  const GaussModel& model_;
  ScoringSettings settings_;
};

namespace {

class BellSampling final : public SamplingPlan {
 public:
  explicit BellSampling(const GaussModel& model) : model_(model) {}
  void describe(Fields& fields) override { settings_.describe(fields); }
  [[nodiscard]] DatasetInfo rows() const override { return model_.info().samples; }
  [[nodiscard]] SampleChunk make(std::int64_t first, std::int64_t last, Rng rng) const override {
    Likelihood::ItemHeads bells = model_.heads();
    for (float& scale : bells[1]) scale += static_cast<float>(std::log(settings_.temperature));
    SampleChunk chunk;
    chunk.rows.count = last - first;
    chunk.rows.x.resize(at(chunk.rows.count) * rows().row_bytes());
    std::vector<float> x(at(rows().dims()));
    for (std::int64_t i = 0; i < chunk.rows.count; ++i) {
      DrawCursor draws(rng.stream(Stream::sample_model, static_cast<std::uint32_t>(first + i)));
      for (std::size_t d = 0; d < x.size(); ++d)
        x[d] = static_cast<float>(model_.likelihood().draw({bells.begin(), bells.end()}, d, draws));
      store_values(rows(), {}, x, i, chunk.rows);
    }
    return chunk;
  }

 private:
  const GaussModel& model_;
  SamplingSettings settings_;
};

struct Item {
  std::vector<std::uint8_t> x = {};
  std::size_t item = 0;
  std::unique_ptr<codec::SymbolVector> p = nullptr;
};

// Every symbol under a distribution of its own, that hangs on nothing.
class BellScheme final : public codec::StepScheme<Item> {
 public:
  explicit BellScheme(const GaussModel& model) : model_(model) {
    coded(
        codec::Part::likelihood, [](codec::Message& m, Item& item) { item.p->push(m, item.x); },
        [](codec::Message& m, Item& item) { item.p->pop(m, item.x); });
  }
  [[nodiscard]] std::size_t item_size() const override { return at(model_.item().size()); }
  void score(std::span<const std::uint8_t> items, Rng, std::uint32_t,
             std::span<double> nats) const override {
    Item item = variables_for(items, 0);
    for (std::size_t i = 0; i < nats.size(); ++i)
      nats[i] = item.p->add_log_probability(item_of(items, i), 0);
  }

 private:
  [[nodiscard]] Item variables_for(std::span<const std::uint8_t>, std::uint64_t) const override {
    return {.p = model_.likelihood().coding(model_.heads(), ChannelsFirst(model_.info().data))};
  }
  const GaussModel& model_;
};

class BellCoding final : public CodingPlan {
 public:
  explicit BellCoding(const GaussModel& model) : model_(model) {}
  void describe(Fields&) override {}
  [[nodiscard]] std::unique_ptr<codec::Scheme> scheme(Workers&) const override {
    return std::make_unique<BellScheme>(model_);
  }
  [[nodiscard]] Bound kind() const override { return Bound::exact; }

 private:
  const GaussModel& model_;
};

}  // namespace

std::unique_ptr<ScoringPlan> GaussModel::scoring(const std::string&) const {
  return std::make_unique<BellScoring>(*this);
}

std::unique_ptr<SamplingPlan> GaussModel::sampling() const {
  return std::make_unique<BellSampling>(*this);
}

std::unique_ptr<CodingPlan> GaussModel::plan() const {
  if (!likelihood_->is_codable())
    fail(ErrorKind::data, "", "has more than 256 levels, and bytes are coded");
  return std::make_unique<BellCoding>(*this);
}

// ---- training

namespace {

class GaussTask final : public TrainingTask {
 public:
  GaussTask(GaussModel& model, const TaskData& data)
      : model_(model),
        data_(data),
        phase_({},
               {.build = [&model](std::int64_t rows, std::int64_t) { return model.graph(rows); },
                .bind =
                    [this](const Shard& shard, GraphInputs& inputs) {
                      model_.take_rows(data_.train, shard.rows, inputs.values("x"));
                    }}),
        passes_([&model](std::int64_t rows, std::int64_t) { return model.graph(rows); }, {}) {}

  [[nodiscard]] ParamSet& params() override { return model_.param_set(); }
  [[nodiscard]] std::int64_t rows() const override { return data_.train.rows.count; }
  [[nodiscard]] std::vector<Phase*> phases() override { return {&phase_}; }
  [[nodiscard]] std::int64_t data_bytes() const override {
    return std::ssize(data_.train.rows.x) + (data_.valid ? std::ssize(data_.valid->rows.x) : 0);
  }
  void compute_by(const Numerics& numerics) override {
    numerics_ = numerics;
    passes_.clear();
    passes_.request().numerics = numerics;
    TrainingTask::compute_by(numerics);
  }
  Metrics evaluate(std::span<const float> theta, Workers& workers, Ranks& ranks) override {
    Metrics metrics;
    if (data_.valid)
      metrics.emplace_back("log_p_valid", mean(*data_.valid, theta, {workers, ranks, numerics_}));
    metrics.emplace_back("log_p_train", mean(data_.train, theta, {workers, ranks, numerics_}));
    return metrics;
  }
  [[nodiscard]] Aim aim() const override { return Aim::maximise; }

 private:
  [[nodiscard]] double mean(const Examples& all, std::span<const float> theta,
                            const EvaluationMachine& machine) {
    const std::int64_t rows = std::min(curve_rows, all.rows.count);
    const auto add = [&](RowBlock block, std::span<double> sum) {
      const Rows held = slice_rows(all.rows, block.first, block.first + block.count);
      for (const double nats :
           model_.log_p(passes_, theta, {all.info, held, all.first + block.first}, 1))
        sum[0] += nats;
    };
    return sum_over_rows(machine, {.rows = rows, .columns = 1}, add)[0] / static_cast<double>(rows);
  }

  GaussModel& model_;
  TaskData data_;
  GraphPhase phase_;
  ExecutorPool passes_;
  Numerics numerics_;
};

class GaussDraft final : public ModelDraft {
 public:
  void describe(Fields& fields) override { config_.describe(fields); }
  [[nodiscard]] std::unique_ptr<Model> build(const DatasetInfo& data) const override {
    return std::make_unique<GaussModel>(config_, data);
  }

 private:
  Config config_;
};

std::vector<std::unique_ptr<Knobs>> knobs_of(Job job) {
  std::vector<std::unique_ptr<Knobs>> all;
  if (job == Job::score) all.push_back(std::make_unique<KnobsOf<ScoringSettings>>());
  if (job == Job::sample) all.push_back(std::make_unique<KnobsOf<SamplingSettings>>());
  return all;
}

HeldRows tiny_rows(std::int64_t rows) {
  Workers alone(1);
  const auto made = make_synthetic({.name = "gray8", .n = rows}, alone);
  return {.info = made->info(), .rows = made->read(0, rows)};
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  auto model = std::make_unique<GaussModel>(settings.model, data.train.info);
  model->initialise(rng);
  auto task = std::make_unique<GaussTask>(*model, data);
  return {std::move(model), std::move(task), settings.training};
}

Family family() {
  return {
      .name = "gauss-fixture",
      .summary = "a bell curve for every dimension",
      .trainer = "train-gauss",
      .capabilities = {Capability::codec},
      .draft = [] { return std::make_unique<GaussDraft>(); },
      .methods = {"exact"},
      .knobs = knobs_of,
      .trainee = [](const std::string& preset, const TaskData& data,
                    Rng rng) { return make_trainee(Settings::presets().make(preset), data, rng); },
      .tiny_rows = tiny_rows};
}

void register_gauss() {
  for (const Family& known : families())
    if (known.name == "gauss-fixture") return;
  register_family(family());
}

}  // namespace logpx::gauss
