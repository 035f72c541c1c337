#include "tests/support/gauss_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/codec/direct.hpp"
#include "libcore/families/param_model.hpp"
#include "libcore/families/row_loss_task.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/grad/ops_pointwise.hpp"
#include "libcore/model/codec.hpp"
#include "libcore/model/likelihood.hpp"
#include "libcore/model/mean_rows.hpp"
#include "libcore/model/plans_by.hpp"
#include "libcore/model/repeatable_net.hpp"

#include <cmath>

namespace logpx::gauss {
namespace {

constexpr int mean = 0, log_scale = 1;  // the heads of a logistic, and the numbers of the tensors

class GaussModel final : public ParamModel<Config>, public ModelCodec {
 public:
  GaussModel(const Config& config, const DatasetInfo& data)
      : ParamModel(config),
        item_(item_of(data)),
        likelihood_(make_likelihood("logistic256", data.levels, {})),
        numbers_(params_,
                 [this](Graph& graph, std::int64_t) {
                   graph.output("mean", heads(graph)[mean]);
                   graph.output("log_scale", heads(graph)[log_scale]);
                 }),
        losses_([this](std::int64_t rows, std::int64_t) { return graph(rows); }) {
    if (data.levels < 2) fail(ErrorKind::usage, data.name, "holds no whole numbers");
    info_ = {
        .family = "gauss-fixture", .data = data, .samples = row_info(data), .methods = {"exact"}};
    site().tensor("mean", {data.dims()}, Init::zeros());
    site().tensor("log_scale", {data.dims()}, Init::constant(std::log(config.start_scale)));
  }

  // Of RowLosses.
  [[nodiscard]] std::unique_ptr<Graph> graph(std::int64_t rows) const {
    auto graph = std::make_unique<Graph>();
    const Var x = graph->input("x", {rows, info_.data.dims()}).reshape({1, rows, item_.size()});
    graph->output("loss", -likelihood_->log_prob({x}, heads(*graph)).reshape({rows}));
    return graph;
  }
  [[nodiscard]] std::unique_ptr<ScoringPlan> scoring(const std::string&) const override {
    return scoring_by<ScoringSettings>(
        [this](const Examples& examples, Rng, const ScoringSettings& how) {
          std::vector<float> theta(params_.block().begin(), params_.block().end());
          widen(params_.view(log_scale, std::span(theta)).span(), how.widen);
          return Scores{.nats = losses_.log_p(theta, examples)};
        });
  }
  [[nodiscard]] std::unique_ptr<SamplingPlan> sampling() const override {
    return sampling_by<SamplingSettings>(
        info_.samples, [this](ItemRange items, Rng rng, const SamplingSettings& how) {
          Likelihood::ItemHeads all = heads();
          widen(all[log_scale], how.temperature);
          const Likelihood::HeadValues values(all.begin(), all.end());
          return draw_rows(info_.samples, items, rng, [&](DrawCursor& draws, std::span<float> x) {
            for (std::size_t d = 0; d < x.size(); ++d)
              x[d] = static_cast<float>(likelihood_->draw(values, d, draws));
          });
        });
  }
  [[nodiscard]] const ModelCodec* codec() const override { return this; }
  [[nodiscard]] const CodedItem& item() const override { return item_; }
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    if (!likelihood_->is_codable())
      fail(ErrorKind::data, "", "has more than 256 levels, and bytes are coded");
    return std::make_unique<ExactPlan>([this] {
      return std::make_unique<codec::Direct>(at(item_.size()), [this] {
        return likelihood_->coding(heads(), ChannelsFirst(info_.data));
      });
    });
  }

 private:
  static void widen(std::span<float> log_scales, double factor) {
    for (float& one : log_scales) one += static_cast<float>(std::log(factor));
  }
  [[nodiscard]] Likelihood::Heads heads(Graph& graph) const {
    const HeadForm form = likelihood_->heads()[log_scale];
    return {graph.parameter(params_, mean),
            smooth_clamp(graph.parameter(params_, log_scale), *form.low, *form.high)};
  }
  // As numbers, the same on every machine.
  [[nodiscard]] Likelihood::ItemHeads heads() const {
    Likelihood::ItemHeads all;
    numbers_.run({}, 1, [&](const Executor<float>& done) {
      for (const char* name : {"mean", "log_scale"})
        all.emplace_back(done.output(name).span().begin(), done.output(name).span().end());
    });
    return all;
  }

  CodedItem item_;
  std::unique_ptr<const Likelihood> likelihood_;
  RepeatableNet numbers_;
  RowLosses losses_;
};

std::vector<std::unique_ptr<Knobs>> knobs_of(Job job) {
  if (job == Job::score) return list_knobs<ScoringSettings>();
  if (job == Job::sample) return list_knobs<SamplingSettings>();
  return {};
}

// Of three channels, so that a confused order of dimensions shows.
HeldRows tiny_rows(std::int64_t rows) {
  SyntheticOptions small;
  small.size = 8;
  return synthetic_rows({.name = "scenes", .n = rows, .options = small});
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  auto model = std::make_unique<GaussModel>(settings.model, data.train.info);
  model->initialise(rng);
  const auto build = [&model = *model](std::int64_t rows, std::int64_t) {
    return model.graph(rows);
  };
  auto task = std::make_unique<RowLossTask>(model->param_set(), data, build);
  return {std::move(model), std::move(task), settings.training};
}

Family family() {
  return {
      .name = "gauss-fixture",
      .summary = "a bell curve for every dimension",
      .trainer = "train-gauss",
      .capabilities = {Capability::codec},
      .draft = [] { return std::make_unique<DraftOf<Config, GaussModel>>(); },
      .methods = {"exact"},
      .knobs = knobs_of,
      .trainee = [](const std::string& preset, const TaskData& data,
                    Rng rng) { return make_trainee(Settings::presets().make(preset), data, rng); },
      .tiny_rows = tiny_rows};
}

}  // namespace logpx::gauss
