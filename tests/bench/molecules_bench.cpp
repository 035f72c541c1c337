// Numbers of sets of molecules: pairs of fingerprints, ChemNet's features, pairs of neighbourhoods.
#include "libcore/base/index.hpp"
#include "libcore/base/parallel.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/features/chemnet.hpp"
#include "libcore/judge/fingerprints.hpp"
#include "libcore/mol/neighbourhood_pairs.hpp"
#include "tests/bench/bench.hpp"

#include <string>
#include <vector>

namespace logpx::bench {
namespace {

void add_limited(Bench& bench, const std::string& name, double seconds, double most) {
  bench.add({.name = name,
             .value = seconds,
             .unit = "s",
             .share = most / seconds,
             .floor = 1,
             .of = "the limit"});
}

Fingerprints drawn_fingerprints(std::int64_t n) {
  Cursor cursor(Rng(1).stream(Stream::test));
  Fingerprints made(1024);
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<std::uint64_t> words(at(made.words()));
    for (int bit = 0; bit < 45; ++bit) {
      const std::uint32_t place = cursor.below(1024);
      words[place / 64] |= std::uint64_t{1} << (place % 64);
    }
    made.append(words);
  }
  return made;
}

// Chains with rings and branches, as large as those of ZINC.
std::vector<Molecule> drawn_molecules(std::int64_t n) {
  Cursor cursor(Rng(2).stream(Stream::test));
  std::vector<Molecule> made(at(n));
  for (Molecule& molecule : made) {
    const std::uint32_t atoms = 18 + cursor.below(12);
    for (std::uint32_t i = 0; i < atoms; ++i)
      molecule.atoms.push_back(static_cast<std::uint8_t>(cursor.below(4)));
    molecule.bonds.resize(at(pairs_of(molecule.size())));
    for (std::uint32_t i = 1; i < atoms; ++i)
      molecule.set_bond(i, i - 1 - cursor.below(std::min(i, 3U)),
                        static_cast<std::uint8_t>(1 + cursor.below(2)));
  }
  return made;
}

struct RandomNet {
  std::vector<std::vector<float>> values;
  std::vector<TensorRef> tensors;
  void add(const std::string& name, const Shape& shape) {
    Cursor cursor(Rng(3).stream(Stream::test, static_cast<std::uint32_t>(values.size())));
    std::vector<float> made(at(shape.elements()));
    for (float& value : made) value = static_cast<float>(0.1 * (cursor.uniform() - 0.5));
    values.push_back(std::move(made));
    tensors.push_back(TensorRef::of<float>(name, values.back(), shape));
  }
  RandomNet() {
    add("conv1.weight", {32, 35, 4});
    add("conv2.weight", {32, 32, 4});
    add_lstm("lstm1", 32, 128);
    add_lstm("lstm2", 128, 512);
  }
  void add_lstm(const std::string& name, std::int64_t in, std::int64_t units) {
    add(name + ".weight_ih", {4 * units, in});
    add(name + ".weight_hh", {4 * units, units});
    add(name + ".bias", {4 * units});
  }
};

void bench_chemnet(Bench& bench, Workers& workers) {
  RandomNet weights;
  const ChemNet net(weights.tensors);
  const std::vector<std::string> texts(at(ChemNet::block), "CCN(Cc1ccc(OC)c(OC)c1)C(=O)c1ccsc1");
  const double seconds = bench.seconds([&] { (void)net.features(texts, workers); });
  // The upper LSTM's products with its own state, which nothing spares: 88 positions.
  const double flops = 2.0 * 88 * 2048 * 512 * static_cast<double>(texts.size());
  bench.add({.name = "chemnet, molecules a second",
             .value = static_cast<double>(texts.size()) / seconds,
             .unit = "",
             .share = flops / seconds / bench.peak(),
             .floor = 0.4,
             .of = "sgemm 1024"});
}

}  // namespace

void bench_molecules(Bench& bench) {
  Workers workers(1);
  const Fingerprints set = drawn_fingerprints(1000);
  add_limited(bench, "tanimoto, 1e6 pairs of 1,024 bits",
              bench.seconds([&] { (void)similarities(set, workers); }), 0.03);
  bench_chemnet(bench, workers);
  const std::vector<Molecule> molecules = drawn_molecules(1000);
  add_limited(bench, "nspdk, 1,000 against 1,000",
              2 * bench.seconds([&] { (void)mean_neighbourhood_pairs(molecules, {}, workers); }),
              30);
}

}  // namespace logpx::bench
