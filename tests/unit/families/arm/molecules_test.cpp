// What models of orders promise about molecules, whose rows differ in their number of dims.
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/arm/family.hpp"
#include "libcore/families/arm/scoring/elbo_scoring.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/arm/scoring/iwae_scoring.hpp"
#include "libcore/families/arm/scoring/scored_rows.hpp"
#include "libcore/families/arm/training/objective.hpp"
#include "libcore/families/synthetic_rows.hpp"
#include "tests/support/contract.hpp"
#include "tests/support/molecule_orders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace logpx::molecules_test {

using namespace logpx::arm;
using namespace logpx::molecule_orders;

namespace {

// All kinds of orders that do not depend on the numbers of atoms.
std::vector<Config> equivariant_configs() {
  Config any = tiny_config(), biased = any, by_entropy = any, separate = any, shared = any;
  any.orders = OrderKind::any;
  biased.orders = OrderKind::biased;
  by_entropy.policy = PolicyKind::entropy;
  shared.choice = ChoiceKind::shared;
  shared.net.counts = GraphCounts::cycles;
  return {any, biased, by_entropy, separate, shared};
}

const std::vector<double>* column(const Scores::Columns& columns, const std::string& name) {
  for (const auto& [known, values] : columns)
    if (known == name) return &values;
  return nullptr;
}

// Every molecule of two atoms, whether its bonds make sense or not.
std::vector<Molecule> all_pairs_of_atoms() {
  std::vector<Molecule> all;
  for (std::uint8_t a = 0; a < 2; ++a)
    for (std::uint8_t b = 0; b < 2; ++b)
      for (std::uint8_t bond = 0; bond < 4; ++bond)
        all.push_back({.atoms = {a, b}, .bonds = {bond}});
  return all;
}

template <typename Action>
std::string data_trouble(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("arm: relabelling the atoms of a molecule leaves its exact log p(x) as it is") {
  DrawCursor draws(Rng(6).stream(Stream::test));
  for (const Config& config : equivariant_configs()) {
    const auto model = drawn_model(config, 4);
    CHECK(model->is_equivariant());
    for (const std::int64_t atoms : {2, 3, 4}) {
      const Molecule molecule = drawn_molecule(atoms, draws);
      std::vector<std::int64_t> order(at(atoms));
      std::iota(order.begin(), order.end(), 0);
      std::vector<Molecule> relabellings = {molecule};
      std::ranges::reverse(order);
      relabellings.push_back(relabelled(molecule, order));
      std::ranges::rotate(order, order.begin() + 1);
      relabellings.push_back(relabelled(molecule, order));
      const Scores scores =
          scores_of(*model, exact_method, rows_of(carbon_and_oxygen(4), relabellings));
      for (const double nats : scores.nats)
        CHECK(nats == doctest::Approx(scores.nats[0]).epsilon(1e-5));
    }
  }
}

TEST_CASE("arm: probabilities of all molecules of one and of two atoms sum to one") {
  for (const Config& config : equivariant_configs()) {
    const auto model = drawn_model(config, 3);
    const std::vector<Molecule> single = {{.atoms = {0}}, {.atoms = {1}}};
    for (const std::vector<Molecule>& all : {single, all_pairs_of_atoms()}) {
      const Scores scores = scores_of(*model, exact_method, rows_of(carbon_and_oxygen(3), all));
      double sum = 0;
      for (const double nats : *column(scores.terms, "molecules.given_n")) sum += std::exp(nats);
      CHECK(sum == doctest::Approx(1).epsilon(1e-6));
    }
  }
}

TEST_CASE("arm: a molecule has log p given its atoms, with their number, and without labels") {
  const Molecule ring{.atoms = {0, 0, 0}, .bonds = {1, 1, 1}},
      chain{.atoms = {0, 0, 1}, .bonds = {1, 0, 1}}, alone{.atoms = {1}};
  const std::vector<Molecule> molecules = {ring, chain, alone};
  const HeldRows rows = rows_of(carbon_and_oxygen(3), molecules);
  const auto model = drawn_model(tiny_config(), 3);
  for (const char* method : {exact_method, elbo_method, iwae_method}) {
    const Scores scores = scores_of(*model, method, rows);
    const auto &given = *column(scores.terms, "molecules.given_n"),
               &with = *column(scores.terms, "molecules.with_n"),
               &unlabelled = *column(scores.terms, "molecules.unlabelled");
    CHECK(with == scores.nats);
    const std::vector<double> seen = {3.0 / 6, 3.0 / 6, 1.0 / 6}, labellings = {1, 6, 1};
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      CHECK(with[i] - given[i] == doctest::Approx(std::log(seen[i])));
      CHECK(unlabelled[i] - given[i] == doctest::Approx(std::log(labellings[i])));
    }
  }
  const Scores exact = scores_of(*model, exact_method, rows);
  const std::vector<double>& given = *column(exact.terms, "molecules.given_n");
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    CHECK(exact.facts[0].second[i] <= given[i] + 1e-9);
    CHECK(exact.facts[1].second[i] ==
          doctest::Approx(given[i] - exact.facts[0].second[i]).epsilon(1e-9));
  }
}

TEST_CASE("arm: a number of atoms that training never saw is impossible, given it nothing is") {
  ArmModel model(tiny_config(), carbon_and_oxygen(3), {.groups = {}, .atoms = {3, 3}});
  const HeldRows rows = rows_of(carbon_and_oxygen(3), {{.atoms = {0, 1}, .bonds = {1}}});
  const Scores scores = scores_of(model, exact_method, rows);
  CHECK(std::isinf(scores.nats[0]));
  CHECK(std::isfinite((*column(scores.terms, "molecules.given_n"))[0]));
}

TEST_CASE("arm: where labels matter nothing is said of molecules without them") {
  Config fixed = tiny_config(), spectral = fixed, grouped = fixed;
  fixed.orders = OrderKind::fixed;
  spectral.net.counts = GraphCounts::all;
  grouped.orders = OrderKind::biased;
  const HeldRows rows = rows_of(carbon_and_oxygen(2), {{.atoms = {0, 1}, .bonds = {1}}});
  for (const Config& config : {fixed, spectral}) {
    const auto model = drawn_model(config, 2);
    const Scores scores = scores_of(*model, exact_method, rows);
    CHECK(column(scores.terms, "molecules.unlabelled") == nullptr);
    CHECK(column(scores.terms, "molecules.given_n") != nullptr);
  }
  const ArmModel by_label(grouped, carbon_and_oxygen(2), {.groups = {0, 1, 1}, .atoms = {2}});
  CHECK(!by_label.is_equivariant());
}

TEST_CASE("arm: larger molecules beside it change nothing of what is said of a molecule") {
  const auto model = drawn_model(tiny_config(), 5);
  DrawCursor draws(Rng(8).stream(Stream::test));
  const Molecule small = drawn_molecule(3, draws), large = drawn_molecule(5, draws);
  const DatasetInfo info = carbon_and_oxygen(5);
  const std::vector<std::int32_t> one = model->reader().values(rows_of(info, {small}).examples()),
                                  two = model->reader().values(
                                      rows_of(info, {small, large}).examples());
  const std::vector<std::uint8_t> seen(two.size());
  Looks alone, beside;
  model->predictor().look({one, std::span(seen).first(one.size())}, alone);
  model->predictor().look({two, seen}, beside);
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (one[k] == absent) continue;
    CHECK(std::abs(alone.policy[k] - beside.policy[k]) < 1e-5);
    for (std::size_t v = 0; v < at(model->levels()); ++v) {
      const std::size_t place = k * at(model->levels()) + v;
      if (v < at(model->form().levels_of(static_cast<std::int64_t>(k))))
        CHECK(std::abs(alone.values[place] - beside.values[place]) < 1e-5);
      else CHECK(std::isinf(alone.values[place]));
    }
  }
}

TEST_CASE("arm: what is drawn for a molecule in training does not depend on those beside it") {
  for (const OrderKind orders : {OrderKind::learned, OrderKind::any}) {
    Config config = tiny_config();
    config.orders = orders;
    const auto model = drawn_model(config, 5);
    DrawCursor draws(Rng(9).stream(Stream::test));
    const HeldRows rows = rows_of(carbon_and_oxygen(5), {drawn_molecule(3, draws)});
    const std::vector<std::int32_t> x = model->reader().values(rows.examples());
    std::map<std::int64_t, std::vector<double>> bounds;
    for (const std::int64_t extent : {3, 5}) {
      Graph graph;
      name_objective(graph, *model, {}, {1, extent});
      Executor<float> run(graph, {});
      GraphInputs inputs(graph, "");
      for (std::uint64_t i = 0; i < 6; ++i) {
        bind_row(*model, NetLayout(model->form(), extent),
                 {.row = 0,
                  .time = static_cast<double>(i) / 6,
                  .orders = Rng(2).stream(Stream::order),
                  .element = 100 * i},
                 x, inputs);
        if (inputs.holds("learns")) inputs.values("learns")[0] = 1;
        inputs.bind_to(run);
        run.bind_parameters(model->param_set().block());
        run.forward();
        bounds[extent].push_back(static_cast<double>(run.output("loss")[0]));
      }
    }
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(bounds[3][i] == doctest::Approx(bounds[5][i]).epsilon(1e-4));
  }
}

TEST_CASE("arm: groups of molecules are bonds and then atoms, unless a file says otherwise") {
  Config config = tiny_config();
  config.orders = OrderKind::biased;
  const auto model = drawn_model(config, 3);
  const ScoredRows rows(*model, {0, 1, absent, 2, absent, absent}, 0);
  for (std::int64_t draw = 0; draw < 8; ++draw) CHECK(rows.order(0, draw, Rng(1)).front() == 3);
}

TEST_CASE("arm: molecules with more atoms than a model's, or none, are refused; fewer fit") {
  const auto model = drawn_model(tiny_config(), 3);
  const auto read = [&](const DatasetInfo& info, const Molecule& molecule) {
    return model->reader().values(rows_of(info, {molecule}).examples());
  };
  using Values = std::vector<std::int32_t>;
  const Molecule pair{.atoms = {1, 0}, .bonds = {2}},
      four{.atoms = {0, 0, 0, 0}, .bonds = {1, 0, 0, 1, 0, 1}};
  CHECK(read(carbon_and_oxygen(2), pair) == Values{1, 0, absent, 2, absent, absent});
  CHECK(read(carbon_and_oxygen(5), pair) == Values{1, 0, absent, 2, absent, absent});
  CHECK(data_trouble([&] { static_cast<void>(read(carbon_and_oxygen(4), four)); }) ==
        "row 0 has 4 atoms, and the model reads up to 3");
  CHECK(data_trouble([&] { static_cast<void>(read(carbon_and_oxygen(3), {})); }) ==
        "row 0 has no atoms");
  CHECK(data_trouble([&] {
          static_cast<void>(read(carbon_and_oxygen(3), {.atoms = {0, 2}, .bonds = {1}}));
        }).starts_with("row 0, dimension 1 is 2"));
}

TEST_CASE("arm: molecules of mixed sizes train to the same bytes, by any threads and ranks") {
  Family family = find_family("arm");
  SyntheticRequest small{.name = "molecules"};
  small.options.min_atoms = 1;
  small.options.max_atoms = 4;
  family.tiny_rows = rows_as_asked(small);
  for (const ChoiceKind choice : {ChoiceKind::shared, ChoiceKind::separate}) {
    family.trainee = [choice](const std::string& preset, const TaskData& data, Rng rng) {
      Settings settings = Settings::presets().make(preset);
      settings.model.choice = choice;
      return make_trainee(settings, data, rng);
    };
    const std::string whole = testing::training_bytes(family, {});
    CHECK((whole == testing::training_bytes(family, {.threads = 2, .stops_after = 3})));
    CHECK((whole == testing::training_bytes(family, {.threads = 4, .two_ranks = true})));
  }
}

}  // namespace logpx::molecules_test
