// One block at a time to its shortest form and back: of all candidates that apply to it, the
// shortest is kept. Used from many threads at once.   [codec/README 6]
#pragma once

#include "tools/archives/block_candidates.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace logpx::compress {

// What coding a block took and gave.
struct BlockFigures {
  codec::Costs costs;                      // bits by part, when the model was chosen
  double bound_bits = 0;                   // what -log2 p(x) of these items is, or its bound
  std::optional<std::uint64_t> dims = {};  // of these items; else as many as their symbols
  std::array<double, archive::block_coders> seconds = {};  // of each candidate
  double verify_seconds = 0;
};

class BlockCoder {
 public:
  BlockCoder(const BlockSettings& settings, const archive::CodingUnits& units)
      : means_(settings, units) {}

  // `number` is that of the block in its archive. Samples that the model does not know are a data
  // error.
  [[nodiscard]] archive::Block encode(archive::ByteView raw, const archive::BlockView& view,
                                      std::uint64_t number, BlockFigures& figures) const;
  // A data error for blocks that no encoder can have made.
  [[nodiscard]] archive::ByteVector decode(const archive::Block& block,
                                           const archive::BlockView& view,
                                           std::uint64_t number) const;
  // The dims of the items of a block; nothing if no model coded it.
  [[nodiscard]] std::optional<std::uint64_t> dims_of(const archive::Block& block,
                                                     archive::ByteView raw) const;
  // A data error for samples that the model does not know.
  void check(archive::ByteView samples) const { (void)means_.symbols.symbols_of(samples); }

 private:
  [[nodiscard]] double bound_bits(archive::ByteView raw, std::uint64_t first) const;

  BlockMeans means_;
};

}  // namespace logpx::compress
