#include "tools/archives/member_input.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/hash.hpp"

#include <algorithm>
#include <utility>

namespace logpx::compress {
namespace {

using namespace archive;

constexpr std::size_t largest_picture = 256u << 20;

// For a PNG: the file and its stream; rows with filters, without, and for our own writer.
std::uint64_t picture_memory(std::uint64_t file_bytes, std::uint64_t pixel_bytes) {
  return 2 * file_bytes + 3 * pixel_bytes;
}

ByteSupply from_memory(const ByteVector& bytes) {
  return [left = ByteView(bytes)](std::span<std::byte> out) mutable {
    const std::size_t count = std::min(out.size(), left.size());
    std::copy_n(left.begin(), count, out.begin());
    left = left.subspan(count);
    return count;
  };
}

Member member_of(const SourceFile& file, const Recognition& how) {
  Member member;
  member.name = how.name;
  member.size = file.size();
  const bool known = file.is_regular() && file.attributes().mode.has_value();
  if (!known || how.times == Times::left_out) return member;
  member.mode = file.attributes().mode;
  member.mtime = file.attributes().mtime;
  member.mtime_ns = file.attributes().mtime_ns;
  return member;
}

// Any file, read as it comes.
class PlainInput final : public MemberInput {
 public:
  PlainInput(std::unique_ptr<SourceFile> file, Member member)
      : file_(std::move(file)), member_(std::move(member)) {}
  [[nodiscard]] const Member& member() const override { return member_; }
  [[nodiscard]] std::string name() const override { return file_->name(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return file_->bytes_read(); }
  [[nodiscard]] Removal removal() const override { return file_->removal(); }
  [[nodiscard]] ByteSupply supply() override {
    return [this](std::span<std::byte> out) {
      const std::size_t count = file_->read(out);
      hash_.update(out.first(count));
      return count;
    };
  }
  [[nodiscard]] MemberEnd end() override {
    if (file_->size() && *file_->size() != file_->bytes_read())
      fail(ErrorKind::io, file_->name(), "changed while it was read");
    return {file_->bytes_read(), hash_.hex()};
  }

 private:
  std::unique_ptr<SourceFile> file_;
  Member member_;
  Sha256 hash_;
};

// A picture as pixels, or a file that had to be read whole to know that it is not one.
class MemoryInput final : public MemberInput {
 public:
  struct Content {
    Member member;
    ByteVector bytes;
    MemberEnd end;
  };
  MemoryInput(std::shared_ptr<const SourceFile> file, Content content)
      : file_(std::move(file)), content_(std::move(content)) {}
  void set_plain(Content plain) { plain_ = std::move(plain); }

  [[nodiscard]] const Member& member() const override { return content_.member; }
  [[nodiscard]] std::string name() const override { return file_->name(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return file_->bytes_read(); }
  [[nodiscard]] ByteSupply supply() override { return from_memory(content_.bytes); }
  [[nodiscard]] std::unique_ptr<MemberInput> as_bytes() override {
    if (!plain_) return nullptr;
    return std::make_unique<MemoryInput>(file_, *std::exchange(plain_, {}));
  }
  [[nodiscard]] MemberEnd end() override { return content_.end; }
  [[nodiscard]] Removal removal() const override { return file_->removal(); }

 private:
  std::shared_ptr<const SourceFile> file_;
  Content content_;
  std::optional<Content> plain_;
};

ByteVector read_whole(SourceFile& file) {
  const auto size = static_cast<std::size_t>(file.size().value());
  ByteVector bytes(size + 1);  // one more, to notice if it has grown
  bytes.resize(file.read(bytes));
  if (bytes.size() != size) fail(ErrorKind::io, file.name(), "changed while it was read");
  return bytes;
}

std::unique_ptr<MemberInput> picture_input(std::unique_ptr<SourceFile> file,
                                           const Recognition& how) {
  MemoryInput::Content plain{member_of(*file, how), read_whole(*file), {}};
  plain.end = {plain.bytes.size(), sha256_hex(plain.bytes)};
  auto png = read_png(plain.bytes);
  MemoryInput::Content pixels{plain.member, {}, plain.end};
  if (png && own_png(*png) == plain.bytes) pixels.member.kind = MemberKind::own_png;
  else if (png && how.pictures == Pictures::pixels) pixels.member.kind = MemberKind::pixels;
  if (pixels.member.kind != MemberKind::bytes) pixels.member.meta = png_meta(*png);
  if (pixels.member.kind == MemberKind::bytes || pixels.member.meta.size() > max_meta_bytes) {
    how.tell(png ? AsBytes::foreign_png : AsBytes::odd_png);
    return std::make_unique<MemoryInput>(std::move(file), std::move(plain));
  }
  const bool exact = pixels.member.kind == MemberKind::own_png;
  if (!exact) {
    const ByteVector raster = WireWriter().raw(raster_head(*png)).raw(png->samples).bytes();
    pixels.end = {raster.size(), sha256_hex(raster)};
  }
  pixels.bytes = std::move(png->samples);
  auto input = std::make_unique<MemoryInput>(std::move(file), std::move(pixels));
  if (exact) input->set_plain(std::move(plain));
  return input;
}

// Bytes that are not in the alphabet must be known before the first block: two passes are made.
void find_exceptions(SourceFile& file, const std::string& alphabet, Member& member) {
  Exceptions found;
  ByteVector buffer(1 << 20);
  while (const std::size_t count = file.read(buffer))
    found.scan(ByteView(buffer).first(count), alphabet);
  file.rewind();
  if (!found.few()) return;
  member.kind = MemberKind::text;
  member.meta = found.serialise();
}

// Packed bits are eight times as long as samples, so they must never be stored.
bool pays(const SampleLayout& layout, const CodingUnits& units) {
  return !layout.packed_bits ||
         (units.item && units.item->levels == 2 && tiles_fit(layout.shape, units.item->shape));
}

}  // namespace

namespace {

bool is_png(ByteView first) {
  return first.size() >= 8 && std::ranges::equal(first.first(8), bytes_of("\x89PNG\r\n\x1a\n"));
}

// Tiled rasters are held whole, in file order and in the order of tiles.
bool fits(const Member& member, const Recognition& how) {
  return held_bytes(plan_member(member, how.units)) <= how.memory;
}

}  // namespace

std::unique_ptr<MemberInput> recognise(std::unique_ptr<SourceFile> file, const Recognition& how) {
  const CodingUnits& units = how.units;
  const ByteView first = file->peek(layout_window);
  if (is_png(first) && file->is_regular() && !units.sequence && how.pictures != Pictures::bytes) {
    const std::uint64_t size = file->size().value();
    const bool small = picture_memory(size, declared_pixel_bytes(first)) <= how.memory;
    if (small && size <= largest_picture) return picture_input(std::move(file), how);
    how.tell(small ? AsBytes::odd_png : AsBytes::memory);
  }
  Member member = member_of(*file, how);
  if (units.sequence) {
    if (!units.alphabet.empty() && file->is_regular())
      find_exceptions(*file, units.alphabet, member);
  } else if (const auto layout = find_layout(first); layout && pays(*layout, units)) {
    Member samples = member;
    samples.kind = layout->kind;
    samples.meta.assign(first.begin(),
                        first.begin() + static_cast<std::ptrdiff_t>(layout->header_bytes));
    if (fits(samples, how)) member = std::move(samples);
    else how.tell(AsBytes::memory);
  }
  return std::make_unique<PlainInput>(std::move(file), std::move(member));
}

}  // namespace logpx::compress
