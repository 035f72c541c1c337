// Molecules drawn from models of orders, and molecules coded by them.
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/families/arm/scoring/exact_scoring.hpp"
#include "libcore/families/registry.hpp"
#include "libcore/model/codec.hpp"
#include "tests/support/molecule_orders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace logpx::molecule_draws_test {

using namespace logpx::arm;
using namespace logpx::molecule_orders;

namespace {

using Knob = std::string;

SampleChunk drawn(const ArmModel& model, std::int64_t count, const std::vector<Knob>& knobs) {
  const auto plan = abilities(model).sampling();
  Fields fields;
  plan->describe(fields);
  for (const Knob& knob : knobs) fields.set(knob, Origin::option);
  plan->settle();
  const std::int64_t block = model.info().block;
  SampleChunk all;
  for (std::int64_t first = 0; first < count; first += block) {
    SampleChunk some = plan->make(first, std::min(first + block, count), Rng(7));
    all.rows.count += some.rows.count;
    all.rows.x.insert(all.rows.x.end(), some.rows.x.begin(), some.rows.x.end());
    all.rows.length.insert(all.rows.length.end(), some.rows.length.begin(), some.rows.length.end());
    append_codes(all.codes, some.codes);
  }
  return all;
}

std::vector<Molecule> molecules_of(const ArmModel& model, const Rows& rows) {
  std::vector<Molecule> all;
  for (std::int64_t i = 0; i < rows.count; ++i)
    all.push_back(molecule_of_row(model.info().samples, rows, i));
  return all;
}

struct Order {
  const char* name;
  Config config;
};
std::vector<Order> codings() {
  Config any = tiny_config(), biased = any, by_entropy = any;
  any.orders = OrderKind::any;
  biased.orders = OrderKind::biased;
  by_entropy.policy = PolicyKind::entropy;
  return {{"policy", tiny_config()}, {"greedy", tiny_config()}, {"fixed", tiny_config()},
          {"policy", by_entropy},    {"policy", any},           {"policy", biased}};
}

std::unique_ptr<codec::Scheme> scheme_of(const ModelCodec& codec, const std::string& order) {
  const auto plan = codec.plan();
  Fields fields;
  plan->describe(fields);
  fields.set("arm_order=" + order, Origin::option);
  Workers alone(1);
  plan->settle({}, alone);
  return plan->scheme(alone);
}

std::vector<std::uint8_t> decoded(const codec::Scheme& scheme, codec::Message& message,
                                  std::size_t items) {
  std::vector<std::uint8_t> symbols(items * scheme.item_size());
  scheme.decode(message, symbols, 3);
  return symbols;
}

}  // namespace

TEST_CASE("arm: molecules are drawn with as many atoms as those of training had") {
  constexpr std::int64_t draws = 3000;
  const auto model = drawn_model(tiny_config(), 3);  // 1, 2, 3 atoms: as 1 to 2 to 3
  std::map<std::int64_t, double> seen;
  for (const std::int32_t atoms : drawn(*model, draws, {}).rows.length) seen[atoms] += 1.0 / draws;
  for (std::int64_t n = 1; n <= 3; ++n)
    CHECK(std::abs(seen[n] - static_cast<double>(n) / 6) < 4 * std::sqrt(0.25 / draws));
  for (const std::int32_t atoms : drawn(*model, 20, {"n_atoms=2"}).rows.length) CHECK(atoms == 2);
  seen.clear();
  for (const std::int32_t atoms : drawn(*model, draws, {"n_atoms=2:3"}).rows.length)
    seen[atoms] += 1.0 / draws;
  CHECK(seen.size() == 2);
  CHECK(std::abs(seen[2] - 0.5) < 4 * std::sqrt(0.25 / draws));
}

TEST_CASE("arm: molecules of two atoms are drawn as often as their exact probabilities say") {
  constexpr std::int64_t draws = 4000;
  const auto model = drawn_model(tiny_config(), 2);
  std::vector<Molecule> all;
  for (std::uint8_t a = 0; a < 2; ++a)
    for (std::uint8_t b = 0; b < 2; ++b)
      for (std::uint8_t bond = 0; bond < 4; ++bond)
        all.push_back({.atoms = {a, b}, .bonds = {bond}});
  const Scores exact = scores_of(*model, exact_method, rows_of(carbon_and_oxygen(2), all));
  const std::vector<Molecule> made = molecules_of(*model, drawn(*model, draws, {"n_atoms=2"}).rows);
  double square = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double expected = draws * std::exp(exact.nats[i] - std::log(2.0 / 3)),
                 count = static_cast<double>(std::ranges::count(made, all[i]));
    square += (count - expected) * (count - expected) / expected;
  }
  CHECK(square < 44.3);  // once in ten thousand times, 15 degrees of freedom
}

TEST_CASE("arm: the order of a drawn molecule names its own atoms and pairs, and no others") {
  const auto model = drawn_model(tiny_config(), 4);
  const SampleChunk chunk = drawn(*model, 40, {"order_trace=steps"});
  const std::vector<Molecule> molecules = molecules_of(*model, chunk.rows);
  const auto order = chunk.codes[0].values<std::int32_t>(),
             value = chunk.codes[1].values<std::int32_t>();
  REQUIRE(chunk.codes[0].name == "order");
  const std::size_t most = at(model->dims());
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const std::size_t length = at(dims_of_atoms(molecules[i].size())),
                      atoms = molecules[i].atoms.size();
    std::vector<std::int32_t> own(order.begin() + static_cast<std::ptrdiff_t>(i * most),
                                  order.begin() + static_cast<std::ptrdiff_t>((i + 1) * most));
    for (std::size_t step = 0; step < most; ++step) {
      if (step >= length) {
        CHECK(own[step] == -1);
        continue;
      }
      const std::size_t dim = at(own[step]);
      CHECK(value[i * most + step] ==
            (dim < atoms ? molecules[i].atoms[dim] : molecules[i].bonds.at(dim - atoms)));
    }
    own.resize(length);
    std::ranges::sort(own);
    for (std::size_t k = 0; k < length; ++k) CHECK(own[k] == static_cast<std::int32_t>(k));
  }
}

TEST_CASE("arm: molecules of any number of atoms come back from codes in every order") {
  DrawCursor draws(Rng(12).stream(Stream::test));
  std::vector<Molecule> molecules;
  for (std::int64_t i = 0; i < 12; ++i) molecules.push_back(drawn_molecule(1 + i % 4, draws));
  for (const auto& [name, config] : codings()) {
    CAPTURE(name);
    const auto model = drawn_model(config, 4);
    const HeldRows rows = rows_of(carbon_and_oxygen(4), molecules);
    const auto codec = abilities(*model).code;
    const std::vector<std::uint8_t> items = codec->items(rows.examples());
    const auto stored = rows.rows.values<std::uint8_t>();
    CHECK(std::ranges::equal(items, stored));
    const auto scheme = scheme_of(*codec, name);
    codec::Message message(1);
    codec::Costs costs;
    scheme->encode(message, items, 3, costs);
    CHECK(decoded(*scheme, message, molecules.size()) == items);
  }
}

TEST_CASE("arm: whatever bits come, a decoder of molecules makes molecules of them") {
  for (const auto& [name, config] : codings()) {
    const auto model = drawn_model(config, 4);
    const auto codec = abilities(*model).code;
    const auto scheme = scheme_of(*codec, name);
    codec::Message message(1);
    Cursor words(Rng(13).stream(Stream::test));
    for (int i = 0; i < 400; ++i) message.push_bits(words.word() >> 16, 16, 0);
    const std::vector<std::uint8_t> items = decoded(*scheme, message, 8);
    codec::Message again(1);
    codec::Costs costs;
    scheme->encode(again, items, 3, costs);  // a data error unless items are molecules
    const DatasetInfo info = carbon_and_oxygen(4);
    for (std::size_t i = 0; i < 8; ++i) {
      const auto row = std::span(items).subspan(i * at(info.dims()), at(info.dims()));
      const auto atoms = std::ranges::find(row.first(4), no_part) - row.begin();
      CHECK(trouble_of_molecule(info, 2, row, atoms) == "");
    }
  }
}

TEST_CASE("arm: a row that is no molecule of the model is no item of its coder") {
  const auto model = drawn_model(tiny_config(), 3);
  const auto codec = abilities(*model).code;
  const auto scheme = scheme_of(*codec, "greedy");
  const auto is_item = [&](std::vector<std::uint8_t> row) {
    codec::Message message(1);
    codec::Costs costs;
    try {
      scheme->encode(message, row, 0, costs);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
      return false;
    }
    return true;
  };
  CHECK(is_item({0, 1, 255, 3, 255, 255}));
  CHECK(is_item({0, 255, 255, 255, 255, 255}));
  CHECK(!is_item({255, 255, 255, 255, 255, 255}));  // no atom
  CHECK(!is_item({0, 2, 255, 3, 255, 255}));        // no such atom
  CHECK(!is_item({0, 1, 255, 4, 255, 255}));        // no such bond
  CHECK(!is_item({0, 1, 255, 3, 255, 0}));          // a bond of an atom that is not there
  CHECK(!is_item({0, 255, 1, 255, 255, 255}));      // an atom behind the last one
}

}  // namespace logpx::molecule_draws_test
