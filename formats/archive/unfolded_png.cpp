#include "formats/archive/unfolded_png.hpp"

#include "formats/archive/png_rows.hpp"
#include "formats/archive/stream_trial.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx::archive {
namespace {

using What = RecipeStep::What;

constexpr std::size_t signature_bytes = 8, header_bytes = 13, around_chunk = 12;
constexpr std::size_t most_png = 16u << 20, most_pixels = 64u << 20;
constexpr std::int64_t whole_picture = 1 << 22, rows_together = 1 << 20;  // bytes
constexpr std::size_t zlib_header = 2;

std::size_t png_number(ByteView bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | std::to_integer<std::size_t>(bytes[at + i]);
  return value;
}

Unfolded step(RecipeStep made, ByteVector content = {}) {
  made.bytes = content.size();
  return {.step = made, .content = std::move(content)};
}
Unfolded open_layer(RecipeStep made) {
  made.what = What::open;
  return {.step = made};
}
Unfolded close_layer() { return {.step = RecipeStep{.what = What::close}}; }

bool take_head(PngStreams& png, ByteView data) {
  if (data.size() != header_bytes) return false;
  WireWriter meta;
  meta.u32(static_cast<std::uint32_t>(png_number(data, 0)));
  meta.u32(static_cast<std::uint32_t>(png_number(data, 4))).raw(data.subspan(8, 2));
  if (data[10] != std::byte{0} || data[11] != std::byte{0}) return false;
  png.interlaced = data[12] != std::byte{0};
  png.head = parse_png_meta(meta.bytes());
  return png.head.row_bytes() * png.head.height <= most_pixels;
}

// Takes one of the chunks that hold pixels: all but the last have the length of the first.
bool take_data(PngStreams& png, ByteView data, bool& had_shorter) {
  if (png.stream.empty()) png.chunk = data.size();
  if (had_shorter || data.empty() || data.size() > png.chunk) return false;
  had_shorter = data.size() < png.chunk;
  png.stream.insert(png.stream.end(), data.begin(), data.end());
  return true;
}

// Samples as they lie in rows, without filters.
class RowTaker final : public ContentTaker {
 public:
  RowTaker(const PngPixels& head, UnfoldedSink sink)
      : head_(head), row_(head.row_bytes()), sink_(std::move(sink)) {
    form_ = {.layer = Layer::rows,
             .size = row_,
             .pixel = std::max(1u, head.channels() * head.depth / 8)};
  }
  void add(ByteView content) override {
    filtered_.insert(filtered_.end(), content.begin(), content.end());
    std::size_t at = 0;
    for (; right_ && filtered_.size() - at > row_; at += row_ + 1)
      take_row(ByteView(filtered_).subspan(at, row_ + 1));
    filtered_.erase(filtered_.begin(), filtered_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  [[nodiscard]] bool finish() override {
    if (!right_ || !filtered_.empty() || filters_.size() != head_.height) return false;
    form_.least_sums = 2 * by_sums_ > filters_.size() && by_sums_ > as_before_;
    sink_(open_layer(form_));
    DecisionRecorder recorder;
    for (std::size_t i = 0, before = 0; i < filters_.size(); before = filters_[i++])
      (void)code_filter(recorder, filters_[i],
                        static_cast<int>(form_.least_sums ? least_[i] : before));
    sink_({.channel = row_channel, .decisions = recorder.take()});
    put_samples();
    sink_(close_layer());
    return true;
  }

 private:
  void take_row(ByteView filtered) {
    const int filter = std::to_integer<int>(filtered[0]);
    right_ = filter < png_filters && filters_.size() < head_.height;
    if (!right_) return;
    const std::size_t before = samples_.size();
    samples_.resize(before + row_);
    const std::span<std::byte> row = std::span(samples_).subspan(before);
    const ByteView above =
        before == 0 ? ByteView() : ByteView(samples_).subspan(before - row_, row_);
    unfilter_row(filter, form_.pixel, filtered.subspan(1), above, row);
    const auto is = static_cast<std::uint8_t>(filter);
    as_before_ += is == (filters_.empty() ? 0 : filters_.back()) ? 1 : 0;
    least_.push_back(static_cast<std::uint8_t>(least_filter(form_.pixel, row, above)));
    by_sums_ += is == least_.back() ? 1 : 0;
    filters_.push_back(is);
  }
  // Pictures whole where they are small; rows where a pixel has less than a byte.
  void put_samples() const {
    RasterShape shape = png_layout(head_, MemberKind::pixels).shape;
    if (shape.size() > whole_picture) shape.height = 1;
    const auto size = static_cast<std::size_t>(
        std::max<std::int64_t>(1, rows_together / shape.size()) * shape.size());
    for (ByteView left = samples_; !left.empty();) {
      const ByteView part = left.first(std::min(left.size(), size));
      sink_(step({.what = What::rasters, .shape = shape}, ByteVector(part.begin(), part.end())));
      left = left.subspan(part.size());
    }
  }

  PngPixels head_;
  std::size_t row_;
  RecipeStep form_;
  UnfoldedSink sink_;
  ByteVector filtered_, samples_;
  std::vector<std::uint8_t> filters_, least_;
  std::size_t as_before_ = 0, by_sums_ = 0;
  bool right_ = true;
};

// Content that stays as it is.
class PlainTaker final : public ContentTaker {
 public:
  explicit PlainTaker(UnfoldedSink sink) : sink_(std::move(sink)) {}
  void add(ByteView content) override {
    sink_(step({.what = What::bytes}, ByteVector(content.begin(), content.end())));
  }
  [[nodiscard]] bool finish() override { return true; }

 private:
  UnfoldedSink sink_;
};

std::vector<Unfolded> unfold_stream(const PngStreams& png, std::size_t depth, UnfoldBudget& budget,
                                    const StreamTrial::TakerMaker& taker) {
  const ByteView stream = ByteView(png.stream).subspan(zlib_header);
  StreamTrial trial(depth, budget, taker);
  const std::size_t taken = trial.add(stream);
  if (trial.state() != deflate::StreamState::ended || !trial.finish() || !trial.pays())
    return trial.drop(), std::vector<Unfolded>();
  std::vector<Unfolded> all;
  const auto put = [&](Unfolded unfolded) { all.push_back(std::move(unfolded)); };
  const ByteVector check = trial.check_bytes(Layer::zlib);
  ByteView behind = stream.subspan(taken);
  const bool checked =
      behind.size() >= check.size() && std::ranges::equal(behind.first(check.size()), check);
  if (checked) behind = behind.subspan(check.size());
  put(open_layer({.layer = Layer::chunks, .size = png.chunk}));
  const ByteView header = ByteView(png.stream).first(zlib_header);
  put(step({.what = What::bytes}, ByteVector(header.begin(), header.end())));
  put(trial.opened(checked ? Layer::zlib : Layer::deflate));
  trial.release(put);
  put(close_layer());
  if (!behind.empty()) put(step({.what = What::bytes}, ByteVector(behind.begin(), behind.end())));
  put(close_layer());
  return all;
}

}  // namespace

PngStreams find_png_streams(ByteView bytes) try {
  PngStreams png;
  bool had_shorter = false;
  for (std::size_t at = signature_bytes;;) {
    if (at > most_png) return png;
    if (bytes.size() < at + around_chunk) break;
    const std::size_t size = png_number(bytes, at);
    const ByteView name = bytes.subspan(at + 4, 4);
    const bool holds_pixels = std::ranges::equal(name, bytes_of("IDAT"));
    if (!holds_pixels && png.begin > 0) {
      png.state =
          png.stream.size() > zlib_header ? PngStreams::State::whole : PngStreams::State::none;
      return png;
    }
    if (size > most_png) return png;
    if (bytes.size() < at + size + around_chunk) break;
    const ByteView data = bytes.subspan(at + 8, size);
    if (at == signature_bytes &&
        (!std::ranges::equal(name, bytes_of("IHDR")) || !take_head(png, data)))
      return png;
    if (holds_pixels) {
      if (png.begin == 0) png.begin = at;
      if (png_number(bytes, at + 8 + size) != crc32_of(data, crc32_of(name)) ||
          !take_data(png, data, had_shorter))
        return png;
      png.end = at + size + around_chunk;
    }
    at += size + around_chunk;
  }
  png.state = PngStreams::State::more;
  return png;
} catch (const Error&) {
  return {};
}

std::vector<Unfolded> unfold_png(const PngStreams& png, std::size_t depth, UnfoldBudget& budget) {
  std::vector<Unfolded> unfolded;
  if (!png.interlaced)
    unfolded = unfold_stream(png, depth, budget, [&](UnfoldedSink sink) {
      return std::make_unique<RowTaker>(png.head, std::move(sink));
    });
  if (unfolded.empty())
    unfolded = unfold_stream(png, depth, budget, [&](UnfoldedSink sink) {
      return std::make_unique<PlainTaker>(std::move(sink));
    });
  return unfolded;
}

}  // namespace logpx::archive
