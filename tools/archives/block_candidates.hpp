// The ways to code a block: as it is, by the model, by the adaptive coder or the fallback one, or
// by the model and the adaptive coder together. Each is a candidate of one list, which says when it
// is worth trying, how it encodes a block and how it decodes one. The block coder tries them in the
// order of the list.   [codec/README 6]
#pragma once

#include "formats/archive/run_plan.hpp"
#include "formats/archive/writer.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/scheme.hpp"
#include "tools/archives/symbol_map.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx::compress {

// Each allows those before it; model_only those for what the model cannot code.
enum class Methods { store, fallback, model, model_only };
enum class Verify { off, on };
enum class Score { off, on };  // also ln p(x) by the coder's own numbers, for reports

struct BlockSettings {
  const codec::Scheme* scheme = nullptr;  // of the model
  Methods methods = Methods::model;
  Verify verify = Verify::on;
  Score score = Score::off;
  Rng rng{1};  // of the score's draws
  int model_lanes = 1;
  std::uint64_t memory = ~std::uint64_t{0};  // that the adaptive coder may take for a block
  // What it may have read before; else the first text, for short ones.
  archive::ByteView prime = {};
};

// What all blocks of an archive are coded with.
struct BlockMeans {
  BlockMeans(const BlockSettings& all, const archive::CodingUnits& units)
      : settings(all),
        symbols(units.alphabet, units.item ? units.item->levels : 256),
        per_block(units.item ? archive::items_per_block(units) : 0),
        two_levels(units.item && units.item->levels == 2),
        effort(units.effort) {}

  // That a block takes in the archive.
  [[nodiscard]] std::size_t bytes_of(const archive::Block& block) const {
    return archive::bytes_of_block(
        block, settings.scheme != nullptr ? archive::MayMix::yes : archive::MayMix::no);
  }

  BlockSettings settings;
  // While one block is coded and decoded: what the first text teaches is kept there.
  codec::adaptive::Taught* taught = nullptr;
  SymbolMap symbols;
  std::int64_t per_block;  // items of the model
  bool two_levels;         // of the model
  archive::Effort effort;
};

// A block as the adaptive coder sees it.
struct SeenBlock {
  std::vector<std::uint8_t> data;
  bool packed = false;                       // samples of 0 and 1, as bits
  std::vector<codec::adaptive::Form> forms;  // that may fit, the likeliest first
};

// A block that is being encoded, and what was made of it so far.
struct BlockTrial {
  archive::ByteView raw;
  const archive::BlockView& view;
  std::uint64_t number = 0;            // of the block in its archive
  std::optional<SeenBlock> seen = {};  // once a candidate has looked
  std::optional<archive::Block> best = {};
  std::size_t limit = std::numeric_limits<std::size_t>::max();  // bytes: longer is not taken
  codec::Costs costs = {};  // bits by part, if the model has coded it
  bool settled = false;     // what the candidate made is taken, and no other one is tried
};

struct BlockCandidate {
  archive::BlockCoder name;
  bool (*applies)(const BlockMeans& means, BlockTrial& trial);
  // Nothing where it cannot code the block, or not shorter than the best so far.
  std::optional<archive::Block> (*encode)(const BlockMeans& means, BlockTrial& trial);
  // A data error for what `encode` cannot have made.
  archive::ByteVector (*decode)(const BlockMeans& means, const archive::Block& block,
                                const archive::BlockView& view, std::uint64_t number);
};
[[nodiscard]] std::span<const BlockCandidate> block_candidates();

}  // namespace logpx::compress
