// The project's random streams against tests/golden/vae.json: integers exactly, reals to 1e-10.
#include "libcore/base/rng.hpp"
#include "libcore/det/draws.hpp"
#include "tests/support/golden.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace logpx::vae_random_test {
namespace {

template <std::size_t N>
std::array<std::uint32_t, N> words_of(const Json& list) {
  std::array<std::uint32_t, N> words{};
  REQUIRE(list.size() == N);
  for (std::size_t i = 0; i < N; ++i) words[i] = static_cast<std::uint32_t>(list.at(i).integer());
  return words;
}

void check_permutation(const Json& expected, Substream substream) {
  const auto computed = permutation(static_cast<std::uint32_t>(expected.size()), substream);
  for (std::size_t i = 0; i < computed.size(); ++i) CHECK(computed[i] == expected.at(i).integer());
}

}  // namespace

TEST_CASE("golden/vae/philox4x32_10") {
  const Json* cases = golden::field("vae", "philox4x32_10");
  if (!cases) return;
  for (const Json& item : cases->items())
    CHECK(philox4x32_10(words_of<4>(item.at("counter")), words_of<2>(item.at("key"))) ==
          words_of<4>(item.at("out")));
}

TEST_CASE("golden/vae/random_streams") {
  const Json* streams = golden::field("vae", "random_streams");
  if (!streams) return;
  const Rng rng(streams->at("seed").unsigned_integer());
  const auto stream = static_cast<Stream>(streams->at("stream").integer());
  const auto sub = static_cast<std::uint32_t>(streams->at("sub").integer());
  const Substream substream = rng.stream(stream, sub);

  const Json &words = streams->at("words"), &uniforms = streams->at("uniform");
  for (std::size_t e = 0; e < words.size(); ++e) CHECK(substream.word(e) == words.at(e).integer());
  for (std::size_t e = 0; e < uniforms.size(); ++e)
    CHECK(substream.uniform(e) == doctest::Approx(uniforms.at(e).number()).epsilon(1e-10));

  const Json& normals = streams->at("normal");
  std::vector<float> filled(normals.size());
  fill_normals(substream, 0, filled);
  DrawCursor cursor(substream);
  for (std::size_t e = 0; e < normals.size(); ++e) {
    const double expected = normals.at(e).number();
    CHECK(normal_at(substream, e) == doctest::Approx(expected).epsilon(1e-10));
    CHECK(cursor.normal() == normal_at(substream, e));
    CHECK(filled[e] == static_cast<float>(normal_at(substream, e)));
  }

  check_permutation(streams->at("permutation_10"), substream);
  check_permutation(streams->at("permutation_13"), rng.stream(Stream::binarise, 0));
  const Json& far = streams->at("block_at_index");
  CHECK(substream.block(far.at("index").unsigned_integer()) == words_of<4>(far.at("out")));
}

}  // namespace logpx::vae_random_test
