#include "tools/archives/block_forms.hpp"

#include "formats/archive/sample_headers.hpp"
#include "libcore/codec/adaptive/likely_form.hpp"
#include "tools/archives/symbol_map.hpp"

#include <algorithm>

namespace logpx::compress {
namespace {

using archive::BlockView, archive::RasterRun;
using codec::adaptive::ByteOrder, codec::adaptive::Form, codec::adaptive::Kind,
    codec::adaptive::Sign;

// Tables are rasters of one byte a pixel, too, but with few columns or many more rows.
bool looks_like_picture(const archive::RasterShape& shape) {
  return shape.channels == 1 && shape.width >= 16 && shape.height >= 8 &&
         shape.height <= 8 * shape.width;
}

// What the header of a file says, if the block begins with one; it may be wrong.
std::vector<Form> forms_of_samples(archive::ByteView raw) {
  const auto header = archive::find_samples(raw);
  if (!header) return {};
  const Form form = form_of({.kind = archive::samples_block,
                             .row = header->row,
                             .plane = header->plane,
                             .samples = header->samples});
  const std::uint32_t frame = form.samples.frame();
  return {form, {Kind::records, std::max(form.row, frame), 0}, {Kind::records, frame, 0}};
}

// PNG has samples of 16 bits, the highest byte first: of greys, colours, and colours that are in
// part transparent. Four bytes are a pixel of 8 bits, which is read as well in rows.
void add_samples(std::vector<Form>& forms, const archive::RasterShape& shape) {
  constexpr std::int64_t least_width = 8;
  if (shape.width < least_width || shape.height < 2) return;
  if (shape.channels != 2 && shape.channels != 6 && shape.channels != 8) return;
  forms.push_back({Kind::samples,
                   static_cast<std::uint32_t>(shape.width * shape.channels),
                   static_cast<std::uint32_t>(shape.size()),
                   {static_cast<std::uint8_t>(shape.channels / 2), 2, ByteOrder::big, Sign::none}});
}

}  // namespace

archive::BlockForm block_form(const Form& form) {
  const auto& [channels, bytes, order, sign, offset] = form.samples;
  return {.kind = static_cast<std::uint8_t>(form.kind),
          .row = form.row,
          .plane = form.plane,
          .samples = {channels, bytes, order == ByteOrder::big, sign == Sign::highest_bit, offset}};
}

Form form_of(const archive::BlockForm& block) {
  Form form{static_cast<Kind>(block.kind), block.row, block.plane};
  if (form.kind != Kind::samples) return form;
  const auto& [channels, bytes, big_endian, negative, offset] = block.samples;
  form.samples = {channels, bytes, big_endian ? ByteOrder::big : ByteOrder::little,
                  negative ? Sign::highest_bit : Sign::none, offset};
  return form;
}

std::vector<Form> known_forms(const archive::BlockView& view, archive::ByteView raw, bool packed) {
  if (view.rasters.empty()) return forms_of_samples(raw);
  const auto bytes_of = [](const RasterRun& run) { return run.count * run.shape.size(); };
  const auto most = std::ranges::max_element(view.rasters, {}, bytes_of);
  const archive::RasterShape& shape = most->shape;
  const auto row = static_cast<std::uint32_t>(shape.width * shape.channels);
  if (packed) return {{Kind::bits, (row + 7) / 8, 0}};
  if (shape.channels == 3) {
    if (!codec::adaptive::looks_drawn(values_of(raw), 3)) return {{Kind::rgb, row, 0}};
    return {{Kind::rgb, row, 0}, {Kind::drawn_rgb, row, 0}};
  }
  const Form grey{Kind::grey, row, static_cast<std::uint32_t>(shape.size())};
  if (looks_like_picture(shape)) return {grey};
  if (shape.channels == 1) return {grey, {Kind::records, row, 0}};
  std::vector<Form> forms{{Kind::records, row, 0}, {Kind::grey, row, 0}};
  if (shape.channels == 4) forms.insert(forms.begin(), {Kind::rgba, row, 0});
  add_samples(forms, shape);
  return forms;
}

}  // namespace logpx::compress
