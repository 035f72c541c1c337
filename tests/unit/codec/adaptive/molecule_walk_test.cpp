#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "libcore/codec/adaptive/molecule_walk.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace logpx::molecule_walk_test {

using namespace logpx::codec::adaptive;

namespace {

MoleculeWalk walk(std::string_view smiles) {
  MoleculeWalk walk;
  for (const char c : smiles) walk.next_byte(static_cast<std::uint8_t>(c));
  return walk;
}

std::uint64_t packed(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

// Rings of a few kinds, one after another, with groups at any of their atoms.
std::vector<std::uint8_t> molecules(std::size_t bytes) {
  static constexpr std::string_view rings[] = {"cccccc",   "ccnccc", "cncncc",
                                               "ccsncccc", "CCOCC",  "CCNCCCC"};
  static constexpr std::string_view groups[] = {"(F)",     "(Cl)",   "(C(=O)N)",     "(OCC)",
                                                "(N(C)C)", "(CC#N)", "(S(=O)(=O)C)", "(C(F)(F)F)"};
  Cursor random(Rng(5).stream(Stream::test, 513));
  std::string text;
  while (text.size() < bytes) {
    for (std::uint32_t left = 1 + random.below(3); left > 0; --left) {
      const std::string_view ring = rings[random.below(6)];
      for (std::size_t i = 0; i < ring.size(); ++i) {
        text += ring[i];
        if (i == 0 || i + 1 == ring.size()) text += '1';
        else if (random.below(2) == 0) text += groups[random.below(8)];
      }
    }
    text += '\n';
  }
  return {text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

}  // namespace

TEST_CASE("adaptive: a walk through a molecule leaves out branches that are closed") {
  CHECK(walk("CC(=O)N").path().bytes == packed("\nCC)N"));
  CHECK(walk("CC(=O)N").path().length == 3);
  CHECK(walk("CC(=O)N").atoms() == 4);
  CHECK(walk("CC(=O)N").path().atoms == packed("CCN"));
  CHECK(walk("CC(=O)N").depth() == 0);
  CHECK(walk("CC(=O)N").last_branch() == packed("\nCC(=O"));
  CHECK(walk("CC(C(F)").path().bytes == packed("\nCC(C)"));
  CHECK(walk("CC(C(F)").depth() == 1);
  // Two letters, and what stands in brackets, are an atom.
  CHECK(walk("ClC[NH3+]Br").atoms() == 4);
  CHECK(walk("ClC[NH3+]Br").path().atoms == packed("CC[B"));
  CHECK(walk("ClC[N(H)]").depth() == 0);
  CHECK(walk("CC(C1CC\nO").path().bytes == packed("\nO"));
  CHECK(walk("CC(C1CC\nO").open_rings() == 0);
}

TEST_CASE("adaptive: a walk through a molecule knows the rings that are open, and since when") {
  CHECK(walk("Cc1ccc").open_rings() == 2);
  CHECK(walk("Cc1ccc").since_ring(0) == 3);
  CHECK(walk("Cc1cc(CCC)c").since_ring(0) == 3);
  CHECK(walk("Cc1ccc2c").since_ring(0) == 1);
  CHECK(walk("Cc1ccc2c").since_ring(1) == 4);
  CHECK(walk("Cc1ccc2cc1").open_rings() == 4);
  CHECK(walk("Cc1ccc2cc1").since_ring(0) == 2);
  CHECK(walk("Cc1ccc2cc1").since_ring(1) == walk("").since_ring(0));
  CHECK(walk("C(CC1)C").since_ring(0) > 60);  // it began off the path
  CHECK(walk("Cc1ccc2c").rings() != walk("Cc1ccc2cc").rings());
  CHECK(walk("Cc1ccc2c").rings() == walk("CCc1ncc2o").rings());
  CHECK(walk("").rings() == 0);
}

TEST_CASE("adaptive: what is no molecule is walked through as well") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "((((0123456789)[";
  CHECK(walk(text + std::string(200, ')')).depth() == 3);  // all in brackets
  CHECK(walk(std::string(200, '(')).depth() == 31);
  CHECK(walk(std::string(200, '(') + std::string(300, ')')).depth() == 0);
  CHECK(walk("0123456789").open_rings() == 1023);
}

TEST_CASE("adaptive: molecules are found among texts, and are shorter for it") {
  const std::vector<std::uint8_t> data = molecules(60'000);
  const Form form = likely_form(data, {});
  CHECK(form == Form{Kind::molecules});
  for (const Level level : {Level::normal, Level::best}) {
    const std::vector<std::byte> coded = encode(data, form, level);
    CHECK(decode(coded, data.size(), form, level) == data);
    CHECK(20 * coded.size() < 19 * encode(data, {}, level).size());
  }
}

}  // namespace logpx::molecule_walk_test
