// Whole schemes, bit for bit as in tests/golden/coding.json.
#include "libcore/families/pc/coding/codec.hpp"
#include "libcore/families/pc/structures/structures.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_message.hpp"
#include "tests/support/held_circuit.hpp"
#include "tests/support/toy_codings.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace logpx::coding_schemes_test {

using namespace logpx::codec;
using testing::HeldCircuit;

namespace {

std::vector<float> floats_of(const Json& list) {
  const std::vector<double> reals = golden::reals_of(list);
  return {reals.begin(), reals.end()};
}
std::size_t size_of(const Json& item, const char* name) {
  return static_cast<std::size_t>(item.at(name).integer());
}

// The model of field vae_bbans.
toy::Vae golden_vae(const Json& item) {
  toy::Vae::Weights w;
  w.pixels = size_of(item, "J");
  w.latents = size_of(item, "D");
  w.hidden = size_of(item, "H");
  w.likelihood_precision = static_cast<int>(item.at("lik_r").integer());
  if (w.pixels != item.at("dec_c2").size()) std::swap(w.pixels, w.latents);
  w.enc_w1 = floats_of(item.at("enc_W1"));
  w.enc_b1 = floats_of(item.at("enc_b1"));
  w.enc_wmu = floats_of(item.at("enc_Wmu"));
  w.enc_bmu = floats_of(item.at("enc_bmu"));
  w.enc_wlv = floats_of(item.at("enc_Wlv"));
  w.enc_blv = floats_of(item.at("enc_blv"));
  w.dec_u1 = floats_of(item.at("dec_U1"));
  w.dec_c1 = floats_of(item.at("dec_c1"));
  w.dec_u2 = floats_of(item.at("dec_U2"));
  w.dec_c2 = floats_of(item.at("dec_c2"));
  return toy::Vae(std::move(w));
}

BitsBackSettings golden_settings(const Json& item, const toy::Vae& vae) {
  Workers workers(1);
  return {standard_bins(vae.latents(), static_cast<int>(item.at("b").integer()), workers),
          static_cast<int>(item.at("r").integer())};
}

void check_reals(std::span<const double> computed, const Json& expected) {
  const std::vector<double> reals = golden::reals_of(expected);
  REQUIRE(computed.size() == reals.size());
  for (std::size_t i = 0; i < reals.size(); ++i) CHECK(golden::same_bits(computed[i], reals[i]));
}

// Coding the items into a new message, last one first, gives the golden message, which decodes to
// them.
void check_coded(const Scheme& scheme, std::span<const std::uint8_t> items, const Json& item,
                 const char* state) {
  Message message(1);
  Costs costs;
  scheme.encode(message, items, 0, costs);
  golden::check_message(message, item, state);
  if (const Json* hex = item.find("serialized_hex"))
    CHECK(golden::hex_of(message.serialise()) == hex->string());
  Message read = Message::parse(message.serialise(), 1);
  std::vector<std::uint8_t> decoded(items.size());
  scheme.decode(read, decoded, 0);
  CHECK(decoded == std::vector<std::uint8_t>(items.begin(), items.end()));
  read.check_end(message.borrowed());
}

// Lists of items in encode order, as the block holds them.
std::vector<std::uint8_t> reversed(const std::vector<std::vector<std::uint8_t>>& items) {
  std::vector<std::uint8_t> all;
  for (auto item = items.rbegin(); item != items.rend(); ++item)
    all.insert(all.end(), item->begin(), item->end());
  return all;
}

std::vector<std::vector<std::uint8_t>> images_of(const Json& steps) {
  std::vector<std::vector<std::uint8_t>> images;
  for (const Json& step : steps.items())
    images.push_back(golden::bytes_of(step.is_array() ? step : step.at("x")));
  return images;
}

// The three stages of one step of vae_bbans, one after another.
void check_stages(Message& message, const Json& step, const toy::Vae& vae,
                  const BitsBackSettings& settings) {
  const BitsBack scheme(vae, settings);
  LatentVariables v;
  v.x = golden::bytes_of(step.at("x"));
  scheme.know_posterior(v);
  check_reals(v.mean, step.at("mu"));
  check_reals(v.deviation, step.at("sigma"));
  v.bins.resize(vae.latents());
  pop_vector(message, std::span(v.bins), [&](std::size_t d) {
    return PosteriorBins(*settings.bins[d], {v.mean[d], v.deviation[d]}, settings.precision);
  });
  CHECK(v.bins == golden::words_of(step.at("latent_bins")));
  CHECK(std::to_string(message.state()) == step.at("state_after_posterior_pop").string());
  std::vector<float> z;
  for (std::size_t d = 0; d < v.bins.size(); ++d)
    z.push_back(static_cast<float>(settings.bins[d]->centres[v.bins[d]]));
  check_reals(vae.probabilities(z), step.at("p"));
  vae.likelihood(z)->push(message, v.x);
  CHECK(std::to_string(message.state()) == step.at("state_after_likelihood").string());
  push_vector(message, std::span<const std::uint32_t>(v.bins),
              [&](std::size_t d) { return UniformBits{settings.bins[d]->bits}; });
  CHECK(std::to_string(message.state()) == step.at("state_after_prior").string());
  CHECK(message.words().size() == size_of(step, "words"));
  CHECK(message.borrowed() == size_of(step, "borrowed"));
}

}  // namespace

TEST_CASE("golden/coding/vae_bbans") {
  const Json* item = golden::field("coding", "vae_bbans");
  if (!item) return;
  const toy::Vae vae = golden_vae(*item);
  const BitsBackSettings settings = golden_settings(*item, vae);
  Message message(1);
  for (const Json& step : item->at("steps").items()) check_stages(message, step, vae, settings);
  check_coded(BitsBack(vae, settings), reversed(images_of(item->at("steps"))), *item,
              "final_state");
}

TEST_CASE("golden/coding/vae_particles") {
  const Json* item = golden::field("coding", "vae_particles");
  const Json* model = golden::field("coding", "vae_bbans");
  if (!item || !model) return;
  const toy::Vae vae = golden_vae(*model);
  const Particles scheme(vae, golden_settings(*model, vae),
                         static_cast<std::uint32_t>(item->at("K").integer()));
  const auto images = images_of(model->at("steps"));
  for (std::size_t i = 0; i < item->at("steps").size(); ++i) {
    const Json& step = item->at("steps").at(i);
    LatentVariables v;
    v.x = images[i];
    scheme.know_posterior(v);
    v.shared = golden::words_of(step.at("u"));
    CHECK(scheme.choices(v).bounds() == golden::words_of(step.at("weights_F")));
    const auto first =
        v.all_bins.begin() + step.at("k").integer() * static_cast<std::int64_t>(vae.latents());
    CHECK(std::vector<std::uint32_t>(first, first + static_cast<std::int64_t>(vae.latents())) ==
          golden::words_of(step.at("bins")));
  }
  check_coded(scheme, reversed(images), *item, "state");
}

namespace {

// The fixture, and the same as a circuit.
toy::Hmm hmm_of(const Json& item) {
  toy::Hmm::Weights w;
  w.states = item.at("pi").size();
  w.symbols = item.at("B").at(0).size();
  w.length = item.at("x").size();
  w.pi = golden::reals_of(item.at("pi"));
  w.a = golden::reals_of(item.at("A"));
  w.b = golden::reals_of(item.at("B"));
  return toy::Hmm(std::move(w));
}
HeldCircuit circuit_of(const Json& item) {
  const auto states = static_cast<std::int64_t>(item.at("pi").size());
  const auto symbols = static_cast<std::int64_t>(item.at("B").at(0).size());
  HeldCircuit held(pc::hidden_markov({"x", symbols}, pc::square_sum(states, {})));
  held.set("root/w", golden::reals_of(item.at("pi")));
  held.set("transition/w", golden::reals_of(item.at("A")));
  held.set("emission/p", golden::reals_of(item.at("B")));
  return held;
}

}  // namespace

TEST_CASE("golden/coding/hmm_exact") {
  const Json* item = golden::field("coding", "hmm_exact");
  if (!item) return;
  const auto x = golden::bytes_of(item->at("x"));
  const auto precision = static_cast<int>(item->at("r").integer());
  const toy::Hmm hmm = hmm_of(*item);
  const HeldCircuit held = circuit_of(*item);
  std::vector<std::size_t> steps(x.size());
  std::iota(steps.begin(), steps.end(), std::size_t{0});
  const pc::CircuitCoding circuit({held.plan, held.theta, steps});
  for (const SequenceCoding* coding :
       {static_cast<const SequenceCoding*>(&hmm), static_cast<const SequenceCoding*>(&circuit)}) {
    const auto state = coding->start();
    state->begin(1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(Table::leaky(state->weights(1), precision).bounds() ==
            golden::words_of(item->at("F").at(i)));
      const std::uint32_t symbol = x[i];
      state->advance(std::span(&symbol, 1));
    }
    check_coded(Sequential(*coding, {.precision = precision}), x, *item, "state");
  }
}

TEST_CASE("golden/coding/codebook") {
  const Json* item = golden::field("coding", "codebook");
  if (!item) return;
  const toy::BernoulliBook book(static_cast<std::uint32_t>(item->at("N").integer()),
                                golden::reals_of(item->at("p")),
                                static_cast<int>(item->at("lik_r").integer()));
  const Codebook scheme(book);
  const auto images = images_of(item->at("images"));
  const Table first = scheme.posterior(images[0]);
  REQUIRE(first.precision() == item->at("r").integer());
  CHECK(first.bounds() == golden::words_of(item->at("F_first")));
  Message message(1);
  Costs costs;
  for (std::size_t i = 0; i < images.size(); ++i) {
    Message copy = message;
    CHECK(pop(copy, scheme.posterior(images[i])) ==
          static_cast<std::uint32_t>(item->at("index").at(i).integer()));
    scheme.encode(message, images[i], 0, costs);
  }
  check_coded(scheme, reversed(images), *item, "state");
}

TEST_CASE("golden/coding/lo_arm") {
  const Json* item = golden::field("coding", "lo_arm");
  if (!item) return;
  const toy::LoArm arm(golden::reals_of(item->at("g")), golden::reals_of(item->at("theta")));
  REQUIRE(arm.item_size() == size_of(*item, "L"));
  const auto x = golden::bytes_of(item->at("x"));
  const auto order = golden::words_of(item->at("order"));
  // A decoder fills the item in the golden order.
  Message message(1);
  Costs costs;
  LatentOrder(arm).encode(message, x, 0, costs);
  const auto walk = arm.walk();
  std::vector<std::uint32_t> remaining;
  for (std::uint32_t i = 0; i < x.size(); ++i) remaining.push_back(i);
  walk->start_item(remaining);
  for (const std::uint32_t position : order) {
    std::vector<double> weights(remaining.size());
    walk->order_weights(remaining, weights);
    const std::uint32_t index = pop(message, Table::leaky(weights, 20));
    CHECK(remaining[index] == position);
    remaining.erase(remaining.begin() + index);
    CHECK(pop(message, std::get<Bernoulli>(walk->symbol(position))) == x[position]);
    walk->place(position, x[position]);
  }
  check_coded(LatentOrder(arm), x, *item, "state");
}

TEST_CASE("golden/coding/bitswap") {
  const Json* item = golden::field("coding", "bitswap");
  if (!item) return;
  const Lattice lattice{{golden::real(item->at("lo")), golden::real(item->at("h")),
                         static_cast<std::uint32_t>(item->at("n").integer())},
                        static_cast<std::uint32_t>(item->at("window").integer())};
  const auto precision = static_cast<int>(item->at("r").integer());
  const toy::Chain chain(size_of(*item, "levels"), lattice);
  std::vector<std::vector<std::uint8_t>> items;
  for (const Json& x : item->at("x").items())
    items.push_back({static_cast<std::uint8_t>(x.integer())});
  const BitSwap scheme(chain, precision);
  Message message(1);
  Costs costs;
  for (std::size_t i = 0; i < items.size(); ++i) {
    // The cells that encoding draws, by its steps.
    Message copy = message;
    std::vector<std::uint32_t> cells;
    std::vector<double> z, mean(1), deviation(1);
    for (std::size_t level = 0; level < chain.levels(); ++level) {
      if (level == 0) chain.first(items[i], {mean, deviation});
      else chain.up(level, z, {mean, deviation});
      cells.push_back(
          pop(copy, LatticeNormal(lattice, {mean[0], deviation[0]}, precision, Leak::none)));
      const std::vector<double> below = z;
      z = {lattice.cells.centre(cells.back())};
      if (level == 0) {
        chain.likelihood(z)->push(copy, items[i]);
        continue;
      }
      chain.down(level - 1, z, {mean, deviation});
      push(copy, LatticeNormal(lattice, {mean[0], deviation[0]}, precision, Leak::kept),
           cells[level - 1]);
    }
    CHECK(cells == golden::words_of(item->at("cells").at(i)));
    scheme.encode(message, items[i], 0, costs);
  }
  check_coded(scheme, reversed(items), *item, "state");
}

}  // namespace logpx::coding_schemes_test
