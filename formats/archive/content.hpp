// Members as blocks: what a file is, how it is cut into blocks of whole items, and how decoded
// blocks become the file again. Both sides follow one plan, which the archive's parameters and the
// member's kind and meta decide.   [spec/coding.md sections 5.2, 7]
#pragma once

#include "formats/archive/exceptions.hpp"
#include "formats/archive/layout.hpp"
#include "formats/archive/png_file.hpp"
#include "formats/archive/tiling.hpp"
#include "libcore/base/hash.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace logpx::archive {

// What the archive's parameters say of the items that its model codes.
struct CodingUnits {
  std::optional<ItemShape> item;  // nothing without a model
  bool sequence = false;          // an item is a run of symbols of bytes or text, not a raster
  std::string alphabet = {};      // of text: the byte of each symbol; empty for bytes
  std::int64_t block_items = 512;
};

// A piece of a member before it is coded: whole items, or bytes that are items of their own.
struct RawBlock {
  ByteVector bytes;
  std::uint32_t items = 0;
};

// How the blocks of a member are to be seen.
struct MemberPlan {
  MemberKind kind = MemberKind::bytes;
  std::size_t header_bytes = 0;  // of the file, kept in the meta
  std::int64_t rasters = 0;      // 0: no samples, only bytes
  RasterShape raster;            // of each; of large ones without a model each row is one
  bool packed_bits = false;
  ItemShape item = {{1, 1, 1}, 256};
  bool for_model = false;  // items are the model's
  std::int64_t per_block = 1;

  [[nodiscard]] std::int64_t file_bytes() const {  // of one raster
    return packed_bits ? raster.size() / 8 : raster.size();
  }
  // Whether a block is of the plan's items, not of bytes that are left over.
  [[nodiscard]] bool is_shaped(std::uint32_t items, std::uint32_t bytes) const {
    return items > 0 && std::int64_t{items} * item.shape.size() == bytes;
  }
  // The rasters that the fallback coder sees in a block of so many items.
  [[nodiscard]] RasterShape seen(std::uint32_t items) const;
};
// A data error when the meta is not what the kind needs.
[[nodiscard]] MemberPlan plan_member(const Member& member, const CodingUnits& units);

// Cuts a file into blocks. `supply` yields it from its beginning; for pictures (kinds pixels and
// own-png) it yields the samples.
class MemberSplitter {
 public:
  MemberSplitter(const Member& member, const CodingUnits& units, ByteSupply supply);
  [[nodiscard]] const MemberPlan& plan() const { return plan_; }
  [[nodiscard]] bool next(RawBlock& block);

 private:
  [[nodiscard]] ByteVector read(std::size_t size);
  void refill();
  void refill_group();
  void put(ByteView bytes, std::int64_t item_bytes);

  MemberPlan plan_;
  ByteSupply supply_;
  std::optional<Tiling> tiling_;
  std::optional<Exceptions> exceptions_;
  char stand_in_ = ' ';
  std::int64_t rasters_left_ = 0;
  std::uint64_t done_ = 0;
  bool ended_ = false;
  std::deque<RawBlock> ready_;
};

// What comes out: the file as it was, or arrays and pixels in another form.
enum class OutputForm { same, idx, npy, png, pnm };
[[nodiscard]] const char* word_of(OutputForm form);

// Puts decoded blocks together and hands the file out as it grows.
class MemberJoiner {
 public:
  MemberJoiner(const Member& member, const CodingUnits& units, ByteSink out,
               OutputForm form = OutputForm::same);
  [[nodiscard]] const MemberPlan& plan() const { return plan_; }
  void add(RawBlock block);
  // Size and hash of what was joined, to be compared with the member's end.
  [[nodiscard]] MemberEnd finish();

 private:
  [[nodiscard]] bool is_picture() const {
    return plan_.kind == MemberKind::pixels || plan_.kind == MemberKind::own_png;
  }
  [[nodiscard]] std::int64_t group_rasters() const;
  void emit(ByteView bytes);
  void write(ByteView bytes);
  void write_header(ByteView header);
  void write_picture();

  MemberPlan plan_;
  ByteSink out_;
  OutputForm form_;
  std::optional<Tiling> tiling_;
  std::optional<Exceptions> exceptions_;
  PngPixels png_;
  std::int64_t rasters_left_ = 0;
  std::uint64_t size_ = 0;
  Sha256 hash_;
  ByteVector group_;  // arranged samples of a group that is not complete yet
};

}  // namespace logpx::archive
