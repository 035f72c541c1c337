// Archives of version 1.0: blocks lie between the beginning and the end of their member, and say
// themselves what they hold.
#include "libcore/base/error.hpp"
#include "libcore/codec/fallback.hpp"
#include "tools/archives/opened_archive.hpp"

namespace logpx::compress {

using archive::Block, archive::Member, archive::MemberEnd;

void ArchiveOpener::take(Member&& member) {
  member_ = std::move(member);
  ++members_;
  if (is_wanted(member_, members_)) begin(member_);
}

ArchiveOpener::Waiting ArchiveOpener::of_version_1(Block&& block) const {
  archive::BlockView view{.bytes = block.raw_bytes, .items = block.items};
  if (!joiner_) return {.block = std::move(block), .view = std::move(view), .wanted = false};
  const archive::MemberPlan& plan = joiner_->plan();
  const archive::ItemShape& item = plan.item;
  const bool shaped =
      block.items > 0 && std::int64_t{block.items} * item.shape.size() == block.raw_bytes;
  if (!shaped && block.items != block.raw_bytes)
    fail(ErrorKind::data, reader_.place(), "declares items that its bytes do not hold");
  view.for_model = shaped && plan.for_model;
  archive::RasterShape seen = item.shape;  // large rasters are rows without a model
  if (!plan.for_model && seen.height == 1) seen.height = block.items;
  const auto form = codec::fallback_form(seen.height, seen.width, seen.channels, item.levels);
  if (shaped && plan.rasters > 0 && form.kind != codec::FallbackKind::bytes)
    view.rasters = {{seen, 0}};
  block.two_levels = form.kind == codec::FallbackKind::binary && !view.rasters.empty();
  return {.block = std::move(block), .view = std::move(view), .wanted = true};
}

void ArchiveOpener::take(MemberEnd&& stored) {
  decode_batch();
  if (!joiner_) return;
  const std::string what = "member " + std::to_string(members_);
  const MemberEnd found = joiner_->finish();
  if (found.size != stored.size)
    fail(ErrorKind::data, what,
         "has " + std::to_string(found.size) + " bytes, expected " + std::to_string(stored.size));
  const bool whole = member_.kind != archive::MemberKind::pixels;  // the size is the file's
  if (whole && member_.size && *member_.size != found.size)
    fail(ErrorKind::data, what,
         "declares " + std::to_string(*member_.size) + " bytes, but " + std::to_string(found.size) +
             " came out");
  if (found.sha256 != stored.sha256) fail(ErrorKind::data, what, "its SHA-256 differs");
  end(member_, found);
}

}  // namespace logpx::compress
