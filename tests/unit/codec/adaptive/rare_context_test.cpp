// Contexts that are kept as runs while they see one byte alone: they know what trees would know.
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/histories.hpp"
#include "libcore/codec/adaptive/rare_context.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace logpx::rare_context_test {

using namespace logpx::codec::adaptive;

namespace {

// Hashes for which no two contexts of a test share a line or a bucket.
std::uint32_t hash_of_context(std::uint32_t context) { return context * 0x10000000u + 0x1234567u; }

std::uint32_t half_of(std::uint32_t hash, unsigned byte) {
  return hash_of_half(hash, 8 | byte >> 5);
}

// The eight histories on the path of a byte, before it was learned.
using Way = std::array<std::uint8_t, 8>;

void walk_half(std::uint8_t* tree, unsigned half, std::uint8_t* seen) {
  unsigned node = 1;
  for (int shift = 3; shift >= 0; --shift) {
    const std::size_t bit = half >> shift & 1;
    *seen++ = tree[node];
    tree[node] = bit_histories.next[bit][tree[node]];
    node = 2 * node + static_cast<unsigned>(bit);
  }
}

class Trees {
 public:
  Way learn(std::uint32_t hash, std::uint8_t byte) {
    Way seen;
    walk_half(table_.find(hash, 1), byte >> 4, seen.data());
    walk_half(table_.find(half_of(hash, byte), byte >> 4 & 1), byte & 15, seen.data() + 4);
    return seen;
  }

 private:
  HistoryTable table_{4096};
};

class Rare {
 public:
  Way learn(std::uint32_t hash, std::uint8_t byte) {
    Way seen;
    walk_half(context_.first(table_, runs_, hash), byte >> 4, seen.data());
    walk_half(context_.second(table_, half_of(hash, byte), 16u | byte >> 4), byte & 15,
              seen.data() + 4);
    context_.end_byte(table_, runs_, byte);
    return seen;
  }
  [[nodiscard]] bool has_trees() const { return context_.has_trees(); }
  [[nodiscard]] Run run(std::uint32_t hash) const { return runs_.look(hash); }

 private:
  HistoryTable table_{4096};
  RunTable runs_{4096};
  RareContext context_;
};

}  // namespace

TEST_CASE("rare contexts: their histories are those of trees, while they are runs and later") {
  Cursor random(Rng(11).stream(Stream::test, 531));
  for (const std::uint32_t bytes : {1u, 2u, 17u, 256u}) {
    CAPTURE(bytes);
    Trees trees;
    Rare rare;
    for (int i = 0; i < 2000; ++i) {
      const auto hash = hash_of_context(static_cast<std::uint32_t>(random.below(12)));
      // Another byte comes rarely, so that runs become long.
      const bool other = random.below(40) == 0;
      const auto byte = static_cast<std::uint8_t>(other ? 'e' + 37 * random.below(bytes) : 'e');
      CHECK(rare.learn(hash, byte) == trees.learn(hash, byte));
    }
  }
}

TEST_CASE(
    "rare contexts: a run lasts as long as its byte does, and counts no further than it tells") {
  Rare rare;
  const std::uint32_t hash = hash_of_context(3);
  for (int times = 0; times < 100; ++times) {
    CHECK(rare.run(hash).times == std::min(times, longest_run));
    rare.learn(hash, 'a');
    CHECK_FALSE(rare.has_trees());
  }
  rare.learn(hash, 'b');
  CHECK(rare.run(hash).times == 0);
  rare.learn(hash, 'a');
  CHECK(rare.has_trees());
}

TEST_CASE("rare contexts: of the four runs of a bucket the one that has seen least makes room") {
  RunTable runs(1);
  const auto number = [](std::uint32_t i) { return 16 * i + 1; };
  for (std::uint32_t i = 0; i < 4; ++i)
    runs.put(number(i), {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i == 2 ? 1 : 5)});
  runs.put(number(9), {9, 1});
  for (const std::uint32_t i : {0u, 1u, 3u}) CHECK(runs.look(number(i)).byte == i);
  CHECK(runs.look(number(2)).times == 0);
  CHECK(runs.look(number(9)).byte == 9);
  runs.forget(number(2));  // is not there: nothing else is lost
  runs.forget(number(0));
  CHECK(runs.look(number(0)).times == 0);
  for (const std::uint32_t i : {1u, 3u, 9u}) CHECK(runs.look(number(i)).byte == i);
}

}  // namespace logpx::rare_context_test
