// Generator 16: molecules.   [data/README 5.3]
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/base/spelling.hpp"
#include "libcore/data/generator.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/mol/enumerate.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace logpx {
namespace {

std::vector<int> valences_of(const std::vector<std::string>& symbols) {
  std::vector<int> valences;
  for (const std::string& symbol : symbols) {
    const ElementFacts* const facts = find_element(symbol);
    if (facts == nullptr)
      refuse_option(
          "elements", symbol,
          "one of " + join_text(element_symbols(), ", ") + did_you_mean(symbol, element_symbols()));
    if (std::ranges::count(symbols, symbol) > 1)
      fail(ErrorKind::usage, "--elements", "names " + symbol + " twice");
    valences.push_back(facts->valence);
  }
  return valences;
}

// Every connected molecule within the normal valences of its elements, once, in an order that
// follows from the seed: so each split holds molecules of all sizes and kinds.
class Molecules final : public Generator {
 public:
  explicit Molecules(const SyntheticOptions& options) {
    const std::int64_t least = *options.min_atoms, most = *options.max_atoms;
    if (least > most)
      refuse_option("min-atoms", std::to_string(least),
                    "at most --max-atoms, which is " + std::to_string(most));
    info_ = molecules_info(AtomTypes::of_elements(options.elements), most);
    members_ = enumerate_molecules(valences_of(options.elements), least, most);
    if (members_.empty())
      fail(ErrorKind::usage, "--elements",
           "no molecule of " + std::to_string(least) + " to " + std::to_string(most) +
               " atoms is made of " + join_text(options.elements, ","));
    most_n_ = std::ssize(members_);
  }

  void arrange(const Substream& substream) override {
    order_.resize(members_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    DrawCursor draws(substream, first_block_of_order);
    for (std::size_t i = order_.size() - 1; i > 0; --i)
      std::swap(order_[i], order_[draws.below(static_cast<std::uint32_t>(i + 1))]);
  }

  void make(ExampleDraws& draws, Example& example) const override {
    const Molecule& molecule = members_[order_[at(draws.index())]];
    store_molecule(molecule, example.bytes);
    example.length = static_cast<std::int32_t>(molecule.size());
  }

 private:
  // Beyond the blocks of all possible examples.
  static constexpr std::uint64_t first_block_of_order = std::uint64_t{1} << 62;

  std::vector<Molecule> members_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::unique_ptr<Generator> make_molecules(const SyntheticOptions& options, std::uint32_t) {
  return std::make_unique<Molecules>(options);
}

}  // namespace logpx
