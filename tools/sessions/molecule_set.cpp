#include "tools/sessions/molecule_set.hpp"

#include "libcore/base/parallel.hpp"
#include "tools/frame/progress.hpp"
#include "tools/sessions/molecule_source.hpp"

#include <algorithm>
#include <utility>

namespace logpx {
namespace {

constexpr std::int64_t in_block = 32, blocks_at_once = 64;

MoleculeFacts facts_of(const Compound& compound, const FactParts& parts,
                       const FragmentScores* table) {
  MoleculeFacts facts{.smiles = compound.smiles(), .graph = compound.graph()};
  facts.ring_sizes = compound.ring_sizes();
  if (parts.properties) {
    facts.descriptors = compound.descriptors();
    facts.qed = qed(compound.qed_inputs());
  }
  if (parts.properties || parts.bits) facts.environments = compound.environments();
  if (parts.properties && table != nullptr)
    facts.synthetic = synthetic_score(compound.synthetic_inputs(), facts.environments, *table);
  if (parts.bits) facts.morgan = compound.fingerprint(FingerprintKind::morgan);
  if (parts.other_bits) {
    facts.path = compound.fingerprint(FingerprintKind::path);
    facts.maccs = compound.fingerprint(FingerprintKind::maccs);
  }
  if (parts.graphs) facts.numbered = compound.numbered_graph();
  if (parts.pieces) {
    facts.scaffold = compound.scaffold();
    facts.pieces = compound.brics();
  }
  return facts;
}

// Calls `take(i)` for each molecule of the source, several at once, and says how far it is.
template <typename Take>
void for_each(const MoleculeSource& source, const FactMaking& making, Take take) {
  (void)chemistry();  // before threads ask for it
  const std::int64_t n = source.size();
  for (std::int64_t begin = 0; begin < n; begin += in_block * blocks_at_once) {
    const std::int64_t end = std::min(n, begin + in_block * blocks_at_once);
    making.workers->run((end - begin + in_block - 1) / in_block, [&](std::int64_t b) {
      const std::int64_t first = begin + b * in_block;
      for (std::int64_t i = first; i < std::min(end, first + in_block); ++i) take(i);
    });
    if (making.progress != nullptr) making.progress->update(static_cast<double>(end));
  }
}

struct Outcome {
  std::optional<ValidMolecule> valid = {};
  std::string trouble = {};
};

Outcome outcome_of(const MoleculeReading& read, const FactParts& parts,
                   const FragmentScores* table) {
  if (!read.compound) return {.trouble = read.trouble};
  const std::int64_t fragments = read.compound->fragments();
  const auto largest = fragments > 1 ? read.compound->largest_fragment() : read.compound;
  if (!largest) return {.trouble = word_of(CompoundTrouble::valence)};
  return {.valid = ValidMolecule{.smiles = read.compound->smiles(),
                                 .fragments = fragments,
                                 .strict = read.strict,
                                 .facts = facts_of(*largest, parts, table)}};
}

}  // namespace

double property_of(const MoleculeFacts& facts, std::size_t property) {
  constexpr std::size_t weight = 0, logp = 2, polar_area = 4;  // among descriptor_names()
  switch (property) {
    case 0: return facts.qed;
    case 1: return facts.synthetic.value;
    case 2: return facts.descriptors[logp];
    case 3: return facts.descriptors[polar_area];
    default: return facts.descriptors[weight];
  }
}

std::vector<std::string> spellings_of(const MoleculeSet& set) {
  std::vector<std::string> texts;
  for (const ValidMolecule& one : set.valid)
    texts.push_back(one.spelled.empty() ? one.smiles : one.spelled);
  return texts;
}

MoleculeSet read_molecules(const MoleculeSource& source, const FactParts& parts,
                           const FactMaking& making) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(source.size()));
  for_each(source, making, [&](std::int64_t i) {
    Outcome& outcome = outcomes[static_cast<std::size_t>(i)];
    outcome = outcome_of(source.read(i), parts, making.table);
    if (parts.spelling && outcome.valid && source.has_lines())
      outcome.valid->spelled = chemistry().isomeric_smiles(source.text(i));
  });
  MoleculeSet set{.name = source.name(), .n = source.size()};
  for (std::int64_t i = 0; i < set.n; ++i) {
    Outcome& one = outcomes[static_cast<std::size_t>(i)];
    if (one.valid) {
      one.valid->place = source.place(i);
      set.valid.push_back(std::move(*one.valid));
    } else {
      set.refused.push_back({source.place(i), source.text(i), one.trouble});
    }
  }
  return set;
}

std::vector<std::string> read_canonical(const MoleculeSource& source, const FactMaking& making) {
  std::vector<std::string> all(static_cast<std::size_t>(source.size()));
  for_each(source, making, [&](std::int64_t i) {
    if (const MoleculeReading read = source.read(i); read.compound)
      all[static_cast<std::size_t>(i)] = read.compound->smiles();
  });
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (!all.empty() && all.front().empty()) all.erase(all.begin());
  return all;
}

}  // namespace logpx
