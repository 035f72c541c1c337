// How long the codes of a KAEM are.   [kaem/README 11.1; codec/README]
#include "libcore/base/fields.hpp"
#include "libcore/det/fp_environment.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/importance_scoring.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/prior/prior_components.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/math/low_discrepancy.hpp"
#include "libcore/train/loop.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace logpx::codec_test {

using namespace logpx::kaem;

namespace {

constexpr std::int64_t entries = 300;
constexpr std::uint64_t seed = 11;

// log mean over s of p(x|z_s) by the model's own likelihood; Sobol's points under this seed give
// the z_s.
double log_means(const KaemModel& model, const HeldRows& rows, Workers& workers) {
  const std::span<const float> theta = model.param_set().block();
  const CodedPrior prior(model.prior_values(theta), workers);
  const Sobol sobol(prior.score_dims(), Rng(seed));
  std::vector<double> u(at(entries * prior.score_dims()));
  for (std::int64_t s = 0; s < entries; ++s)
    sobol.point(static_cast<std::uint32_t>(s),
                std::span(u).subspan(at(s * prior.score_dims()), at(prior.score_dims())));
  std::vector<float> sums(at(entries * prior.latents()));
  prior.sums(u, sums);
  const HeadMatrices heads = decode_all(make_decoder(model), {theta, sums, prior.latents()});
  const auto likelihood = model.config().make_coding_likelihood(model.likelihood().levels());
  const auto pairs = likelihood->pairs(model.dims());
  pairs->take(spans_of(heads), entries);
  std::vector<float> x(at(rows.rows.count * model.dims()));
  const auto items = abilities(model).code->items(rows.examples());
  const ChannelsFirst place(model.info().samples);
  for (std::size_t i = 0; i < items.size(); ++i)
    x[i / at(model.dims()) * at(model.dims()) + place(i % at(model.dims()))] =
        static_cast<float>(items[i]);
  std::vector<double> log_p(at(rows.rows.count * entries));
  pairs->log_prob(x, log_p);
  double sum = 0;
  for (std::int64_t row = 0; row < rows.rows.count; ++row) {
    const auto own = std::span(log_p).subspan(at(row * entries), at(entries));
    sum += weigh_samples(row, own, own);
  }
  return sum;
}

}  // namespace

TEST_CASE("kaem codec: a codebook's codes are the log mean over its entries within 0.1 %") {
  const Family of_kaem = family();
  const HeldRows rows = of_kaem.tiny_rows(400);
  for (const char* likelihood : {"gaussian-fixed", "bernoulli", "categorical"}) {
    CAPTURE(likelihood);
    Settings settings = Settings::presets().make("tiny");
    settings.model.likelihood = likelihood;
    settings.training.batch = 32;
    settings.training.steps = 60;
    const Trainee trainee = make_trainee(settings, {.train = rows.examples()}, Rng(1));
    Workers workers(2);
    const auto alone = join_ranks();
    TrainingLoop(*trainee.task, settings.training, {workers, *alone}, {.seed = 1}).run();
    auto& model = dynamic_cast<KaemModel&>(*trainee.model);
    model.renew();
    const auto codec = abilities(model).code;
    const auto plan = codec->plan();
    Fields knobs;
    plan->describe(knobs);
    knobs.set("codebook=" + std::to_string(entries), Origin::option);
    knobs.set("codebook_seed=" + std::to_string(seed), Origin::option);
    const auto scheme = plan->scheme(workers);
    const det::FpEnvironment plain;
    codec::Message message(1);
    codec::Costs costs;
    scheme->encode(message, codec->items(rows.examples()), 0, costs);
    const double bits = -log_means(model, rows, workers) / std::numbers::ln2;
    CHECK(costs.total() == doctest::Approx(bits).epsilon(0.001));
    // And so is the message, except for the state of the coder.
    CHECK(std::abs(message.bits() - costs.total()) <= 0.001 * bits + 64);
  }
}

}  // namespace logpx::codec_test
