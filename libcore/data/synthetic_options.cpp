#include "libcore/data/synthetic_options.hpp"

#include "libcore/base/fields.hpp"

namespace logpx {
namespace {

// With eight atoms there would be about five million molecules.
constexpr std::int64_t most_enumerated_atoms = 7;

void describe_molecules(SyntheticOptions& o, Fields& f) {
  f.add("max-atoms", o.max_atoms, "atoms of the largest molecules; 7 take a minute")
      .range(1, most_enumerated_atoms)
      .shows_default("5");
  f.add("min-atoms", o.min_atoms, "atoms of the smallest molecules")
      .range(1, most_enumerated_atoms)
      .shows_default("3")
      .rank(Rank::manual);
  f.add("elements", o.elements, "elements of molecules")
      .metavar("LIST")
      .shows_default("C,N,O,F")
      .rank(Rank::manual);
}

void describe_symbols(SyntheticOptions& o, Fields& f) {
  f.group("symbols, text, molecules");
  f.add("length", o.length, "symbols per row").range(1, 1'000'000).shows_default("256");
  f.add("alphabet", o.alphabet, "number of symbols").range(2, 256).shows_default("27; tree 3");
  f.add("order", o.order, "order of markov-text").range(0, 3).shows_default("2").rank(Rank::manual);
  f.add("words", o.words, "markov-text of common words instead of letters").rank(Rank::manual);
  f.add("states", o.states, "for hmm-text").range(1, 1024).shows_default("32").rank(Rank::manual);
  f.add("mixture", o.mixture, "kinds of blocks in bytes: english, binary, random")
      .rank(Rank::manual)
      .shows_default("all three");
  f.add("beta", o.beta, "how near to certain the bits of bernoulli-mix are")
      .range(0, 100)
      .shows_default("4")
      .rank(Rank::manual);
  f.add("enumerate", o.enumerate, "bernoulli-mix: every possible row once, instead of a sample")
      .rank(Rank::manual);
  f.add("strength", o.strength, "how closely a symbol of tree follows its parent")
      .range(0, 1)
      .shows_default("0.7")
      .rank(Rank::manual);
}

}  // namespace

void SyntheticOptions::describe(Fields& f) {
  f.add("shape", shape, "for shapes2d: ring8, grid25, checkerboard, two-moons, pinwheel or spiral")
      .positional()
      .setting()
      .metavar("SHAPE");
  f.group("pictures");
  f.add("classes", classes, "which digits, e.g. 0,1,7").shows_default("all ten").rank(Rank::manual);
  f.add("size", size, "side: digits 28, 14, 8; scenes 8, 16, 32, 64; bars 1 to 64")
      .range(1, 64)
      .shows_default("28; 32; 4");
  f.add("noise", noise, "grey levels of noise, or how often parity's last bit is wrong")
      .range(0, 100)
      .hidden_default();
  f.add("elastic", elastic, "bend the strokes of digits");
  f.add("glyph", glyph, "put a digit on every scene; it is the class").rank(Rank::manual);
  f.group("vectors");
  f.add("dim", dim, "dimensions")
      .range(1, 65'536)
      .shows_default("mixture 2, bernoulli-mix 10, else 8");
  f.add("cov", cov, "for gauss: iso, diag, toeplitz:RHO or lowrank:Q,SIGMA")
      .shows_default("iso")
      .rank(Rank::manual);
  f.add("components", components, "of mixture, bernoulli-mix and table")
      .range(1, 4096)
      .shows_default("5; 4; 3")
      .rank(Rank::manual);
  f.add("sep", sep, "spread of the means of mixture")
      .range(0, 1e6)
      .shows_default("3")
      .rank(Rank::manual);
  f.add("sigma", sigma, "standard deviation in mixture and shapes2d")
      .range(0.02, 1e3)
      .shows_default("mixture 0.5, ring8 0.2, grid25 0.15, other shapes 0.1")
      .rank(Rank::manual);
  f.add("bits", bits, "shapes2d as two symbols of this many bits over [-4,4]")
      .range(8, 8)
      .rank(Rank::manual);
  f.add("holes", holes, "the share of the cells of table that are empty")
      .range(0, 0.9)
      .shows_default("0")
      .rank(Rank::manual);
  describe_symbols(*this, f);
  describe_molecules(*this, f);
  f.add("structure-seed", structure_seed, "seed of the tables, means and trees that all rows share")
      .range(0, 0x1p64)
      .rank(Rank::manual);
}

}  // namespace logpx
