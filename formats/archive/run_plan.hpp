// Which blocks a run has, what they hold, and for which members: encoder and decoder derive it from
// the members of the run alone. Content of one kind forms a lot: all items of the model, all
// rasters of one shape, all that streams hold, all other bytes, all decisions. Each lot is a
// stream, except that small lots of rasters share one, and that bytes, also those that streams
// hold, may be cut into stretches, of which those of one group are a stream; a stream is cut into
// blocks regardless of where members begin.   [logpx-archive(5)]
#pragma once

#include "formats/archive/content.hpp"
#include "formats/archive/run.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace logpx::archive {

// Rasters of one shape, one after another; a count of 0: as many as there are bytes for.
struct RasterRun {
  RasterShape shape;
  std::int64_t count = 0;
};

// How a block is read.
struct BlockView {
  std::uint32_t bytes = 0, items = 0;  // items of the model if it codes them; else bytes
  bool for_model = false;
  std::vector<RasterRun> rasters = {};  // for the adaptive coder; none: bytes
  std::size_t stream = 0;
  std::uint64_t begin = 0;             // its place in the stream
  std::vector<BlockForm> likely = {};  // what an encoder has found out, the likeliest first
  bool may_read_prime = true;          // what it may do
};
[[nodiscard]] BlockView view_of_bytes(std::size_t size);

class RunPlan {
 public:
  explicit RunPlan(const CodingUnits& units) : units_(units) {}

  // Adds the next step of the run's content, which belongs to its member `part`.
  void add(std::size_t part, const MemberPlan& plan, const ContentWalk::Step& step);
  // The same for a step of a recipe, taken with so many streams open.
  void add(std::size_t part, const RecipeStep& step, std::size_t streams);
  void add_decisions(std::size_t part, const CodedDecisions& decisions);
  // The lots of a member's samples of items and of its loose bytes, from 0.
  [[nodiscard]] std::size_t shaped_lot(const MemberPlan& plan);
  [[nodiscard]] std::size_t loose_lot() { return lot({LotOf::bytes, {}}); }
  [[nodiscard]] std::size_t lot_of(const RecipeStep& step, std::size_t streams);
  [[nodiscard]] std::size_t decision_lot() { return lot({LotOf::decisions, {}}); }

  [[nodiscard]] std::size_t lots() const { return lots_.size(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }  // of all content so far

  // The lots that stretches are cut from, and where content of members and of streams ends in them.
  [[nodiscard]] std::vector<std::size_t> loose_lots() const;
  [[nodiscard]] std::vector<std::uint64_t> loose_ends() const;
  // Once all content is known: decides which lots form a stream, and where each lies. A data error
  // if there are stretches, and not of all loose bytes.
  void close(const std::vector<Stretch>& stretches = {});
  [[nodiscard]] std::size_t streams() const { return streams_.size(); }
  // The stream of each group of bytes, once closed.
  [[nodiscard]] const std::vector<std::size_t>& groups() const { return groups_; }
  struct Place {
    std::size_t stream = 0;
    std::uint64_t begin = 0, size = 0;
  };
  // visit(place) for every part of a lot's bytes from `from` on that lies in one place.
  template <typename Visit>
  void each_place(std::size_t lot, std::uint64_t from, std::uint64_t size,
                  const Visit& visit) const {
    const auto& places = lots_[lot].places;
    auto at = std::ranges::upper_bound(places, from, {}, &PlacedPart::end);
    for (const std::uint64_t end = from + size; from < end; ++at) {
      const std::uint64_t to = std::min(end, at->end), skipped = from - (at->end - at->place.size);
      visit(Place{at->place.stream, at->place.begin + skipped, to - from});
      from = to;
    }
  }

  // The next block; nothing after the last.
  [[nodiscard]] std::optional<BlockView> next_block();
  // visit(part, bytes) for every member that has some in the block.
  template <typename Visit>
  void each_share(const BlockView& block, const Visit& visit) const {
    std::uint64_t from = block.begin;
    const std::uint64_t end = block.begin + block.bytes;
    const std::vector<Share>& shares = streams_[block.stream].shares;
    for (std::size_t i = first_share(block); i < shares.size() && from < end; ++i) {
      const std::uint64_t to = std::min(end, shares[i].end);
      visit(shares[i].part, to - from);
      from = to;
    }
  }

 private:
  enum class LotOf { model, rasters, bytes, contents, decisions };
  struct LotKey {
    LotOf what;
    RasterShape shape;
    friend auto operator<=>(const LotKey&, const LotKey&) = default;
  };
  struct Share {
    std::size_t part;
    std::uint64_t end;
  };
  struct PlacedPart {
    Place place;
    std::uint64_t end;  // in its lot
  };
  struct Lot {
    LotKey key;
    std::uint64_t size = 0;
    std::vector<Share> shares = {};
    std::vector<std::uint64_t> ends = {};  // of the streams whose contents these are
    std::vector<PlacedPart> places = {};
    std::uint64_t placed = 0;
  };
  struct Stream {
    LotOf what;
    std::uint64_t size = 0;
    std::vector<RasterRun> rasters = {};
    std::vector<Share> shares = {};
  };
  static bool is_loose(const Lot& lot) {
    return lot.key.what == LotOf::bytes || lot.key.what == LotOf::contents;
  }
  [[nodiscard]] std::size_t lot(const LotKey& key);
  [[nodiscard]] std::size_t first_share(const BlockView& block) const;
  void put(std::size_t lot, std::size_t part, std::uint64_t size);
  void place(Lot& lot, std::size_t stream, std::uint64_t size);
  void cut_stretches(const std::vector<Stretch>& stretches);
  void cut_items(const Stream& stream, BlockView& block) const;
  void cut_rasters(const Stream& stream, BlockView& block);

  CodingUnits units_;
  std::vector<Lot> lots_;
  std::map<LotKey, std::size_t> places_;  // in lots_
  std::uint64_t size_ = 0;
  std::vector<Stream> streams_;
  std::vector<std::size_t> groups_;
  std::size_t at_ = 0;  // of the next block: its stream, and the bytes of it that are cut
  std::uint64_t cut_ = 0;
  RasterRun rasters_left_;  // of the rasters that the next block begins with
  std::size_t raster_run_ = 0;
};

}  // namespace logpx::archive
