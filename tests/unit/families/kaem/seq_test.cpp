// A generator that sees the symbol before each position: its weights, its draws, its fits. The
// contract test holds what every family promises of it.   [kaem/README 3.1, 6.1]
#include "libcore/base/index.hpp"
#include "libcore/families/kaem/decoding.hpp"
#include "libcore/families/kaem/family.hpp"
#include "libcore/families/kaem/likelihood_graph.hpp"
#include "libcore/families/kaem/model.hpp"
#include "libcore/families/kaem/sample_scores.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "libcore/train/loop.hpp"
#include "libcore/train/ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace logpx::seq_test {

using namespace logpx::kaem;

namespace {

HeldRows letters(std::int64_t length, std::int64_t rows) {
  SyntheticRequest request{.name = "markov-text", .n = rows};
  request.options.length = length;
  request.options.order = 1;
  return synthetic_rows(request);
}

Settings seq_settings() {
  Settings settings = Settings::presets().make("tiny");
  settings.model.generator.kind = GeneratorKind::seq;
  settings.model.likelihood = "categorical";
  settings.model.latent = {1, 3};
  settings.model.hidden = "16";
  settings.fit.samples = 4;
  return settings;
}

// With weights of a size that matters.
std::unique_ptr<KaemModel> drawn_model(const HeldRows& rows) {
  auto model = std::make_unique<KaemModel>(seq_settings().model, rows.info);
  model->initialise(Rng(3));
  DrawCursor draws(Rng(8).stream(Stream::test));
  for (const int i : model->param_set().under({"generator"}))
    for (float& value : model->param_set().view(i).span())
      value += static_cast<float>(0.5 * draws.normal());
  model->renew();
  return model;
}

double mean_evidence(const Settings& settings, const TaskData& data) {
  Trainee trainee = make_trainee(settings, data, Rng(1));
  Workers workers(1);
  const auto ranks = join_ranks();
  TrainingLoop(*trainee.task, trainee.options, {workers, *ranks}, {.seed = 1}).run();
  return trainee.task->evaluate(trainee.task->params().block(), workers, *ranks)[0].second;
}

}  // namespace

TEST_CASE("kaem seq: pairs of letters are drawn as often as they are likely") {
  const HeldRows rows = letters(2, 4);
  const std::unique_ptr<KaemModel> model = drawn_model(rows);
  const std::int64_t count = 20000, symbols = rows.info.levels;
  const std::vector<float> one = {0.4F, -1.1F, 0.8F};
  // log p of all pairs at once, by the network that sees both letters.
  std::vector<float> all(at(2 * symbols * symbols));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<float>(i % 2 == 0 ? i / 2 / at(symbols) : i / 2 % at(symbols));
  const auto scores = sample_scores(*model, {});
  std::vector<double> nats(at(symbols * symbols));
  scores->take(model->param_set().block(), one);
  scores->log_prob(all, nats);
  double sum = 0;
  for (const double value : nats) sum += std::exp(value);
  CHECK(sum == doctest::Approx(1).epsilon(1e-5));

  std::vector<float> s;
  for (std::int64_t i = 0; i < count; ++i) s.insert(s.end(), one.begin(), one.end());
  Rows drawn;
  RowDecoder(*model).sample(s, drawn, 0, Rng(5));
  std::vector<double> found(nats.size());
  for (std::size_t i = 0; i < at(count); ++i)
    found[std::to_integer<std::size_t>(drawn.x[2 * i]) * at(symbols) +
          std::to_integer<std::size_t>(drawn.x[2 * i + 1])] += 1;
  // Rare pairs are one cell together.
  double squares = 0, rare_found = 0, rare = 0;
  std::int64_t cells = 1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double wanted = std::exp(nats[i]) * static_cast<double>(count);
    if (wanted < 5) {
      rare += wanted;
      rare_found += found[i];
      continue;
    }
    squares += (found[i] - wanted) * (found[i] - wanted) / wanted;
    ++cells;
  }
  squares += (rare_found - rare) * (rare_found - rare) / std::max(rare, 1.0);
  const auto freedom = static_cast<double>(cells - 1);
  CHECK(cells > 50);
  CHECK(squares < freedom + 4 * std::sqrt(2 * freedom));
}

TEST_CASE("kaem seq: one position after another has the heads of all at once") {
  const HeldRows rows = letters(6, 3);
  const std::unique_ptr<KaemModel> model = drawn_model(rows);
  const std::span<const float> theta = model->param_set().block();
  const std::vector<float> s = {0.4F, -1.1F, 0.8F, 0, 0.2F, -0.3F, 1, 1, 1};
  std::vector<float> x(18);
  model->reader().take_supported(rows.examples(), x);
  const auto graph = likelihood_graph(*model, {.rows = 3, .heads = PairedRows::Heads::shown});
  GraphInputs inputs(*graph, "");
  Executor<float> run(*graph, {});
  inputs.bind_to(run);
  bind_rows(*model, x, inputs);
  std::ranges::copy(s, inputs.values("s").begin());
  run.bind_parameters(theta);
  run.forward();
  const DecodedHeads whole(model->likelihood(), run);
  const auto symbols = at(rows.info.levels);
  for (const Numerics& numerics : {Numerics{}, repeatable_numerics}) {
    const PositionDecoder decoder(*model, numerics);
    decoder.go(theta, s, [&](std::int64_t row, std::int64_t position, const auto& heads) {
      const std::span<const float> wanted = whole.row(row)[0];
      for (std::size_t k = 0; k < symbols; ++k) {
        const std::size_t place = at(position) * symbols + k;
        CHECK(heads[0][place] == doctest::Approx(wanted[place]).epsilon(1e-3));
      }
      return static_cast<std::int32_t>(x[at(row * 6 + position)]);
    });
  }
}

TEST_CASE(
    "kaem seq: weights and slopes of pairs are those of shared heads where no symbol counts") {
  const HeldRows rows = letters(5, 40);
  const std::unique_ptr<KaemModel> model = drawn_model(rows);
  const std::span<float> theta = model->param_set().block();
  std::ranges::fill(model->param_set().view(model->param_set().find("generator/tokens/w")).span(),
                    0.0F);
  std::vector<float> s(3 * 7), x(at(40 * model->dims()));
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = static_cast<float>(i % 5) / 3 - 0.6F;
  model->reader().take_supported(rows.examples(), x);
  Config plain = model->config();
  plain.generator.autoregressive = false;
  KaemModel twin(plain, rows.info);
  twin.initialise(Rng(3));
  for (int i = 0; i < twin.param_set().count(); ++i)
    std::ranges::copy(model->param_set()
                          .view(model->param_set().find(twin.param_set().infos()[at(i)].name))
                          .span(),
                      twin.param_set().view(i).span().begin());
  std::vector<double> by_pairs(7 * 40), by_heads(7 * 40);
  const auto pairs = sample_scores(*model, {}), heads = sample_scores(twin, {});
  pairs->take(theta, s);
  heads->take(twin.param_set().block(), s);
  pairs->log_prob(x, by_pairs);
  heads->log_prob(x, by_heads);
  for (std::size_t i = 0; i < by_pairs.size(); ++i)
    CHECK(by_pairs[i] == doctest::Approx(by_heads[i]).epsilon(1e-4));
}

TEST_CASE("kaem seq: letters that depend on those before are fitted better by seeing them") {
  const HeldRows rows = letters(12, 1200), valid = letters(12, 200);
  Settings settings = seq_settings();
  settings.training.steps = 200;
  settings.training.batch = 40;
  settings.training.lr = 1e-2;
  settings.fit.eval_samples = 20;
  const TaskData data{.train = rows.examples(), .valid = valid.examples()};
  const double seen = mean_evidence(settings, data);
  settings.model.generator.autoregressive = false;
  CHECK(seen > mean_evidence(settings, data) + 3);
}

}  // namespace logpx::seq_test
