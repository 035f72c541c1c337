// What every family promises, checked for each one in the registry and for the fixtures. A new
// family needs no code here.
#include "libcore/base/fields.hpp"
#include "libcore/base/index.hpp"
#include "libcore/eval/methods.hpp"
#include "libcore/model/queries.hpp"
#include "tests/support/contract.hpp"
#include "tests/support/sanitizers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace logpx::contract_test {

using namespace logpx::testing;

namespace {

std::set<std::string> names_of(const Fields& fields) {
  std::set<std::string> names;
  for (const Field& field : fields.all())
    if (!field.is_external()) names.insert(field.name());  // what archives alone say
  return names;
}

std::set<std::string> names_of(const KnobList& listed) {
  std::set<std::string> names;
  for (const auto& knobs : listed) {
    Fields fields;
    knobs->describe(fields);
    names.merge(names_of(fields));
  }
  return names;
}

template <typename Plan>
std::set<std::string> knobs_of_plan(Plan& plan) {
  Fields fields;
  plan.describe(fields);
  return names_of(fields);
}

// Chains of moves for each example, as their knobs tell, and what is for few latents.
bool is_left_out(const Abilities& can, const std::string& method) {
  if (method == "quadrature" || method == "reciprocal") {
    if (can.latents->dims() > 3) return true;
  }
  const auto plan = scoring_plan(can, method);
  return knobs_of_plan(*plan).contains("ais-leapfrog");
}

// The mean over rows, the error of its noise, and the error that the method states.
struct Mean {
  double value = 0, mc_std_error = 0, own_error = 0;
};
Mean mean_score(const Abilities& can, const std::string& method, const HeldRows& data,
                Bound& kind) {
  const auto plan = scoring_plan(can, method);
  lighten(*plan, can.info().family);
  plan->settle();
  const Scores scores = plan->score(data.examples(), Rng(5));
  kind = scores.kind;
  Mean mean;
  double variance = 0;
  for (const double nats : scores.nats) mean.value += nats;
  for (const double error : scores.mc_std_error) variance += error * error;
  for (const auto& [fact, values] : scores.facts)
    if (fact == "change")
      for (const double change : values) mean.own_error += std::abs(change);
  const auto n = static_cast<double>(scores.nats.size());
  return {mean.value / n, std::sqrt(variance) / n, mean.own_error / n};
}

}  // namespace

TEST_CASE("contract: the gradient of training is the slope of its loss") {
  for_each_family([](const Family& family) { CHECK(gradient_trouble(family) == ""); });
}

TEST_CASE("contract: training gives the same bytes for any threads and ranks, and resumed") {
  for_each_family([](const Family& family) {
    if (!Trial(family).trains()) return;
    const std::string whole = training_bytes(family, {});
    CHECK((whole == training_bytes(family, {.threads = 4})));
    CHECK((whole == training_bytes(family, {.stops_after = 3})));
    CHECK((whole == training_bytes(family, {.threads = 2, .stops_after = 4})));
    CHECK((whole == training_bytes(family, {.threads = 2, .two_ranks = true})));
  });
}

TEST_CASE("contract: scores and samples depend on neither the order of blocks nor on threads") {
  for_each_family([](const Family& family) {
    const auto trial = trained(family);
    const Model& model = trial->model();
    const Abilities can = abilities(model);
    std::vector<std::string> methods = can.methods();
    if (const Method* const tighter = latent_method(can, Method::Use::beside_auto))
      methods.push_back(tighter->name);
    if (codes(model)) methods.emplace_back("det");
    for (const std::string& method : methods) {
      CAPTURE(method);
      const std::string scores = scored(model, method, trial->data, Order::forwards);
      CHECK((scores == scored(model, method, trial->data, Order::backwards)));
      CHECK((scores == scored(model, method, trial->data, Order::together)));
    }
    const std::int64_t items = 2 * model.info().block + 3;
    const std::string samples = sampled(model, items, Order::forwards);
    CHECK((samples == sampled(model, items, Order::backwards)));
    CHECK((samples == sampled(model, items, Order::together)));
  });
}

TEST_CASE("contract: a sample depends on its number and the seed, not on how many are drawn") {
  for_each_family([](const Family& family) {
    const auto trial = trained(family);
    const auto plan = abilities(trial->model()).sampling();
    lighten(*plan, trial->model().info().family);
    plan->settle();
    const std::int64_t block = trial->model().info().block;
    const auto drawn = [&](std::int64_t first, std::int64_t count, std::uint64_t seed) {
      return plan->make(first, first + count, Rng(seed));
    };
    const SampleChunk one = drawn(0, 1, 6), many = drawn(0, 9, 6), later = drawn(block, 9, 6);
    CHECK(many.rows.x.size() == 9 * one.rows.x.size());
    CHECK(std::equal(one.rows.x.begin(), one.rows.x.end(), many.rows.x.begin()));
    CHECK((later.rows.x != many.rows.x));
    CHECK((drawn(0, 9, 7).rows.x != many.rows.x));
    for (std::size_t c = 0; c < many.codes.size(); ++c)  // latents are drawn anew for each
      if (many.codes[c].type == NumberType::f32)
        CHECK((later.codes[c].bytes != many.codes[c].bytes));
  });
}

TEST_CASE("contract: no lower bound lies above what is exact, or integrated over few latents" *
          of_numbers) {
  int compared = 0;
  for_each_family([&](const Family& family) {
    const auto trial = well_trained(family);
    const Abilities can = abilities(trial->model());
    const bool integrates = can.latents && can.latents->dims() <= 2;
    std::vector<Mean> exact, bounds;
    for (const std::string& method : methods_of(can)) {
      if (is_left_out(can, method)) continue;
      CAPTURE(method);
      Bound kind = Bound::exact;
      const Mean mean = mean_score(can, method, trial->data, kind);
      CHECK(std::isfinite(mean.value));
      if (kind == Bound::exact || (integrates && method == "quadrature")) exact.push_back(mean);
      if (kind == Bound::lower_bound || kind == Bound::stochastic_lower_bound)
        bounds.push_back(mean);
    }
    for (const Mean& truth : exact)
      for (const Mean& bound : bounds) {
        const double slack = 4 * bound.mc_std_error + truth.own_error;
        CHECK(bound.value <= truth.value + slack + 1e-4 * std::abs(truth.value));
        ++compared;
      }
  });
  CHECK(compared > 0);
}

TEST_CASE("contract: a family lists what its models can do, and the knobs that their plans have") {
  using Names = std::set<std::string>;
  std::map<std::string, std::map<std::string, Names>> of_scoring;  // by family and way
  std::map<std::string, Names> of_coding;
  for_each_family([&](const Family& family) {
    const auto trial = trained(family);
    const Abilities can = abilities(trial->model());
    CHECK(can.info().family == family.name);
    CHECK(bool(can.code) == bool(family.code));
    CHECK(bool(can.queries) == bool(family.queries));
    CHECK(bool(can.latents) == bool(family.latents));
    CHECK((!can.gradients || family.gradients));
    CHECK(bool(can.prior) == bool(family.prior));
    CHECK(can.methods().front() == family.score.front().word);
    for (const std::string& method : can.methods())
      of_scoring[family.name][method].merge(knobs_of_plan(*can.scoring(method)));
    CHECK(knobs_of_plan(*can.sampling()) == names_of(family.knobs_of(Job::sample)));
    if (codes(trial->model())) of_coding[family.name].merge(knobs_of_plan(*can.code->plan()));
  });
  for_each_family([&](const Family& family) {
    CHECK(of_scoring[family.name].size() == family.score.size());
    for (const WayOfScoring& way : family.score) {
      CAPTURE(way.word);
      CHECK(of_scoring[family.name][way.word] == names_of(way.knobs()));
    }
    CHECK(of_coding[family.name] == names_of(family.knobs_of(Job::code)));
  });
}

TEST_CASE("contract: what calls itself exact or a lower bound is the same by any noise") {
  for_each_family([](const Family& family) {
    const auto trial = trained(family);
    const Abilities can = abilities(trial->model());
    for (const std::string& method : can.methods()) {
      CAPTURE(method);
      const auto plan = scoring_plan(can, method);
      lighten(*plan, can.info().family);
      plan->settle();
      const Scores once = plan->score(trial->data.examples(), Rng(1)),
                   again = plan->score(trial->data.examples(), Rng(2));
      if (once.kind == Bound::exact || once.kind == Bound::lower_bound)
        CHECK((once.nats == again.nats));
    }
  });
}

TEST_CASE("contract: a row of which no value is there has log p 0") {
  int read = 0;
  for_each_family([&](const Family& family) {
    const auto trial = trained(family);
    const Abilities can = abilities(trial->model());
    if (!can.info().missing) return;
    ++read;
    HeldRows data = trial->data;
    data.info.has_missing = true;
    const auto values = at(data.rows.count * data.info.dims());
    if (data.info.element != Element::f32) {
      data.info.element = Element::i16;
      data.rows.x.resize(values * sizeof(std::int16_t));
      std::ranges::fill(data.rows.values<std::int16_t>(), std::int16_t{-1});
    } else std::ranges::fill(data.rows.values<float>(), std::numeric_limits<float>::quiet_NaN());
    for (const std::string& method : can.methods())
      for (const double nats : scoring_plan(can, method)->score(data.examples(), Rng(1)).nats)
        CHECK(std::abs(nats) <= 1e-12);
    if (!can.queries) return;
    const Evidence rows = can.queries->observed(data.examples());
    for (const double nats : can.queries->log_p(rows)) CHECK(std::abs(nats) <= 1e-12);
    for (const double nats : can.queries->tables(rows).nats) CHECK(std::abs(nats) <= 1e-12);
  });
  CHECK(read > 0);
}

TEST_CASE("contract: samples are rows of the kind that the plan announces") {
  for_each_family([](const Family& family) {
    const auto trial = trained(family);
    const Abilities can = abilities(trial->model());
    const auto plan = can.sampling();
    lighten(*plan, can.info().family);
    plan->settle();
    const DatasetInfo info = plan->rows();
    const SampleChunk chunk = plan->make(0, 5, Rng(2));
    const std::int64_t rows = 5 * plan->rows_per_item();
    CHECK(chunk.rows.count == rows);
    CHECK(chunk.rows.x.size() == at(rows) * info.row_bytes());
    CHECK(chunk.rows.y.size() == (info.has_labels ? at(rows) : 0));
    CHECK(chunk.rows.length.size() == (info.has_lengths ? at(rows) : 0));
    // The model reads what it makes.
    const auto score = scoring_plan(can, can.methods().front());
    lighten(*score, can.info().family);
    score->settle();
    for (const double nats : score->score({info, chunk.rows, 0}, Rng(1)).nats)
      CHECK(std::isfinite(nats));
  });
}

}  // namespace logpx::contract_test
