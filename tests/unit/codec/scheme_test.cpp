// Every scheme by the one test of tests/support/scheme_check.hpp, and its length against the
// model's own score.
#include "libcore/codec/scheme.hpp"

#include "libcore/base/error.hpp"
#include "libcore/det/draws.hpp"
#include "tests/support/scheme_check.hpp"
#include "tests/support/toy_codings.hpp"
#include "tests/support/toy_components.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace logpx::scheme_test {

using namespace logpx::codec;

namespace {

const toy::Vae& vae() {
  static const toy::Vae model = toy::Vae::random(30, 3, 8);
  return model;
}

BitsBackSettings settings(int bits, int precision = 24) {
  Workers workers(2);
  return {standard_bins(vae().latents(), bits, workers), precision};
}

const Lattice lattice{{-4, 1.0 / 16, 128}, 32};

// Images that the VAE finds likely: its own means, thresholded with noise.
std::vector<std::uint8_t> vae_items(std::size_t count) {
  Cursor random(Rng(7).stream(Stream::test, 710));
  DrawCursor draws(Rng(7).stream(Stream::test, 711));
  std::vector<std::uint8_t> items;
  std::vector<float> z(vae().latents());
  for (std::size_t i = 0; i < count; ++i) {
    for (float& v : z) v = static_cast<float>(draws.normal());
    for (const double p : vae().probabilities(z)) items.push_back(random.uniform() < p);
  }
  return items;
}

}  // namespace

TEST_CASE("scheme: bits back with one layer returns every item and message") {
  for (const int bits : {1, 6, 12}) {
    check_inverse(BitsBack(vae(), settings(bits)), random_symbols(9 * 30, 2));
    check_inverse(BitsBack(vae(), settings(bits, 16)), vae_items(9));
  }
}

TEST_CASE("scheme: particles return every item and message") {
  for (const std::uint32_t count : {1u, 2u, 5u})
    check_inverse(Particles(vae(), settings(8, 20), count), random_symbols(9 * 30, 2));
}

TEST_CASE("scheme: under a prior of components every item returns, at the length of its density") {
  const toy::OfComponents coding(vae());
  check_inverse(BitsBack(coding, settings(6)), random_symbols(9 * 30, 2));
  check_inverse(Particles(coding, settings(8, 20), 3), random_symbols(9 * 30, 2));
  const std::vector<std::uint8_t> items = vae_items(1000);
  check_length(BitsBack(coding, settings(12)), items, 0.002);
  check_length(Particles(coding, settings(12), 4), items, 0.002);
}

TEST_CASE("scheme: bins of a tabulated prior serve bits back as those of the normal do") {
  const std::vector<double> grid = {-2, -1, 0, 1, 2}, cdf = {0, 0.3, 0.4, 0.9, 1};
  const Bins bins = tabulated_bins({grid, cdf}, 8);
  const BitsBack scheme(vae(), {{&bins, &bins, &bins}, 24});
  check_inverse(scheme, random_symbols(9 * 30, 2));
  check_length(scheme, vae_items(1000), 0.002);
}

TEST_CASE("scheme: levels return every item and message in both orders") {
  for (const std::size_t levels : {1u, 2u, 6u}) {
    const toy::Chain chain(levels, lattice);
    check_inverse(BitSwap(chain, 24), random_symbols(40, 8));
  }
  Workers workers(2);
  const toy::Hierarchy hierarchy;
  check_inverse(TopDown(hierarchy, normal_bins(8, workers), 24), random_symbols(40, 8));
}

TEST_CASE("scheme: exact sequences return every item with and without carry") {
  const toy::Hmm hmm = toy::Hmm::random(20);
  for (const Carry carry : {Carry::none, Carry::state})
    check_inverse(Sequential(hmm, {.carry = carry, .precision = 20}), random_symbols(20 * 15, 5));
  check_length(Sequential(hmm, {.precision = 20}), random_symbols(20 * 400, 5), 1e-4);
}

TEST_CASE("scheme: orders return every item whether latent or known") {
  const toy::LoArm arm = toy::LoArm::random(7);
  check_inverse(LatentOrder(arm), random_symbols(7 * 15, 2));
  for (const auto kind :
       {KnownOrderKind::greedy, KnownOrderKind::ascending, KnownOrderKind::permuted})
    check_inverse(KnownOrder(arm, kind), random_symbols(7 * 15, 2));
  check_inverse(KnownOrder(arm, KnownOrderKind::permuted, {2, 5, 7}), random_symbols(7 * 15, 2));
}

TEST_CASE("scheme: the last item of a block may be shorter than the others") {
  for (const std::size_t rest : {std::size_t{1}, std::size_t{6}}) {
    for (const std::size_t whole : {std::size_t{0}, std::size_t{3}}) {
      const toy::Hmm hmm = toy::Hmm::random(20);
      for (const Carry carry : {Carry::none, Carry::state})
        check_inverse(Sequential(hmm, {.carry = carry, .precision = 20}),
                      random_symbols(20 * whole + rest, 5));
      const toy::LoArm arm = toy::LoArm::random(7);
      const auto bits = random_symbols(7 * whole + rest, 2);
      check_inverse(LatentOrder(arm), bits);
      check_inverse(KnownOrder(arm, KnownOrderKind::permuted, {2, 5, 7}), bits);
      for (const auto kind :
           {KnownOrderKind::greedy, KnownOrderKind::ascending, KnownOrderKind::permuted})
        check_inverse(KnownOrder(arm, kind), bits);
    }
  }
}

TEST_CASE("scheme: a shorter item costs what it is scored") {
  const toy::Hmm hmm = toy::Hmm::random(20);
  const Sequential scheme(hmm);
  const auto symbols = random_symbols(20 + 7, 5);
  std::vector<double> together(2), alone(1);
  scheme.score(symbols, Rng(1), 0, together);
  scheme.score(std::span(symbols).last(7), Rng(1), 0, alone);
  CHECK(alone[0] == together[1]);
  Message message(1);
  Costs costs;
  scheme.encode(message, symbols, 0, costs);
  const double bound = -(together[0] + together[1]) / 0.6931471805599453;
  CHECK(costs.total() == doctest::Approx(bound).epsilon(1e-3));
}

TEST_CASE("scheme: a codebook returns every item at the exact length of its mixture") {
  const toy::BernoulliBook book = toy::BernoulliBook::random(20, 16);
  const Codebook scheme(book);
  check_inverse(scheme, random_symbols(16 * 15, 2));
  check_length(scheme, random_symbols(16 * 2000, 2), 1e-4);
}

TEST_CASE("scheme: the length of bits back is the bound by the same numbers") {
  check_length(BitsBack(vae(), settings(16)), vae_items(4000), 0.002);
  const toy::Chain chain(3, {{-8, 1.0 / 64, 1024}, 512}, 60);
  check_length(BitSwap(chain, 24), random_symbols(60 * 300, 8), 0.002);
  Workers workers(2);
  const toy::Hierarchy hierarchy;
  check_length(TopDown(hierarchy, normal_bins(14, workers), 24), random_symbols(8000, 8), 0.002);
  const toy::LoArm arm = toy::LoArm::random(7);
  check_length(LatentOrder(arm), random_symbols(7 * 4000, 2), 0.002);
  for (const auto kind : {KnownOrderKind::greedy, KnownOrderKind::permuted})
    check_length(KnownOrder(arm, kind), random_symbols(7 * 400, 2), 1e-4);
}

TEST_CASE("scheme: more particles code shorter, as their bound says") {
  const auto items = vae_items(1500);
  double last = 0;
  for (const std::uint32_t count : {1u, 4u, 16u}) {
    const Particles scheme(vae(), settings(12), count);
    Message message(1);
    Costs costs;
    scheme.encode(message, items, 0, costs);
    if (last > 0) CHECK(costs.total() < 0.95 * last);
    last = costs.total();
    check_length(scheme, items, 0.002);
  }
}

TEST_CASE("scheme: an item codes to the same bits alone and among others") {
  const BitsBack scheme(vae(), settings(10));
  const auto items = vae_items(70);
  Message together(1), alone(1);
  Costs costs;
  scheme.encode(together, items, 0, costs);
  for (std::size_t i = 70; i-- > 0;)
    scheme.encode(alone, std::span(items).subspan(i * 30, 30), 0, costs);
  CHECK(together == alone);
}

TEST_CASE("scheme: flipped bits end in other items or in corrupt data, never in a crash") {
  const toy::Hmm hmm = toy::Hmm::random(20);
  const toy::LoArm arm = toy::LoArm::random(7);
  const toy::Chain chain(3, lattice);
  const toy::BernoulliBook book = toy::BernoulliBook::random(20, 16);
  const BitsBack bits_back(vae(), settings(10));
  const Particles particles(vae(), settings(10), 3);
  const Sequential sequential(hmm, {.interleave = 4, .precision = 20});
  const LatentOrder order(arm);
  const BitSwap swap(chain, 24);
  const Codebook codebook(book);
  const Scheme* const schemes[] = {&bits_back, &particles, &sequential, &order, &swap, &codebook};
  for (const Scheme* scheme : schemes) {
    const std::vector<std::uint8_t> items = random_symbols(6 * scheme->item_size(), 2);
    Message message(1);
    Costs costs;
    scheme->encode(message, items, 0, costs);
    const std::vector<std::byte> good = message.serialise();
    for (std::size_t i = 0; i < 8 * good.size(); ++i) {
      auto bytes = good;
      bytes[i / 8] ^= static_cast<std::byte>(1u << i % 8);
      std::vector<std::uint8_t> decoded(items.size());
      try {
        Message read = Message::parse(bytes, 1);
        scheme->decode(read, decoded, 0);
        read.check_end(message.borrowed());
        CHECK(false);
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::data);
      }
    }
  }
}

TEST_CASE("scheme: what a model cannot go on from is its error encoding, corrupt data decoding") {
  // After symbol 1, which has no weight, no state is left.
  const toy::Hmm hmm({.states = 1, .symbols = 2, .length = 3, .pi = {1}, .a = {1}, .b = {1, 0}});
  const Sequential scheme(hmm, {.precision = 12});
  const std::vector<std::uint8_t> odd = {0, 1, 0};
  Message message(1);
  Costs costs;
  const auto kind_of = [](auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::usage;
  };
  CHECK(kind_of([&] { scheme.encode(message, odd, 0, costs); }) == ErrorKind::numeric);
  const Table table = Table::leaky(std::vector<double>{1, 0}, 12);
  push_vector(message, std::span<const std::uint8_t>(odd),
              [&](std::size_t) -> const Table& { return table; });
  Message read = Message::parse(message.serialise(), 1);
  std::vector<std::uint8_t> decoded(3);
  CHECK(kind_of([&] { scheme.decode(read, decoded, 0); }) == ErrorKind::data);
}

TEST_CASE("scheme: orders of blocks are permutations that differ from block to block") {
  std::vector<std::uint32_t> order = block_order(100, 0);
  CHECK(order != block_order(100, 1));
  CHECK(order == block_order(100, 0));
  std::sort(order.begin(), order.end());
  for (std::uint32_t i = 0; i < 100; ++i) CHECK(order[i] == i);
}

TEST_CASE("scheme: a symbol outside the alphabet is refused by name") {
  const toy::Hmm hmm = toy::Hmm::random(4);
  const Sequential scheme(hmm);
  Message message(1);
  Costs costs;
  const std::vector<std::uint8_t> items = {0, 1, 5, 2};
  CHECK_THROWS_WITH_AS(scheme.encode(message, items, 0, costs),
                       "symbol 5 is outside the model's alphabet of 5", Error);
}

}  // namespace logpx::scheme_test
