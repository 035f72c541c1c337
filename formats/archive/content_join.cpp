#include "formats/archive/content.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <array>

namespace logpx::archive {

namespace {

// Arrays can change their headers and pixels their format; nothing else has another form.
bool has_form(MemberKind kind, OutputForm form) {
  if (form == OutputForm::same) return true;
  const bool array = form == OutputForm::idx || form == OutputForm::npy;
  return array ? kind == MemberKind::idx || kind == MemberKind::npy
               : kind == MemberKind::pixels || kind == MemberKind::own_png;
}

}  // namespace

const char* word_of(OutputForm form) {
  static constexpr std::array words = {"same", "idx", "npy", "png", "pnm"};
  return words[static_cast<std::size_t>(form)];
}

MemberJoiner::MemberJoiner(const Member& member, const CodingUnits& units, ByteSink out,
                           OutputForm form)
    : plan_(plan_member(member, units)), out_(std::move(out)), form_(form) {
  if (!has_form(member.kind, form))
    fail(ErrorKind::usage, "--to",
         std::string("a member of kind ") + word_of(member.kind) + " has no form " + word_of(form));
  if (member.kind == MemberKind::text) exceptions_ = Exceptions::parse(member.meta);
  if (is_picture()) png_ = parse_png_meta(member.meta);
  if (member.kind == MemberKind::pixels) hash_.update(raster_head(png_));
  if (member.kind == MemberKind::bytes && !member.meta.empty())
    fail(ErrorKind::data, "member", "has a header, although it is plain bytes");
  rasters_left_ = plan_.rasters;
  if (rasters_left_ > 0) tiling_.emplace(plan_.raster, plan_.item.shape, plan_.per_block);
  if (plan_.header_bytes > 0) write_header(member.meta);
}

std::int64_t MemberJoiner::group_rasters() const {
  return std::min(rasters_left_, tiling_->group_rasters());
}

void MemberJoiner::add(ByteView bytes) {
  while (rasters_left_ > 0 && !bytes.empty()) {
    const auto wanted = static_cast<std::size_t>(group_rasters() * plan_.raster.size());
    const ByteView part = bytes.first(std::min(bytes.size(), wanted - group_.size()));
    group_.insert(group_.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
    if (group_.size() < wanted) return;
    rasters_left_ -= group_rasters();
    ByteVector samples = tiling_->restore(group_);
    group_.clear();
    emit(plan_.packed_bits ? pack_bits(samples) : samples);
  }
  if (bytes.empty()) return;
  if (!exceptions_) return emit(bytes);
  ByteVector text(bytes.begin(), bytes.end());
  exceptions_->restore(text, size_);
  emit(text);
}

// Takes bytes of the file in order; samples of a picture wait until it can be written.
void MemberJoiner::emit(ByteView bytes) {
  if (!is_picture()) return write(bytes);
  if (png_.samples.size() + bytes.size() > png_.row_bytes() * png_.height)
    fail(ErrorKind::data, "member", "holds more pixels than its header says");
  png_.samples.insert(png_.samples.end(), bytes.begin(), bytes.end());
}

void MemberJoiner::write(ByteView bytes) {
  hash_.update(bytes);
  size_ += bytes.size();
  out_(bytes);
}

void MemberJoiner::write_header(ByteView header) {
  if (form_ == OutputForm::same) return write(header);
  hash_.update(header);
  size_ += header.size();
  const MemberKind kind = form_ == OutputForm::idx ? MemberKind::idx : MemberKind::npy;
  out_(array_header(kind, array_sizes(header)));
}

void MemberJoiner::write_picture() {
  if (png_.samples.size() != png_.row_bytes() * png_.height)
    fail(ErrorKind::data, "member", "holds fewer pixels than its header says");
  if (plan_.kind == MemberKind::own_png) {
    const auto file = own_png(png_);
    if (!file) fail(ErrorKind::data, "member", "is not a picture that logpx writes");
    hash_.update(*file);
    size_ = file->size();
    return out_(form_ == OutputForm::pnm ? write_pnm(png_) : *file);
  }
  hash_.update(png_.samples);
  size_ = raster_head(png_).size() + png_.samples.size();
  out_(form_ == OutputForm::pnm ? write_pnm(png_) : write_png(png_));
}

MemberEnd MemberJoiner::finish() {
  // A group that is not whole was cut short in the file already: its bytes are in order.
  const ByteVector rest = std::exchange(group_, {});
  emit(rest);
  if (is_picture()) write_picture();
  return {size_, hash_.hex()};
}

}  // namespace logpx::archive
