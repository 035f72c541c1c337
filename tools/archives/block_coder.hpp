// Codes one block at a time in its shortest form, and back: stored, by the model, by the fallback
// coder or the adaptive one (as the archive's effort says), or by the model and the adaptive coder
// together. Used from many threads at once.
// [codec/README 6]
#pragma once

#include "formats/archive/run_plan.hpp"
#include "libcore/base/rng.hpp"
#include "libcore/codec/adaptive/form.hpp"
#include "libcore/codec/fallback.hpp"
#include "libcore/codec/next_symbol.hpp"
#include "libcore/codec/scheme.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace logpx::compress {

// Each allows those before it; model_only allows them only for content that the model cannot code.
enum class Methods { store, fallback, model, model_only };
enum class Verify { off, on };
enum class Score { off, on };  // on: also ln p(x) by the coder's own numbers, for reports

struct BlockSettings {
  const codec::Scheme* scheme = nullptr;  // of the model
  Methods methods = Methods::model;
  Verify verify = Verify::on;
  Score score = Score::off;
  Rng rng{1};  // for the score's draws
  int model_lanes = 1;
  std::uint64_t memory = ~std::uint64_t{0};  // limit of the adaptive coder for a block
  // Read by the adaptive coder beforehand; if empty, the built-in first text for short blocks.
  archive::ByteView prime = {};
};

// Costs and results of coding a block.
struct BlockFigures {
  codec::Costs costs;                      // bits by part, when the model was chosen
  double bound_bits = 0;                   // -log2 p(x) of these items, or its bound
  std::optional<std::uint64_t> dims = {};  // of these items; if absent, one for each symbol
  double model_seconds = 0, fallback_seconds = 0, adaptive_seconds = 0, mixed_seconds = 0,
         verify_seconds = 0;
};

// Turns the bytes of a file into a model's symbols: by an alphabet, or as they are.
class SymbolMap {
 public:
  SymbolMap(std::string alphabet, std::int64_t levels)
      : alphabet_(std::move(alphabet)), levels_(levels) {}
  // A data error for bytes that the model does not know.
  [[nodiscard]] std::vector<std::uint8_t> symbols_of(archive::ByteView bytes) const;
  [[nodiscard]] archive::ByteVector bytes_of(std::span<const std::uint8_t> symbols) const;
  [[nodiscard]] const std::string& alphabet() const { return alphabet_; }

 private:
  std::string alphabet_;
  std::int64_t levels_;
};

class BlockCoder {
 public:
  BlockCoder(const BlockSettings& settings, const archive::CodingUnits& units)
      : settings_(settings),
        symbols_(units.alphabet, units.item ? units.item->levels : 256),
        per_block_(units.item ? archive::items_per_block(units) : 0),
        two_levels_(units.item && units.item->levels == 2),
        effort_(units.effort) {}

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
  void check(archive::ByteView samples) const { (void)symbols_.symbols_of(samples); }

 private:
  struct Attempt {
    std::size_t bootstrap = 0;  // items
    codec::Costs costs = {};
  };
  // The symbols of the last items of a block that holds so many symbols.
  [[nodiscard]] std::size_t symbols_of_last(std::size_t items, std::size_t symbols) const;
  [[nodiscard]] archive::Block encode_model(std::span<const std::uint8_t> symbols,
                                            const archive::BlockView& view, std::uint64_t number,
                                            Attempt& attempt) const;
  [[nodiscard]] archive::Block best_model(std::span<const std::uint8_t> symbols,
                                          const archive::BlockView& view, std::uint64_t number,
                                          codec::Costs& costs) const;
  [[nodiscard]] std::optional<archive::Block> modelled(archive::ByteView raw,
                                                       const archive::BlockView& view,
                                                       std::uint64_t number,
                                                       codec::Costs& costs) const;
  [[nodiscard]] double bound_bits(archive::ByteView raw, std::uint64_t first) const;
  [[nodiscard]] archive::Block encode_fallback(archive::ByteView raw,
                                               const archive::BlockView& view) const;
  // A block in the form that the adaptive coder reads.
  struct Seen {
    std::vector<std::uint8_t> data;
    bool packed = false;
    codec::adaptive::Form form = {};
  };
  [[nodiscard]] Seen see(archive::ByteView raw, const archive::BlockView& view) const;
  [[nodiscard]] std::optional<archive::Block> encode_adaptive(const Seen& seen,
                                                              const archive::BlockView& view,
                                                              archive::BlockCoder coder,
                                                              std::size_t limit) const;
  // The model as an adviser for such a block; null if it cannot advise.
  [[nodiscard]] std::unique_ptr<codec::SymbolAdviser> adviser_for(const archive::BlockView& view,
                                                                  bool packed) const;
  [[nodiscard]] archive::ByteVector decode_adaptive(const archive::Block& block,
                                                    const archive::BlockView& view) const;
  [[nodiscard]] codec::adaptive::Start start(bool reads_before) const;
  void check_memory(std::size_t size, const codec::adaptive::Start& start) const;
  [[nodiscard]] archive::ByteVector decode_message(const archive::Block& block,
                                                   const archive::BlockView& view,
                                                   std::uint64_t number) const;

  BlockSettings settings_;
  SymbolMap symbols_;
  std::int64_t per_block_;  // items of the model
  bool two_levels_;         // of the model
  archive::Effort effort_;
};

}  // namespace logpx::compress
