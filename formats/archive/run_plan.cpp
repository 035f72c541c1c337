#include "formats/archive/run_plan.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::int64_t most_channels = 16;  // how many the adaptive coder tells apart
// Smaller lots share a stream: learning from more rasters is worth more than equal shapes.
constexpr std::uint64_t small_lot = 1 << 14;

bool is_raster(const RasterShape& shape) {
  return shape.width > 1 && shape.channels <= most_channels;
}

}  // namespace

BlockView view_of_bytes(std::size_t size) {
  return {.bytes = static_cast<std::uint32_t>(size), .items = static_cast<std::uint32_t>(size)};
}

std::size_t RunPlan::lot(const LotKey& key) {
  const auto [found, added] = places_.try_emplace(key, lots_.size());
  if (added) lots_.push_back({.key = key});
  return found->second;
}

std::size_t RunPlan::shaped_lot(const MemberPlan& plan) {
  if (plan.for_model) return lot({LotOf::model, {}});
  if (!is_raster(plan.item.shape)) return loose_lot();
  return lot({LotOf::rasters, plan.item.shape});
}

void RunPlan::put(std::size_t at, std::size_t part, std::uint64_t size) {
  Lot& lot = lots_[at];
  lot.size += size;
  size_ += size;
  if (lot.shares.empty() || lot.shares.back().part != part) lot.shares.push_back({part, 0});
  lot.shares.back().end = lot.size;
}

void RunPlan::add(std::size_t part, const MemberPlan& plan, const ContentWalk::Step& step) {
  if (step.shaped > 0) put(shaped_lot(plan), part, step.shaped);
  if (step.loose > 0) put(loose_lot(), part, step.loose);
}

std::size_t RunPlan::lot_of(const RecipeStep& step, std::size_t streams) {
  const bool rasters = step.what == RecipeStep::What::rasters && is_raster(step.shape);
  return lot({rasters        ? LotOf::rasters
              : streams == 0 ? LotOf::bytes
                             : LotOf::contents,
              rasters ? step.shape : RasterShape{}});
}

void RunPlan::add(std::size_t part, const RecipeStep& step, std::size_t streams) {
  if (step.bytes > 0) put(lot_of(step, streams), part, step.bytes);
  const bool is_content =
      step.what == RecipeStep::What::bytes || step.what == RecipeStep::What::rasters;
  const auto contents = places_.find({LotOf::contents, {}});
  if (is_content || contents == places_.end()) return;
  Lot& held = lots_[contents->second];
  if (held.ends.empty() || held.ends.back() < held.size) held.ends.push_back(held.size);
}

void RunPlan::add_decisions(std::size_t part, const CodedDecisions& decisions) {
  for (const std::uint64_t bytes : decisions.bytes)
    if (bytes > 0) put(decision_lot(), part, bytes);
}

std::vector<std::size_t> RunPlan::loose_lots() const {
  std::vector<std::size_t> loose;
  for (std::size_t i = 0; i < lots_.size(); ++i)
    if (is_loose(lots_[i])) loose.push_back(i);
  return loose;
}

std::vector<std::uint64_t> RunPlan::loose_ends() const {
  std::vector<std::uint64_t> ends;
  std::uint64_t before = 0;
  for (const std::size_t i : loose_lots()) {
    for (const Share& share : lots_[i].shares) ends.push_back(before + share.end);
    for (const std::uint64_t end : lots_[i].ends) ends.push_back(before + end);
    before += lots_[i].size;
  }
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

// Puts the next bytes of a lot at the end of a stream.
void RunPlan::place(Lot& lot, std::size_t at, std::uint64_t size) {
  Stream& stream = streams_[at];
  const std::uint64_t begin = lot.placed, end = begin + size;
  auto share = std::ranges::upper_bound(lot.shares, begin, {}, &Share::end);
  for (std::uint64_t done = begin; done < end; ++share) {
    done = std::min(share->end, end);
    stream.shares.push_back({share->part, stream.size + done - begin});
  }
  lot.places.push_back({{at, stream.size, size}, end});
  lot.placed = end;
  stream.size += size;
}

// Stretches may reach from one lot into the next.
void RunPlan::cut_stretches(const std::vector<Stretch>& stretches) {
  const std::vector<std::size_t> loose = loose_lots();
  auto lot = loose.begin();
  for (const auto& [bytes, group] : stretches) {
    if (group == groups_.size()) {
      groups_.push_back(streams_.size());
      streams_.push_back({.what = LotOf::bytes});
    }
    for (std::uint64_t left = bytes; left > 0;) {
      while (lot != loose.end() && lots_[*lot].placed == lots_[*lot].size) ++lot;
      if (lot == loose.end())
        fail(ErrorKind::data, "table of members", "has longer stretches than content");
      const std::uint64_t part = std::min(left, lots_[*lot].size - lots_[*lot].placed);
      place(lots_[*lot], groups_[group], part);
      left -= part;
    }
  }
  if (std::ranges::any_of(loose, [&](std::size_t i) { return lots_[i].placed != lots_[i].size; }))
    fail(ErrorKind::data, "table of members", "has shorter stretches than content");
}

// The streams of groups come where the first loose lot would.
void RunPlan::close(const std::vector<Stretch>& stretches) {
  std::map<std::int64_t, std::size_t> shared;  // stream of the small lots of so many channels
  for (Lot& lot : lots_) {
    if (is_loose(lot) && !stretches.empty()) {
      if (groups_.empty()) cut_stretches(stretches);
      continue;
    }
    const RasterShape& shape = lot.key.shape;
    std::size_t at = streams_.size();
    if (lot.key.what == LotOf::rasters && lot.size < small_lot)
      at = shared.try_emplace(shape.channels, at).first->second;
    if (at == streams_.size()) streams_.push_back({.what = lot.key.what});
    if (is_loose(lot)) groups_.push_back(at);
    place(lot, at, lot.size);
    if (lot.key.what == LotOf::rasters)
      streams_[at].rasters.push_back({shape, static_cast<std::int64_t>(lot.size) / shape.size()});
  }
  if (!stretches.empty() && groups_.empty())
    fail(ErrorKind::data, "table of members", "has stretches of no bytes");
}

// Whole items of the model, then the symbols that are left over: a last item if the model takes
// shorter ones, else a block of bytes.
void RunPlan::cut_items(const Stream& stream, BlockView& block) const {
  const auto item = static_cast<std::uint64_t>(units_.item->shape.size());
  const std::uint64_t left = stream.size - cut_;
  const std::uint64_t there = units_.short_last ? (left + item - 1) / item : left / item;
  const std::uint64_t items = std::min(there, static_cast<std::uint64_t>(items_per_block(units_)));
  block.for_model = items > 0;
  block.bytes = static_cast<std::uint32_t>(items > 0 ? std::min(items * item, left) : left);
  block.items = static_cast<std::uint32_t>(items > 0 ? items : left);
  const RasterShape& shape = units_.item->shape;
  if (!units_.sequence && is_raster(shape) && shape.height > 1) block.rasters = {{shape, 0}};
}

// Whole rasters; rows of one width together form one raster.
void RunPlan::cut_rasters(const Stream& stream, BlockView& block) {
  while (raster_run_ < stream.rasters.size()) {
    if (rasters_left_.count == 0) rasters_left_ = stream.rasters[raster_run_];
    const std::int64_t size = rasters_left_.shape.size();
    const std::int64_t room =
        (static_cast<std::int64_t>(block_bytes(units_.effort)) - block.bytes) / size;
    if (room <= 0 && block.bytes > 0) return;
    const std::int64_t count = std::clamp<std::int64_t>(room, 1, rasters_left_.count);
    RasterRun taken{rasters_left_.shape, count};
    if (taken.shape.height == 1) taken = {{count, taken.shape.width, taken.shape.channels}, 1};
    block.rasters.push_back(taken);
    block.bytes += static_cast<std::uint32_t>(count * size);
    rasters_left_.count -= count;
    if (rasters_left_.count == 0) ++raster_run_;
  }
}

std::optional<BlockView> RunPlan::next_block() {
  while (at_ < streams_.size() && cut_ == streams_[at_].size) {
    ++at_;
    cut_ = 0;
    raster_run_ = 0;
  }
  if (at_ == streams_.size()) return std::nullopt;
  const Stream& stream = streams_[at_];
  BlockView block{.stream = at_, .begin = cut_};
  if (stream.what == LotOf::model) cut_items(stream, block);
  else if (stream.what == LotOf::rasters) cut_rasters(stream, block);
  else
    block.bytes =
        static_cast<std::uint32_t>(std::min(stream.size - cut_, block_bytes(units_.effort)));
  if (!block.for_model) block.items = block.bytes;
  cut_ += block.bytes;
  return block;
}

std::size_t RunPlan::first_share(const BlockView& block) const {
  const auto& shares = streams_[block.stream].shares;
  const auto found = std::ranges::upper_bound(shares, block.begin, {}, &Share::end);
  return static_cast<std::size_t>(found - shares.begin());
}

}  // namespace logpx::archive
