#include "libcore/codec/sequence.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/tables.hpp"
#include "tests/support/patch_tree.hpp"
#include "tests/support/scheme_check.hpp"
#include "tests/support/toy_codings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

namespace logpx::sequence_test {

using namespace logpx::codec;

namespace {

std::vector<double> scores(const SequenceCoding& coding, std::span<const std::uint8_t> items,
                           SequenceSettings settings) {
  const Sequential scheme(coding, settings);
  std::vector<double> nats(scheme.items_in(items.size()));
  scheme.score(items, Rng(1), 0, nats);
  return nats;
}

double coded_bits(const SequenceCoding& coding, std::span<const std::uint8_t> items,
                  SequenceSettings settings) {
  Message message(1);
  Costs costs;
  Sequential(coding, settings).encode(message, items, 0, costs);
  return costs.total();
}

std::vector<std::size_t> sizes_of(const std::vector<SequenceRound>& rounds) {
  std::vector<std::size_t> sizes;
  for (const SequenceRound& round : rounds) sizes.push_back(round.items.size());
  return sizes;
}

}  // namespace

TEST_CASE("sequence: items go W at a time, and begin afresh each time") {
  const auto rounds = rounds_of(5, {.interleave = 2});
  CHECK(sizes_of(rounds) == std::vector<std::size_t>{2, 2, 1});
  CHECK(rounds[1].items == std::vector<std::size_t>{2, 3});
  for (const SequenceRound& round : rounds) CHECK(round.begins);
  CHECK(rounds_of(0, {}).empty());
}

TEST_CASE(
    "sequence: with carry each strand is a run of neighbours, and short texts are one strand") {
  const auto rounds = rounds_of(51, {.interleave = 3, .carry = Carry::state});
  CHECK(rounds.size() == 17);
  CHECK(rounds[0].items == std::vector<std::size_t>{0, 17, 34});
  CHECK(rounds[16].items == std::vector<std::size_t>{16, 33, 50});
  const auto uneven = rounds_of(50, {.interleave = 3, .carry = Carry::state});
  CHECK(uneven[0].items == std::vector<std::size_t>{0, 17, 34});
  CHECK(uneven[16].items == std::vector<std::size_t>{16, 33});
  for (std::size_t r = 0; r < uneven.size(); ++r) CHECK(uneven[r].begins == (r == 0));
  CHECK(sizes_of(rounds_of(31, {.interleave = 64, .carry = Carry::state})) ==
        std::vector<std::size_t>(31, 1));
}

TEST_CASE(
    "sequence: what is coded in step comes back, whatever W and wherever the last item ends") {
  const toy::Hmm hmm = toy::Hmm::random(7);
  for (const std::size_t interleave : {1u, 2u, 5u, 256u})
    for (const Carry carry : {Carry::none, Carry::state})
      for (const std::size_t symbols : {0u, 1u, 7u, 13u, 7u * 11, 7u * 37 + 2, 7u * 48 + 6})
        check_inverse(Sequential(hmm, {.interleave = interleave, .carry = carry}),
                      random_symbols(symbols, 5));
}

TEST_CASE("sequence: symbols are ordered position by position over the items in step") {
  const toy::Hmm hmm = toy::Hmm::random(2);
  const std::vector<std::uint8_t> items = {3, 1, 0, 4, 2};  // the third one ends early
  Message message(1), by_hand(1);
  Costs costs;
  Sequential(hmm, {.interleave = 3}).encode(message, items, 0, costs);
  const auto tables = [&](std::vector<std::uint32_t> item) {
    std::vector<Slot> slots;
    const auto state = hmm.start();
    state->begin(1);
    for (const std::uint32_t symbol : item) {
      slots.push_back(slot_of(Table::leaky(state->weights(1), 24), symbol));
      state->advance(std::span(&symbol, 1));
    }
    return slots;
  };
  const auto first = tables({3, 1}), second = tables({0, 4}), third = tables({2});
  for (const Slot& slot : {second[1], first[1], third[0], second[0], first[0]})
    by_hand.push(slot, 24);
  CHECK(message == by_hand);
}

TEST_CASE("sequence: the tables of an item do not depend on how many are in step") {
  const toy::Hmm hmm = toy::Hmm::random(7);
  const toy::PatchTree tree;
  const auto text = random_symbols(7 * 90 + 3, 5), patches = random_symbols(6 * 40, 256);
  for (const std::size_t interleave : {2u, 64u, 256u}) {
    CHECK(scores(hmm, text, {.interleave = interleave}) == scores(hmm, text, {}));
    CHECK(scores(tree, patches, {.interleave = interleave}) == scores(tree, patches, {}));
    CHECK(std::fabs(coded_bits(hmm, text, {.interleave = interleave}) - coded_bits(hmm, text, {})) <
          1);
  }
}

TEST_CASE("sequence: one strand with carry is one long sequence") {
  const auto text = random_symbols(7 * 20, 5);
  const std::vector<double> windows = scores(toy::Hmm::random(7), text, {.carry = Carry::state});
  const std::vector<double> whole = scores(toy::Hmm::random(7 * 20), text, {});
  CHECK(std::accumulate(windows.begin(), windows.end(), 0.0) ==
        doctest::Approx(whole[0]).epsilon(1e-13));
  CHECK(windows[0] == scores(toy::Hmm::random(7), text, {})[0]);
  CHECK(windows[1] != scores(toy::Hmm::random(7), text, {})[1]);
}

TEST_CASE("sequence: a tree's symbols in its own order cost what the patch is worth") {
  const toy::PatchTree tree;
  const auto patches = random_symbols(6 * 50, 256);
  const std::vector<double> nats = scores(tree, patches, {.interleave = 8});
  double bits = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    const double whole = tree.log_p(std::span(patches).subspan(6 * i, 6));
    CHECK(nats[i] == doctest::Approx(whole).epsilon(1e-12));
    bits -= whole / std::log(2.0);
  }
  CHECK(coded_bits(tree, patches, {.interleave = 8}) == doctest::Approx(bits).epsilon(1e-3));
}

TEST_CASE("sequence: patches come back through YCoCg-R and as they are") {
  const auto patches = random_symbols(6 * 21, 256);
  for (const Transform transform : {Transform::ycocg_r, Transform::none})
    for (const std::size_t interleave : {1u, 16u})
      check_inverse(Sequential(toy::PatchTree(transform), {.interleave = interleave}), patches);
}

TEST_CASE("sequence: symbols that no bytes give are corrupt data") {
  struct Loose final : toy::PatchTree {
    void to_symbols(std::span<const std::uint8_t>,
                    std::span<std::uint32_t> symbols) const override {
      std::ranges::fill(symbols, 510u);  // Cg = 255 with Co = 255
      symbols[0] = symbols[1] = 255;
    }
  };
  const std::vector<std::uint8_t> item(6);
  Message message(1);
  Costs costs;
  Sequential(Loose()).encode(message, item, 0, costs);
  std::vector<std::uint8_t> decoded(6);
  try {
    Sequential(toy::PatchTree()).decode(message, decoded, 0);
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(std::string(error.what()).find("symbols that no item has") != std::string::npos);
  }
}

}  // namespace logpx::sequence_test
