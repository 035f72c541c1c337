#include "formats/model_file.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/eval/likelihood.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/eval/sample_makers.hpp"
#include "libcore/model/fitting_rows.hpp"
#include "tools/library/inside.hpp"
#include "tools/library/numbers.hpp"
#include "tools/store/model_store.hpp"

#include <algorithm>

namespace logpx::v0 {
namespace {

template <typename Plan>
void settle(Plan& plan, const Settings& settings) {
  Fields fields;
  plan.describe(fields);
  for (const std::string& knob : settings.knobs) fields.set(knob, Origin::option);
  plan.settle();
  refuse_unread(fields, fields);
}

void append(logpx::Rows& all, const logpx::Rows& more) {
  all.count += more.count;
  all.x.insert(all.x.end(), more.x.begin(), more.x.end());
  all.length.insert(all.length.end(), more.length.begin(), more.length.end());
}

// What draws have: values, and where rows end early their lengths.
DatasetInfo drawn_info(DatasetInfo info) {
  info.has_labels = info.has_true_logp = info.has_source_rows = info.has_smiles = false;
  info.latent_dim = 0;
  return info;
}

}  // namespace

Model::Model(const std::string& file)
    : inside_(told([&] {
        LoadedModel loaded = load_model(ModelFile(file));
        auto inside = std::make_unique<Inside>();
        inside->model = std::move(loaded.model);
        inside->can = std::move(loaded.can);
        return inside;
      })) {}
Model::~Model() = default;
Model::Model(Model&& other) noexcept = default;
Model& Model::operator=(Model&& other) noexcept = default;

std::string Model::family() const { return inside_->can.info().family; }

std::vector<std::int64_t> Model::shape() const { return inside_->can.info().data.shape; }

Rows Model::rows(std::span<const float> values) const {
  return told([&] {
    HeldRows held = rows_of(inside_->can.info(), values);
    const std::int64_t count = held.rows.count;
    auto source = std::make_shared<MemoryRows>(std::move(held.info), std::move(held.rows));
    return Rows(
        std::make_shared<const Rows::Inside>(Rows::Inside{std::move(source), "rows", 0, count}));
  });
}

Scores Model::score(const Rows& rows, const Settings& settings) const {
  return told([&] {
    const Abilities& can = inside_->can;
    const Rows::Inside& asked = *rows.inside_;
    require_fit(can.info(), asked.source->info(), asked.name);
    FittingRows fitting(*asked.source, can.info(), asked.name);
    const auto plan = scoring_plan(can, method_for(can, settings.method));
    settle(*plan, settings);
    EvalRows blocks{
        .data = fitting, .begin = asked.begin, .end = asked.end, .block = can.info().block};
    if (const std::int64_t joined = plan->joined_rows(blocks.count()); joined > 0)
      blocks.block = joined, blocks.origin = blocks.begin;
    Scored scored = score_rows(blocks, inside_->workers, [&](const Examples& examples) {
      return plan->score(examples, Rng(settings.seed));
    });
    return Scores{std::move(scored.nats), word_of(scored.kind)};
  });
}

Rows Model::draw(std::int64_t count, const Settings& settings) const {
  return told([&] {
    if (count < 1) fail(ErrorKind::usage, "draw", "needs a count of at least 1");
    const Abilities& can = inside_->can;
    std::unique_ptr<SamplingPlan> plan = can.sampling();
    settle(*plan, settings);
    const auto maker = make_samples(*can.model, std::move(plan), count, Rng(settings.seed));
    logpx::Rows all;
    for (std::int64_t begin = 0; begin < count; begin += maker->stretch())
      append(all,
             maker->make(begin, std::min(begin + maker->stretch(), count), inside_->workers).rows);
    auto source = std::make_shared<MemoryRows>(drawn_info(maker->info()), std::move(all));
    const std::int64_t made = source->info().n;
    return Rows(
        std::make_shared<const Rows::Inside>(Rows::Inside{std::move(source), "draws", 0, made}));
  });
}

}  // namespace logpx::v0
