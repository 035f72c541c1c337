// What sets of molecules promise: numbers of atoms and the order of rows cost nothing.
#include "libcore/families/molecule_labels.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/item_set.hpp"
#include "libcore/families/arm/coding/codec.hpp"
#include "libcore/mol/canonical.hpp"
#include "tests/support/molecule_orders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace logpx::molecule_labels_test {

using namespace logpx::arm;
using namespace logpx::molecule_orders;

namespace {

using Row = std::vector<std::uint8_t>;

constexpr std::int64_t most_atoms = 5;

Row row_of(const Molecule& molecule) {
  Row row(at(dims_of_atoms(most_atoms)));
  store_molecule(molecule, row);
  return row;
}

// Molecules of one to five atoms, some of them twice, as rows of a set.
std::vector<std::uint8_t> rows_of_a_set(int count) {
  DrawCursor draws(Rng(12).stream(Stream::test));
  std::vector<Row> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back(row_of(canonical(drawn_molecule(1 + i % most_atoms, draws))));
    if (i % 7 == 0) rows.push_back(rows.back());
  }
  std::ranges::sort(rows);
  std::vector<std::uint8_t> items;
  for (const Row& row : rows) items.insert(items.end(), row.begin(), row.end());
  return items;
}

struct Coder {
  std::unique_ptr<ModelCodec> codec;
  std::unique_ptr<codec::ItemSet> set;
};
Coder coder_of(const OrderModel& model) {
  Workers workers(1);
  Coder coder{.codec = make_codec(model), .set = nullptr};
  const auto plan = coder.codec->plan();
  plan->settle({}, workers);
  coder.set = std::make_unique<codec::ItemSet>(plan->scheme(workers), coder.codec->labels());
  return coder;
}

std::string refusal_of_labels(const OrderModel& model) {
  try {
    (void)make_codec(model)->labels();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(!error.hint().empty());
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("arm: labels of a molecule give back log2 of n!/|Aut| bits, whatever was drawn") {
  DrawCursor draws(Rng(10).stream(Stream::test));
  const MoleculeLabels labels;
  std::vector<Molecule> molecules = {{}, {.atoms = {1}}, {.atoms = {0, 0, 0}, .bonds = {1, 1, 1}}};
  for (int i = 0; i < 40; ++i) molecules.push_back(drawn_molecule(2 + i % 4, draws));
  for (const Molecule& molecule : molecules) {
    const Row settled = row_of(canonical(molecule));
    std::set<Row> drawn;
    for (std::uint32_t words = 0; words < 40; ++words) {
      codec::Message message;
      for (std::uint32_t i = 0; i < 8; ++i) message.push_bits((words * 977 + i * 31) % 65536, 16);
      const codec::Message before = message;
      Row row = settled;
      labels.draw(message, row);
      CHECK(before.bits() - message.bits() ==
            doctest::Approx(log_labellings(molecule) / std::numbers::ln2).epsilon(1e-6));
      CHECK(canonical(molecule_in(row)) == canonical(molecule));
      drawn.insert(row);
      labels.give_back(message, row);
      CHECK(row == settled);
      CHECK(message == before);
    }
    CHECK((drawn.size() > 1) == (log_labellings(molecule) > 1e-9));
  }
}

TEST_CASE(
    "arm: a set of molecules comes back settled and ascending, in every order of their dims") {
  Config any = tiny_config(), biased = any, by_entropy = any, learned = any;
  any.orders = OrderKind::any;
  biased.orders = OrderKind::biased;
  by_entropy.policy = PolicyKind::entropy;
  const std::vector<std::uint8_t> items = rows_of_a_set(30);
  for (const Config& config : {any, biased, by_entropy, learned}) {
    const auto model = drawn_model(config, most_atoms);
    const Coder coder = coder_of(*model);
    codec::Message message;
    codec::Costs costs;
    coder.set->encode(message, items, 3, costs);
    codec::Message received = codec::Message::parse(message.serialise(), 1);
    std::vector<std::uint8_t> decoded(items.size());
    coder.set->decode(received, decoded, 3);
    received.check_end(message.borrowed());
    CHECK(decoded == items);
    double labels = 0;
    for (std::size_t i = 0; i < coder.set->items_in(items.size()); ++i)
      labels += log_labellings(molecule_in(coder.set->item_of(std::span(items), i)));
    CHECK(-costs.of(codec::Part::labels) == doctest::Approx(labels / std::numbers::ln2));
  }
}

TEST_CASE("arm: a set of molecules takes the bits of the bound without labels, and without order") {
  // Over many draws, since one set has few rows.
  const auto model = drawn_model(tiny_config(), most_atoms);
  const Coder coder = coder_of(*model);
  const std::vector<std::uint8_t> items = rows_of_a_set(30);
  codec::Message message;
  codec::Costs costs;
  constexpr int rounds = 30;
  for (int i = 0; i < rounds; ++i) coder.set->encode(message, items, 0, costs);
  const std::size_t count = coder.set->items_in(items.size());
  std::vector<Molecule> molecules;
  for (std::size_t i = 0; i < count; ++i)
    molecules.push_back(molecule_in(coder.set->item_of(std::span(items), i)));
  const auto plan = abilities(*model).scoring("elbo");
  Fields fields;
  plan->describe(fields);
  fields.set("samples=60", Origin::option);
  plan->settle();
  const Scores scores =
      plan->score(rows_of(carbon_and_oxygen(most_atoms), molecules).examples(), Rng(3));
  const auto column = [&](const std::string& name) {
    for (const auto& [known, values] : scores.terms)
      if (known == name) return values;
    return std::vector<double>();
  };
  // What is paid besides `unlabelled` is the number of atoms, by its counts.
  const std::vector<double> unlabelled = column("molecules.unlabelled"),
                            given = column("molecules.given_n");
  double nats = 0;
  for (std::size_t i = 0; i < count; ++i)
    nats -= unlabelled.at(i) + scores.nats.at(i) - given.at(i);
  const double paid = costs.total() - costs.of(codec::Part::order);
  CHECK(paid / rounds == doctest::Approx(nats / std::numbers::ln2).epsilon(0.01));
}

TEST_CASE("arm: a model that tells numberings apart codes no set of molecules, and says why") {
  Config fixed = tiny_config(), spectral = fixed, grouped = fixed;
  fixed.orders = OrderKind::fixed;
  spectral.net.counts = GraphCounts::all;
  grouped.orders = OrderKind::biased;
  const ArmModel by_group(grouped, carbon_and_oxygen(2), {.groups = {0, 1, 1}, .atoms = {2}});
  const std::string why = "this one tells numberings apart by ";
  CHECK(refusal_of_labels(*drawn_model(fixed, 2)).ends_with(why + "its fixed order"));
  CHECK(
      refusal_of_labels(*drawn_model(spectral, 2)).ends_with(why + "its features of the spectrum"));
  CHECK(refusal_of_labels(by_group).ends_with(why + "its groups of dims"));
  CHECK(refusal_of_labels(*drawn_model(tiny_config(), 2)).empty());
}

}  // namespace logpx::molecule_labels_test
