#include "libcore/codec/item_set.hpp"

#include "libcore/base/error.hpp"
#include "libcore/codec/direct.hpp"
#include "libcore/codec/ranked_items.hpp"
#include "tests/support/scheme_check.hpp"
#include "tests/support/toy_codings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace logpx::item_set_test {

using namespace logpx::codec;

namespace {

using Items = std::vector<std::uint8_t>;

// Symbols of known chances, each an item.
class Letters final : public Scheme {
 public:
  [[nodiscard]] std::size_t item_size() const override { return 1; }
  void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t,
              Costs& costs) const override {
    const double before = message.bits();
    for (std::size_t i = items.size(); i-- > 0;) push(message, table_, items[i]);
    costs.of(Part::likelihood) += message.bits() - before;
  }
  void decode(Message& message, std::span<std::uint8_t> items, std::uint64_t) const override {
    for (std::uint8_t& item : items) item = static_cast<std::uint8_t>(pop(message, table_));
  }
  void score(std::span<const std::uint8_t> items, Rng, std::uint32_t,
             std::span<double> nats) const override {
    for (std::size_t i = 0; i < nats.size(); ++i) nats[i] = log_probability(table_, items[i]);
  }

 private:
  Table table_ = Table::leaky(std::vector<double>{1, 2, 5}, 24);
};

// A number below nine is one of three letters, by its remainder, and a label: 0 has three labels, 1
// has two.
class Thirds final : public ItemLabels {
 public:
  void settle(std::span<std::uint8_t> item) const override { item[0] %= 3; }
  void draw(Message& message, std::span<std::uint8_t> item) const override {
    item[0] = static_cast<std::uint8_t>(item[0] + 3 * message.pop_uniform(ways(item[0])));
  }
  void give_back(Message& message, std::span<std::uint8_t> item) const override {
    message.push_uniform(item[0] / 3u, ways(item[0] % 3));
    item[0] %= 3;
  }
  [[nodiscard]] double nats(std::span<const std::uint8_t> item) const override {
    return std::log(ways(item[0]));
  }

 private:
  static std::uint32_t ways(unsigned letter) { return 3 - letter; }
};
class Labelled final : public Scheme {
 public:
  [[nodiscard]] std::size_t item_size() const override { return 1; }
  void encode(Message& message, std::span<const std::uint8_t> items, std::uint64_t,
              Costs& costs) const override {
    const double before = message.bits();
    for (std::size_t i = items.size(); i-- > 0;) message.push_uniform(items[i], 9);
    costs.of(Part::likelihood) += message.bits() - before;
  }
  void decode(Message& message, std::span<std::uint8_t> items, std::uint64_t) const override {
    for (std::uint8_t& item : items) item = static_cast<std::uint8_t>(message.pop_uniform(9));
  }
  void score(std::span<const std::uint8_t>, Rng, std::uint32_t,
             std::span<double> nats) const override {
    std::ranges::fill(nats, -std::log(9.0));
  }
};

ItemSet of_letters() { return {std::make_unique<Letters>(), nullptr}; }

// log2 of N! over m! of every kind of item.
double log2_orders(const Items& items) {
  std::map<std::uint8_t, double> counts;
  for (const std::uint8_t item : items) ++counts[item];
  double nats = std::lgamma(static_cast<double>(items.size()) + 1);
  for (const auto& [item, count] : counts) nats -= std::lgamma(count + 1);
  return nats / std::log(2.0);
}

// Every multiset of up to six letters of three.
std::vector<Items> all_multisets() {
  std::vector<Items> all;
  for (std::size_t zeros = 0; zeros <= 6; ++zeros)
    for (std::size_t ones = 0; zeros + ones <= 6; ++ones)
      for (std::size_t twos = 0; zeros + ones + twos <= 6; ++twos) {
        Items items(zeros, 0);
        items.resize(zeros + ones, 1);
        items.resize(zeros + ones + twos, 2);
        all.push_back(items);
      }
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

TEST_CASE("codec: the order of a set's items gives back log2 N! bits, less those of equal items") {
  const ItemSet set = of_letters();
  for (const Items& items : all_multisets()) {
    Message message;
    message.push_bits(5, 20);
    message.push_bits(7, 20);
    const Message before = message;
    Costs costs, in_order;
    set.encode(message, items, 0, costs);
    CHECK(-costs.of(Part::order) == doctest::Approx(log2_orders(items)).epsilon(1e-6));
    CHECK(costs.of(Part::labels) == 0);
    Message listed;
    Letters().encode(listed, items, 0, in_order);
    CHECK(costs.total() == doctest::Approx(in_order.total() - log2_orders(items)).epsilon(1e-3));
    CHECK(message.bits() - before.bits() == doctest::Approx(costs.total()).epsilon(1e-6));
    Items decoded(items.size());
    set.decode(message, decoded, 0);
    CHECK(decoded == items);
    CHECK(message == before);
  }
}

TEST_CASE("codec: sets of none to 10,000 rows come back, all alike or all different") {
  constexpr std::size_t size = 14;
  const toy::LoArm bits = toy::LoArm::random(size);
  const ItemSet set(std::make_unique<KnownOrder>(bits, KnownOrderKind::permuted), nullptr);
  for (const std::size_t count : {0, 1, 2, 10000})
    for (const bool alike : {true, false}) {
      Items items;
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t bit = size; bit-- > 0;)
          items.push_back(static_cast<std::uint8_t>((alike ? 5000 : i) >> bit & 1));
      Message message;
      Costs costs;
      set.encode(message, items, 0, costs);
      const double orders = alike ? 0 : std::lgamma(static_cast<double>(count) + 1) / std::log(2.0);
      CHECK(-costs.of(Part::order) == doctest::Approx(orders).epsilon(1e-3));
      Message received = Message::parse(message.serialise(), 1);
      Items decoded(items.size());
      set.decode(received, decoded, 0);
      received.check_end(message.borrowed());
      CHECK(decoded == items);
    }
}

TEST_CASE("codec: labels of a set's items give back the bits that they are drawn by") {
  const ItemSet set(std::make_unique<Labelled>(), std::make_unique<Thirds>());
  for (const Items& items : all_multisets()) {
    Message message;
    Costs costs;
    set.encode(message, items, 0, costs);
    double labels = 0;
    for (const std::uint8_t item : items) labels += std::log2(3 - item);
    CHECK(-costs.of(Part::labels) == doctest::Approx(labels).epsilon(1e-6));
    std::vector<double> nats(items.size());
    set.score(items, Rng(1), 0, nats);
    const double scored = -std::accumulate(nats.begin(), nats.end(), 0.0) / std::log(2.0);
    CHECK(costs.total() == doctest::Approx(scored).epsilon(1e-5));
    Message received = Message::parse(message.serialise(), 1);
    Items decoded(items.size());
    set.decode(received, decoded, 0);
    received.check_end(message.borrowed());
    CHECK(decoded == items);
  }
}

TEST_CASE("codec: a set of items with latents or in any order comes back, as long as its scores") {
  const toy::LoArm any_order = toy::LoArm::random(5);
  const toy::Vae vae = toy::Vae::random(12, 3, 4);
  const auto check = [](std::unique_ptr<const Scheme> items, std::uint32_t alphabet) {
    const std::size_t size = items->item_size(), count = 60;
    const Items drawn = random_symbols(count * size, alphabet);
    std::vector<Items> rows;
    for (std::size_t i = 0; i < count; ++i)
      rows.emplace_back(drawn.begin() + static_cast<std::ptrdiff_t>(i * size),
                        drawn.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
    std::ranges::sort(rows);
    Items sorted;
    for (const Items& row : rows) sorted.insert(sorted.end(), row.begin(), row.end());
    const ItemSet set(std::move(items), nullptr);
    check_inverse(set, sorted);
  };
  check(std::make_unique<LatentOrder>(any_order), 2);
  check(std::make_unique<KnownOrder>(any_order, KnownOrderKind::permuted), 2);
  Workers workers(1);
  const BitsBackSettings settings{.bins = standard_bins(3, 12, workers)};
  check(std::make_unique<BitsBack>(vae, settings), 2);
}

TEST_CASE("codec: what is no set, ascending, settled and whole, is not coded as one") {
  const ItemSet set = of_letters();
  const ItemSet labelled(std::make_unique<Labelled>(), std::make_unique<Thirds>());
  const auto coded = [](const ItemSet& by, const Items& items) {
    return data_trouble([&] {
      Message message;
      Costs costs;
      by.encode(message, items, 0, costs);
    });
  };
  CHECK(coded(set, {0, 0, 1, 2, 2}).empty());
  CHECK(coded(set, {0, 2, 1}) == "holds items that do not ascend");
  CHECK(coded(labelled, {0, 3}) == "holds an item that has other labels than those of a set");
  const toy::LoArm two_bits = toy::LoArm::random(2);
  const ItemSet pairs(std::make_unique<LatentOrder>(two_bits), nullptr);
  CHECK(coded(pairs, {0, 0, 1}) == "ends with a part of an item");
}

TEST_CASE("codec: ranks of many items are those of a sorted list, while they come and go") {
  constexpr std::size_t size = 2;
  Cursor cursor(Substream(19, Stream::test, 0));
  RankedItems ranked(size);
  std::vector<Items> listed;
  for (int step = 0; step < 20000; ++step) {
    const bool takes = !listed.empty() && cursor.below(3) == 0;
    if (!takes) {
      const Items item = {static_cast<std::uint8_t>(cursor.below(90)),
                          static_cast<std::uint8_t>(cursor.below(90))};
      const auto [first, last] = std::ranges::equal_range(listed, item);
      const auto before = static_cast<std::uint32_t>(first - listed.begin());
      const auto equal = static_cast<std::uint32_t>(last - first) + 1;
      listed.insert(first, item);
      const RankedItems::Place place = ranked.add(item);
      REQUIRE(place.before == before);
      REQUIRE(place.equal == equal);
      continue;
    }
    const std::uint32_t rank = cursor.below(static_cast<std::uint32_t>(listed.size()));
    const Items wanted = listed[rank];
    Items item(size);
    const RankedItems::Place place = ranked.take(rank, item);
    REQUIRE(item == wanted);
    const auto [first, last] = std::ranges::equal_range(listed, wanted);
    REQUIRE(place.before == first - listed.begin());
    REQUIRE(place.equal == last - first);
    listed.erase(first);
  }
  Items all(listed.size() * size), expected;
  for (const Items& item : listed) expected.insert(expected.end(), item.begin(), item.end());
  ranked.copy_to(all);
  CHECK(all == expected);
}

}  // namespace logpx::item_set_test
