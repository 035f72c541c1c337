#include "tests/support/gauss_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/families/row_model.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/codec.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/model/item_encoder.hpp"
#include "libcore/model/mean_rows.hpp"
#include "libcore/model/plans_by.hpp"

#include <cmath>

namespace logpx::gauss {
namespace {

constexpr int mean = 0, log_scale = 1;  // the heads of a logistic, and the numbers of the tensors

class GaussModel final : public RowModel<Config> {
 public:
  GaussModel(const Config& config, const DatasetInfo& data)
      : RowModel(config, data.dims()),
        likelihood_(make_likelihood("logistic256", data.levels, {})),
        heads_(site(), likelihood_->heads()),
        numbers_(params_, [this](Graph& graph, auto) { name_outputs(graph, heads(graph)); }) {
    if (data.levels < 2) fail(ErrorKind::usage, data.name, "holds no whole numbers");
    info_ = {.family = "gauss-fixture", .data = data, .samples = row_info(data)};
    site().tensor("mean", {data.dims()}, Init::zeros());
    site().tensor("log_scale", {data.dims()}, Init::constant(std::log(config.start_scale)));
  }

  [[nodiscard]] Var log_p(Var x) const override {
    const std::int64_t rows = x.shape()[0];
    const Var one_copy = x.reshape({1, rows, info_.data.dims()});
    return likelihood_->log_prob({one_copy}, heads(x.graph())).reshape({rows});
  }
  [[nodiscard]] std::vector<double> log_p(const Examples& examples, double factor) const {
    std::vector<float> theta(params_.block().begin(), params_.block().end());
    widen(params_.view(log_scale, std::span(theta)).span(), factor);
    return nats(theta, examples);
  }
  [[nodiscard]] SampleChunk draw(ItemRange items, Rng rng, double factor) const {
    Likelihood::ItemHeads all = numbers_.outputs({}, 1);
    widen(all[log_scale], factor);
    const Likelihood::HeadValues values(all.begin(), all.end());
    return draw_rows(info_.samples, items, rng, [&](DrawCursor& draws, std::span<float> x) {
      for (std::size_t d = 0; d < x.size(); ++d)
        x[d] = static_cast<float>(likelihood_->draw(values, d, draws));
    });
  }
  [[nodiscard]] const Likelihood& likelihood() const { return *likelihood_; }
  // The conditionals of a row, as the entropy coder takes them.
  [[nodiscard]] std::unique_ptr<codec::SymbolVector> symbols() const {
    return likelihood_->coding(numbers_.outputs({}, 1), ChannelsFirst(info_.data));
  }

 private:
  static void widen(std::span<float> log_scales, double factor) {
    for (float& one : log_scales) one += static_cast<float>(std::log(factor));
  }
  [[nodiscard]] Likelihood::Heads heads(Graph& graph) const {
    return heads_(params_, {graph.parameter(params_, mean), graph.parameter(params_, log_scale)});
  }

  std::unique_ptr<const Likelihood> likelihood_;
  HeadMaker heads_;
  RepeatableNet numbers_;  // the heads, the same on every machine
};

class GaussCodec final : public ModelCodec {
 public:
  explicit GaussCodec(const GaussModel& model)
      : ModelCodec(item_of(model.info().data)), model_(model) {}
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    require_codable(model_.likelihood(), "");
    return direct_plan(item_, [this] { return model_.symbols(); });
  }

 private:
  const GaussModel& model_;
};

std::unique_ptr<ScoringPlan> make_scoring(const GaussModel& model) {
  return scoring_by<ScoringSettings>(
      [&model](const Examples& examples, Rng, const ScoringSettings& how) {
        return Scores{.nats = model.log_p(examples, how.widen)};
      });
}

std::unique_ptr<SamplingPlan> make_sampling(const GaussModel& model) {
  return sampling_by<SamplingSettings>(
      model.info().samples, [&model](ItemRange items, Rng rng, const SamplingSettings& how) {
        return model.draw(items, rng, how.temperature);
      });
}

std::unique_ptr<ModelCodec> make_codec(const GaussModel& model) {
  return std::make_unique<GaussCodec>(model);
}

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  return train_rows<GaussModel>(settings, data, rng);
}

Family family() {
  return {.name = "gauss-fixture",
          .summary = "a bell curve for every dimension",
          .trainer = "train-gauss",
          .draft = [] { return std::make_unique<DraftOf<Config, GaussModel>>(); },
          .score = {{"exact", "log p(x) itself", from_model(make_scoring),
                     list_knobs<ScoringSettings>}},
          .sample = from_model(make_sampling),
          .code = from_model(make_codec),
          .knobs = {.sample = list_knobs<SamplingSettings>},
          .trainee = by_preset(make_trainee),
          // Three channels, so that a confused order of dimensions shows.
          .tiny_rows = rows_as_asked({.name = "scenes", .options = {.size = 8}})};
}

}  // namespace logpx::gauss
