#include "tests/support/gauss_model.hpp"

#include "libcore/base/error.hpp"
#include "libcore/families/row_model.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/model/codec.hpp"
#include "libcore/model/heads.hpp"
#include "libcore/model/mean_rows.hpp"
#include "libcore/model/plans_by.hpp"
#include "libcore/model/repeatable_net.hpp"

#include <cmath>

namespace logpx::gauss {
namespace {

constexpr int mean = 0, log_scale = 1;  // the heads of a logistic, and the numbers of the tensors

class GaussModel final : public RowModel<Config>, public ModelCodec {
 public:
  GaussModel(const Config& config, const DatasetInfo& data)
      : RowModel(config, data.dims()),
        ModelCodec(item_of(data)),
        likelihood_(make_likelihood("logistic256", data.levels, {})),
        heads_(site(), likelihood_->heads()),
        numbers_(params_, [this](Graph& graph, auto) { name_outputs(graph, heads(graph)); }) {
    if (data.levels < 2) fail(ErrorKind::usage, data.name, "holds no whole numbers");
    info_ = {
        .family = "gauss-fixture", .data = data, .samples = row_info(data), .methods = {"exact"}};
    site().tensor("mean", {data.dims()}, Init::zeros());
    site().tensor("log_scale", {data.dims()}, Init::constant(std::log(config.start_scale)));
  }

  [[nodiscard]] Var log_p(Var x) const override {
    const std::int64_t rows = x.shape()[0];
    const Var one_copy = x.reshape({1, rows, item_.size()});
    return likelihood_->log_prob({one_copy}, heads(x.graph())).reshape({rows});
  }
  [[nodiscard]] std::unique_ptr<ScoringPlan> scoring(const std::string&) const override {
    return scoring_by<ScoringSettings>(
        [this](const Examples& examples, Rng, const ScoringSettings& how) {
          std::vector<float> theta(params_.block().begin(), params_.block().end());
          widen(params_.view(log_scale, std::span(theta)).span(), how.widen);
          return Scores{.nats = nats(theta, examples)};
        });
  }
  [[nodiscard]] std::unique_ptr<SamplingPlan> sampling() const override {
    return sampling_by<SamplingSettings>(
        info_.samples, [this](ItemRange items, Rng rng, const SamplingSettings& how) {
          Likelihood::ItemHeads all = numbers_.outputs({}, 1);
          widen(all[log_scale], how.temperature);
          const Likelihood::HeadValues values(all.begin(), all.end());
          return draw_rows(info_.samples, items, rng, [&](DrawCursor& draws, std::span<float> x) {
            for (std::size_t d = 0; d < x.size(); ++d)
              x[d] = static_cast<float>(likelihood_->draw(values, d, draws));
          });
        });
  }
  [[nodiscard]] const ModelCodec* codec() const override { return this; }
  [[nodiscard]] std::unique_ptr<CodingPlan> plan() const override {
    require_codable(*likelihood_, "");
    return direct_plan(item_, [this] {
      return likelihood_->coding(numbers_.outputs({}, 1), ChannelsFirst(info_.data));
    });
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

}  // namespace

Trainee make_trainee(const Settings& settings, const TaskData& data, Rng rng) {
  return train_rows<GaussModel>(settings, data, rng);
}

Family family() {
  return {.name = "gauss-fixture",
          .summary = "a bell curve for every dimension",
          .trainer = "train-gauss",
          .capabilities = {Capability::codec},
          .draft = [] { return std::make_unique<DraftOf<Config, GaussModel>>(); },
          .methods = {"exact"},
          .knobs = {.score = list_knobs<ScoringSettings>, .sample = list_knobs<SamplingSettings>},
          .trainee = by_preset(make_trainee),
          // Three channels, so that a confused order of dimensions shows.
          .tiny_rows = rows_as_asked({.name = "scenes", .options = {.size = 8}})};
}

}  // namespace logpx::gauss
