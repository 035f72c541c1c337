// Members as content: what a file is, the steps in which its samples are arranged, and how they
// become the file again. Both sides follow one plan, which the archive's parameters and the
// member's kind and meta decide.   [logpx-archive(5)]
#pragma once

#include "formats/archive/exceptions.hpp"
#include "formats/archive/layout.hpp"
#include "formats/archive/png_file.hpp"
#include "formats/archive/tiling.hpp"
#include "libcore/base/hash.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace logpx::archive {

// What the archive's parameters say about the items that its model codes.
struct CodingUnits {
  std::optional<ItemShape> item = {};  // nothing without a model
  bool sequence = false;               // an item is a run of symbols of bytes or text, not a raster
  bool short_last = false;             // the model codes a last run of a block that is shorter
  std::string alphabet = {};           // for text: the byte of each symbol; empty for bytes
  std::int64_t block_items = 512;
  Effort effort = Effort::fast;  // for content that no model codes
};

// How the content of a member is divided.
struct MemberPlan {
  MemberKind kind = MemberKind::bytes;
  std::size_t header_bytes = 0;  // of the file, kept in the meta
  std::int64_t rasters = 0;      // 0: no samples, only bytes
  RasterShape raster;            // of each; without a model, rows of large ones
  bool packed_bits = false;
  ItemShape item = {{1, 1, 1}, 256};
  bool for_model = false;  // items are the model's
  std::int64_t per_block = 1;

  [[nodiscard]] std::int64_t file_bytes() const {  // of one raster
    return packed_bits ? raster.size() / 8 : raster.size();
  }
};
// A data error if the meta does not fit the kind.
[[nodiscard]] MemberPlan plan_member(const Member& member, const CodingUnits& units);
// How many items of the model a block has.
[[nodiscard]] std::int64_t items_per_block(const CodingUnits& units);

// The memory that coding or decoding a member takes besides its blocks: tiled rasters and pictures
// are held whole, in both orders, and with filters.
[[nodiscard]] std::uint64_t held_bytes(const MemberPlan& plan);

// The steps of a member's content: a group of rasters, or some bytes. In each, whole items come
// first, then the rest.
class ContentWalk {
 public:
  explicit ContentWalk(const MemberPlan& plan);

  struct Step {
    std::uint64_t content = 0;            // bytes, as the file has them
    std::uint64_t shaped = 0, loose = 0;  // samples of items, and bytes that belong to none
  };
  // How many bytes of content the next step takes, if there are so many.
  [[nodiscard]] std::uint64_t wanted() const;
  [[nodiscard]] Step next(std::uint64_t left);
  // Converts between the order of the file and that of the step, where they differ.
  [[nodiscard]] ByteVector arrange(ByteVector content, const Step& step) const;

 private:
  [[nodiscard]] std::int64_t group() const;

  MemberPlan plan_;
  std::optional<Tiling> tiling_;
  std::int64_t rasters_left_ = 0;
};

// One step's part of a member: items, then the bytes after them.
struct Piece {
  ContentWalk::Step step;
  ByteVector bytes;
};

// Cuts a file into pieces. `supply` gives the file from its beginning, or for pictures (kinds
// pixels and own-png) the samples.
class MemberSplitter {
 public:
  MemberSplitter(const Member& member, const CodingUnits& units, ByteSupply supply);
  [[nodiscard]] const MemberPlan& plan() const { return plan_; }
  [[nodiscard]] bool next(Piece& piece);

 private:
  [[nodiscard]] ByteVector read(std::uint64_t size);

  MemberPlan plan_;
  ByteSupply supply_;
  ContentWalk walk_;
  std::optional<Exceptions> exceptions_;
  char stand_in_ = ' ';
  std::uint64_t done_ = 0;
  bool ended_ = false;
};

// The form of the output: the file as it was, or arrays and pixels in another format.
enum class OutputForm { same, idx, npy, png, pnm };
[[nodiscard]] const char* word_of(OutputForm form);

// Puts pieces together and hands out the file as it grows.
class MemberJoiner {
 public:
  MemberJoiner(const Member& member, const CodingUnits& units, ByteSink out,
               OutputForm form = OutputForm::same);
  [[nodiscard]] const MemberPlan& plan() const { return plan_; }
  void add(ByteView bytes);
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
