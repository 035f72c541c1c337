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
         std::string("does not begin as this kind should: ") + word_of(member.kind));
  return *layout;
}

bool model_takes(const MemberPlan& plan, const ItemShape& item) {
  return tiles_fit(plan.raster, item.shape) && plan.raster.size() <= largest_tiled &&
         (!plan.packed_bits || item.levels == 2);
}

// For rasters that no model codes: items are whole rasters, or rows of large ones.
void plan_own_items(MemberPlan& plan) {
  if (plan.raster.size() > largest_own_item) {
    plan.rasters *= plan.raster.height;
    plan.raster.height = 1;
  }
  plan.item = {plan.raster, plan.packed_bits ? 2 : 256};
  plan.per_block = std::max<std::int64_t>(1, plain_block / plan.item.shape.size());
}

}  // namespace

std::int64_t items_per_block(const CodingUnits& units) {
  return std::clamp<std::int64_t>(units.block_items, 1,
                                  std::int64_t{max_block_bytes} / units.item->shape.size());
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
    if (plan.item.shape.size() > max_block_bytes) plan.rasters = 0;  // bytes after a header
    return plan;
  }
  plan.item = *units.item;
  plan.per_block = items_per_block(units);
  return plan;
}

std::uint64_t held_bytes(const MemberPlan& plan) {
  const auto raster = static_cast<std::uint64_t>(plan.raster.size());
  const bool picture = plan.kind == MemberKind::pixels || plan.kind == MemberKind::own_png;
  if (picture) return 3 * raster * static_cast<std::uint64_t>(plan.rasters);
  return plan.for_model && plan.rasters > 0 ? 3 * raster : 0;
}

ContentWalk::ContentWalk(const MemberPlan& plan) : plan_(plan), rasters_left_(plan.rasters) {
  if (rasters_left_ > 0) tiling_.emplace(plan_.raster, plan_.item.shape, plan_.per_block);
}

std::int64_t ContentWalk::group() const {
  return std::min(rasters_left_, tiling_->group_rasters());
}

std::uint64_t ContentWalk::wanted() const {
  if (rasters_left_ > 0) return static_cast<std::uint64_t>(group() * plan_.file_bytes());
  const bool items = plan_.for_model && plan_.rasters == 0;
  return static_cast<std::uint64_t>(items ? plan_.per_block * plan_.item.shape.size()
                                          : plain_block);
}

ContentWalk::Step ContentWalk::next(std::uint64_t left) {
  const std::uint64_t size = wanted(), taken = std::min(left, size);
  if (rasters_left_ == 0) {
    // After the samples there are only bytes.
    const bool items = plan_.for_model && plan_.rasters == 0;
    return {taken, items ? taken : 0, items ? 0 : taken};
  }
  const std::int64_t rasters = group();
  rasters_left_ -= rasters;
  if (taken < size) return {taken, 0, taken};  // cut short: stays in the order of the file
  const std::int64_t tiled = tiling_->tiled_samples(rasters),
                     loose = rasters * plan_.raster.size() - tiled;
  return {taken, static_cast<std::uint64_t>(tiled), static_cast<std::uint64_t>(loose)};
}

ByteVector ContentWalk::arrange(ByteVector content, const Step& step) const {
  if (!tiling_ || step.shaped == 0) return content;
  if (plan_.packed_bits) content = unpack_bits(content);
  return tiling_->in_order() ? std::move(content) : tiling_->arrange(content);
}

MemberSplitter::MemberSplitter(const Member& member, const CodingUnits& units, ByteSupply supply)
    : plan_(plan_member(member, units)), supply_(std::move(supply)), walk_(plan_) {
  if (plan_.kind == MemberKind::text) {
    exceptions_ = Exceptions::parse(member.meta);
    if (!units.alphabet.empty()) stand_in_ = units.alphabet.front();
  }
  if (plan_.header_bytes > 0) (void)read(plan_.header_bytes);
}

ByteVector MemberSplitter::read(std::uint64_t size) {
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

bool MemberSplitter::next(Piece& piece) {
  ByteVector bytes = read(walk_.wanted());
  if (bytes.empty()) return false;
  if (exceptions_) exceptions_->replace(bytes, done_ - bytes.size(), stand_in_);
  piece.step = walk_.next(bytes.size());
  piece.bytes = walk_.arrange(std::move(bytes), piece.step);
  return true;
}

}  // namespace logpx::archive
