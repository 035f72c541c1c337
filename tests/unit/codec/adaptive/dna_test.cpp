// Blocks of DNA: what followed on either strand, and how it is coded.
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/adaptive.hpp"
#include "libcore/codec/adaptive/base_counts.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace logpx::dna_test {

using namespace logpx::codec::adaptive;

namespace {

using Values = std::vector<std::uint8_t>;

std::vector<unsigned> strand(std::size_t count) {
  Cursor random(Rng(41).stream(Stream::test, 570));
  std::vector<unsigned> bases(count);
  for (unsigned& base : bases) base = random.below(4);
  return bases;
}

// The other strand, in the direction in which it is read.
std::vector<unsigned> other_strand(std::vector<unsigned> bases) {
  std::ranges::reverse(bases);
  for (unsigned& base : bases) base = 3 - base;
  return bases;
}

Values fasta(const std::vector<unsigned>& bases) {
  std::string text = ">a name\n";
  for (std::size_t i = 0; i < bases.size(); ++i) {
    text += "ACGT"[bases[i]];
    if (i % 60 == 59) text += '\n';
  }
  return {text.begin(), text.end()};
}

std::size_t there_and_back(const Values& data, const Form& form, Level level) {
  const std::vector<std::byte> coded = encode(data, form, level);
  CHECK(decode(coded, data.size(), form, level) == data);
  return coded.size();
}

}  // namespace

TEST_CASE("dna: counts are those of both strands, looked up by brute force") {
  constexpr int order = 3;
  const std::vector<unsigned> bases = strand(400);
  BaseCounts counts(order, 20);
  std::uint64_t word = 0, others = ~std::uint64_t{0};
  std::vector<unsigned> seen;
  for (const unsigned base : bases) {
    const auto oldest = static_cast<unsigned>(word >> 2 * (order - 1) & 3);
    word = word << 2 | base;
    others = others >> 2 | std::uint64_t{3 - base} << 62;
    counts.add(word, others, base, oldest);
    seen.push_back(base);
  }
  // Before the first base lie A's.
  seen.insert(seen.begin(), order, 0);
  BaseCounts::Counts expected = {};
  const std::vector<unsigned> last(seen.end() - order, seen.end());
  for (const auto& read : {seen, other_strand(seen)})
    for (std::size_t i = 0; i + order < read.size(); ++i)
      if (std::equal(last.begin(), last.end(), read.begin() + static_cast<std::ptrdiff_t>(i)))
        ++expected[read[i + order]];
  CHECK(*std::ranges::max_element(expected) < 15);
  CHECK(counts.counts() == expected);
}

TEST_CASE("dna: bases without an order take two bits, and lines next to nothing") {
  const std::vector<unsigned> bases = strand(40'000);
  for (const Level level : {Level::normal, Level::best})
    CHECK(there_and_back(fasta(bases), {Kind::dna}, level) < 40'000 / 4 + 300);
}

TEST_CASE("dna: the other strand of what has been seen costs next to nothing") {
  std::vector<unsigned> bases = strand(20'000);
  const std::size_t once = encode(fasta(bases), {Kind::dna}, Level::normal).size();
  const std::vector<unsigned> other = other_strand(bases);
  bases.insert(bases.end(), other.begin(), other.end());
  const Values both = fasta(bases);
  CHECK(there_and_back(both, {Kind::dna}, Level::normal) < once + 300);
  CHECK(likely_form(both, {}).kind == Kind::dna);
}

TEST_CASE("dna: small letters, gaps and other letters come back") {
  Values data = fasta(strand(3000));
  for (std::size_t i = 500; i < 1500; ++i)
    if (data[i] != '\n') data[i] |= 32;
  for (std::size_t i = 2000; i < 2100; ++i) data[i] = 'N';
  there_and_back(data, {Kind::dna}, Level::normal);
}

}  // namespace logpx::dna_test
