// The replacements of parts by which scripts/ablate-coder measures the coder without them.
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/text_contexts.hpp"
#include "tests/bench/coder_parts/variants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace logpx::coder_parts_test {

using namespace logpx::codec::adaptive;

namespace {

using Values = std::vector<std::uint8_t>;
using Contexts = TextContexts<Level::normal>;

// Letters without an order, and all of them once more.
Values repeated_noise() {
  constexpr int length = 3000;
  Cursor random(Rng(5).stream(Stream::test, 530));
  Values data(length);
  for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>('a' + random.below(26));
  data.insert(data.end(), data.begin(), data.begin() + length);
  return data;
}

template <typename Contexts, typename Parts>
std::vector<std::byte> coded_and_back(const Values& data) {
  using Model = PlainModel<Contexts, Parts>;
  Canvas canvas({}, {}, data.size()), back({}, {}, data.size());
  const std::vector<std::byte> coded = Model::encode(data, canvas, {}, no_limit);
  Model::decode(coded, back, {});
  CHECK(std::ranges::equal(std::span(back.data(), data.size()), data));
  return coded;
}

}  // namespace

TEST_CASE("coder parts: a coder without one of its parts codes as exactly as the whole") {
  const Values data = repeated_noise();
  const std::vector<std::byte> whole = encode(data, {}, Level::normal);
  CHECK(coded_and_back<Contexts, AllParts>(data) == whole);
  coded_and_back<Contexts, WithoutRuns>(data);  // no size to check: nothing is crowded out
  CHECK(coded_and_back<Contexts, WithoutRepeats>(data).size() > whole.size());
  CHECK(coded_and_back<Contexts, WithoutCorrections>(data) != whole);
  CHECK(coded_and_back<Contexts, WithoutMeanings>(data) != whole);
  CHECK(coded_and_back<Contexts, WithoutChecks>(data) != whole);
  CHECK(coded_and_back<Contexts, WithoutLastWeights>(data) != whole);
  CHECK(coded_and_back<Contexts, WithoutSets<3>>(data) != whole);
  CHECK(coded_and_back<Contexts, WithoutSecondInputs>(data) != whole);
  const auto second_alone = coded_and_back<Contexts, WithoutSets<0, 2>>(data);
  CHECK(second_alone != whole);
  CHECK(second_alone != coded_and_back<Contexts, WithoutSets<1, 2>>(data));
  CHECK(coded_and_back<ContextsWithout<Contexts, 7, 8>, AllParts>(data).size() > whole.size());
}

TEST_CASE("coder parts: contexts that stay have the hashes that they had") {
  Values data = repeated_noise();
  std::uint32_t all[Contexts::count], others[Contexts::count - 2] = {};
  using Others = ContextsWithout<Contexts, 3, 13>;
  static_assert(Others::count == 13 && Others::first_seen == 5 && Others::last_seen == 10 &&
                Others::first_rare == 7);
  const Form form;
  Contexts contexts(form);
  Others others_of(form);
  Past past;
  past.now = data.data() + 100;
  for (int i = 0; i < 50; ++i) {
    past.add(*past.now);
    contexts.next_byte(past, data[100]);
    others_of.next_byte(past, data[100]);
  }
  contexts.hashes(past, all);
  others_of.hashes(past, others);
  for (int i = 0; i < Others::count; ++i)
    CHECK(others[i] == all[i < 3 ? i : i < 12 ? i + 1 : i + 2]);
}

}  // namespace logpx::coder_parts_test
