// What a run took and gave, for the report and for --list.
#pragma once

#include "formats/archive/records.hpp"
#include "formats/json/value.hpp"
#include "tools/archives/block_coder.hpp"

#include <array>
#include <cstdint>

namespace logpx::compress {

struct Figures {
  struct Share {
    std::uint64_t blocks = 0, raw_bytes = 0, coded_bytes = 0;
    double seconds = 0;  // that it was tried for, by all threads together
  };
  std::array<Share, archive::block_coders> coders;  // by archive::BlockCoder
  codec::Costs costs;                               // bits of the blocks that the model codes
  double bound_bits = 0;                            // bound of the same
  std::uint64_t members = 0, original_bytes = 0, archive_bytes = 0, items = 0, dims = 0,
                borrowed_words = 0, bootstrap_items = 0;
  double verify_seconds = 0;               // of all threads together
  double coding_seconds = 0, seconds = 0;  // on the wall
  bool needs_model = false;                // to be decoded
  bool as_set = false;                     // items have no order
  double paid_order_bits = 0;              // at most: which item lies in which block of a set

  void add(const archive::Block& block, const BlockFigures& block_figures = {});
  // A member's share of a block, which it may share with others.
  void add_share(archive::BlockCoder coder, std::uint64_t raw_bytes, std::uint64_t coded_bytes);
  void add_member(std::uint64_t size, const archive::Member& member);
  Figures& operator+=(const Figures& other);

  [[nodiscard]] const Share& share_of(archive::BlockCoder coder) const {
    return coders[static_cast<std::size_t>(coder)];
  }
  [[nodiscard]] std::uint64_t coded_bytes() const;  // of all blocks
  // Blocks that cannot be decoded without the model.
  [[nodiscard]] std::uint64_t blocks_of_model() const;
  // Items are those of the blocks that the model codes.
  [[nodiscard]] double bits_per_item(double bits) const {
    return items > 0 ? bits / static_cast<double>(items) : 0;
  }
  // Without times if SOURCE_DATE_EPOCH asks for reports that repeat.
  [[nodiscard]] Json json() const;

 private:
  [[nodiscard]] Json set_json() const;
  void add_times(Json& json) const;
};

}  // namespace logpx::compress
