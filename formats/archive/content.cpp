#include "formats/archive/content.hpp"

#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

constexpr std::int64_t plain_block = 1 << 20, largest_own_item = 1 << 22;
// A group of rasters is held in memory, so larger ones are not cut into tiles.
constexpr std::int64_t largest_tiled = 1 << 28;

SampleLayout layout_of(const Member& member) {
  if (member.kind == MemberKind::pixels || member.kind == MemberKind::own_png)
    return png_layout(parse_png_meta(member.meta), member.kind);
  const auto layout = find_layout(member.meta);
  if (!layout || layout->kind != member.kind || layout->header_bytes != member.meta.size())
    fail(ErrorKind::data, "member",
         std::string("has no header of its kind, ") + word_of(member.kind));
  return *layout;
}

bool model_takes(const MemberPlan& plan, const ItemShape& item) {
  return tiles_fit(plan.raster, item.shape) && plan.raster.size() <= largest_tiled &&
         (!plan.packed_bits || item.levels == 2);
}

// Without a model that takes them: whole rasters, or rows of large ones.
void plan_own_items(MemberPlan& plan) {
  if (plan.raster.size() > largest_own_item) {
    plan.rasters *= plan.raster.height;
    plan.raster.height = 1;
  }
  plan.item = {plan.raster, plan.packed_bits ? 2 : 256};
  plan.per_block = std::max<std::int64_t>(1, plain_block / plan.item.shape.size());
}

}  // namespace

RasterShape MemberPlan::seen(std::uint32_t items) const {
  RasterShape shape = item.shape;
  if (!for_model && shape.height == 1) shape.height = items;
  return shape;
}

MemberPlan plan_member(const Member& member, const CodingUnits& units) {
  MemberPlan plan;
  plan.kind = member.kind;
  const bool sequence = member.kind == MemberKind::bytes || member.kind == MemberKind::text;
  if (!sequence) {
    const SampleLayout layout = layout_of(member);
    plan.header_bytes = layout.header_bytes;
    plan.rasters = layout.rasters;
    plan.raster = layout.shape;
    plan.packed_bits = layout.packed_bits;
  }
  const bool text = member.kind == MemberKind::text;
  plan.for_model = units.item && sequence == units.sequence &&
                   (sequence ? text == !units.alphabet.empty() : model_takes(plan, *units.item));
  if (!plan.for_model && sequence) return plan;
  if (!plan.for_model) {
    plan_own_items(plan);
    if (plan.item.shape.size() > max_block_bytes) plan.rasters = 0;  // bytes behind a header
    return plan;
  }
  plan.item = *units.item;
  plan.per_block = std::clamp<std::int64_t>(units.block_items, 1,
                                            std::int64_t{max_block_bytes} / plan.item.shape.size());
  return plan;
}

MemberSplitter::MemberSplitter(const Member& member, const CodingUnits& units, ByteSupply supply)
    : plan_(plan_member(member, units)), supply_(std::move(supply)) {
  if (plan_.kind == MemberKind::text) {
    exceptions_ = Exceptions::parse(member.meta);
    if (!units.alphabet.empty()) stand_in_ = units.alphabet.front();
  }
  rasters_left_ = plan_.rasters;
  if (rasters_left_ > 0) tiling_.emplace(plan_.raster, plan_.item.shape, plan_.per_block);
  if (plan_.header_bytes > 0) (void)read(plan_.header_bytes);
}

ByteVector MemberSplitter::read(std::size_t size) {
  ByteVector bytes;
  while (bytes.size() < size && !ended_) {
    const std::size_t before = bytes.size();
    const std::size_t step = std::min<std::size_t>(size - before, plain_block);
    bytes.resize(before + step);
    const std::size_t got = supply_(std::span(bytes).subspan(before));
    bytes.resize(before + got);
    ended_ = got < step;
  }
  done_ += bytes.size();
  return bytes;
}

// Blocks of whole items, then of the bytes that are left.
void MemberSplitter::put(ByteView bytes, std::int64_t item_bytes) {
  while (!bytes.empty()) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    const bool whole = item_bytes > 0 && size >= item_bytes;
    const std::int64_t items =
        whole ? std::min(plan_.per_block, size / item_bytes) : std::min(size, plain_block);
    const ByteView part = bytes.first(static_cast<std::size_t>(whole ? items * item_bytes : items));
    ready_.push_back({ByteVector(part.begin(), part.end()), static_cast<std::uint32_t>(items)});
    bytes = bytes.subspan(part.size());
  }
}

void MemberSplitter::refill_group() {
  const std::int64_t rasters = std::min(rasters_left_, tiling_->group_rasters());
  rasters_left_ -= rasters;
  const auto wanted = static_cast<std::size_t>(rasters * plan_.file_bytes());
  ByteVector bytes = read(wanted);
  if (bytes.size() < wanted) return put(bytes, 0);  // cut short: in the order of the file
  if (plan_.packed_bits) bytes = unpack_bits(bytes);
  const ByteVector arranged = tiling_->arrange(bytes);
  const auto tiled = static_cast<std::size_t>(tiling_->tiled_samples(rasters));
  put(ByteView(arranged).first(tiled), plan_.item.shape.size());
  put(ByteView(arranged).subspan(tiled), 0);
}

void MemberSplitter::refill() {
  if (rasters_left_ > 0) return refill_group();
  // Behind the samples there are only bytes.
  const std::int64_t item = plan_.for_model && plan_.rasters == 0 ? plan_.item.shape.size() : 0;
  const std::int64_t wanted = item > 0 ? plan_.per_block * item : plain_block;
  ByteVector bytes = read(static_cast<std::size_t>(wanted));
  if (exceptions_) exceptions_->replace(bytes, done_ - bytes.size(), stand_in_);
  put(bytes, item);
}

bool MemberSplitter::next(RawBlock& block) {
  while (ready_.empty() && !ended_) refill();
  if (ready_.empty()) return false;
  block = std::move(ready_.front());
  ready_.pop_front();
  return true;
}

}  // namespace logpx::archive
