// Shows the rows of a dataset or of samples: images as a contact sheet, points of the plane as a
// scatter plot, anything else as text.
#include "formats/draw/contact_sheet.hpp"
#include "formats/draw/png.hpp"
#include "formats/draw/preview.hpp"
#include "formats/draw/row_text.hpp"
#include "formats/draw/scatter.hpp"
#include "formats/samples_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "tools/common/app.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace logpx;

namespace {

struct Options {
  std::string data, output, grid;
  std::int64_t scale = 0, width = 80;
  std::optional<RowRange> rows;
  std::optional<std::int64_t> limit;
  std::vector<std::int64_t> dims;
  bool labels = false, invert = false, preview = false;

  void describe(Fields& f) {
    f.group("input");
    f.add("data", data, "a dataset or samples; FILE.h5:SPLIT shows one split of a dataset")
        .positional()
        .required()
        .metavar("FILE[:SPLIT]")
        .files("*.h5");
    f.add("rows", rows, "rows A to B-1").metavar("A:B");
    f.add("limit", limit, "the first N of these").at_least(1).shows_default("64, or the grid");
    f.group("output");
    f.add("output", output, "where to write the PNG; not needed for text and --preview")
        .short_name('o')
        .metavar("PATH")
        .output()
        .files("*.png");
    f.add("preview", preview, "print images as coloured half blocks, for terminals");
    f.group("picture");
    f.add("grid", grid, "images across and down").metavar("CxR").shows_default("about square");
    f.add("scale", scale, "pixels of the sheet per pixel of an image")
        .range(0, 64)
        .shows_default("about 960 wide");
    f.add("labels", labels, "write classes under images, colour points by class");
    f.add("invert", invert, "show images with dark and light exchanged");
    f.add("dims", dims, "the two coordinates of a scatter plot")
        .metavar("A,B")
        .shows_default("0,1");
    f.add("width", width, "characters per line of --preview").range(8, 1000);
  }
};

enum class Form { sheet, scatter, preview, text };

bool is_image(const DatasetInfo& info) { return info.content == Content::image; }

// What is to be made; options that would do nothing there are refused.
Form form_of(App& app, const Options& o, const DatasetInfo& info) {
  if (info.content == Content::molecules)
    fail(ErrorKind::data, o.data, "content is molecules; they cannot be shown");
  if (o.preview && (!is_image(info) || !o.output.empty()))
    fail(ErrorKind::usage, "--preview",
         is_image(info) ? "is instead of -o, not with it" : "shows images; these rows are text");
  if (is_image(info) && !o.preview && o.output.empty())
    fail(ErrorKind::usage, "", "missing --output PATH: images are shown as a PNG",
         "-o sheet.png, or --preview for the terminal");
  const Form form = is_image(info) ? (o.preview ? Form::preview : Form::sheet)
                                   : (o.output.empty() ? Form::text : Form::scatter);
  const auto only = [&](const char* option, bool useful) {
    if (!useful && app.fields().find_option(option)->given())
      fail(ErrorKind::usage, option, "does nothing here");
  };
  only("--grid", form == Form::sheet || form == Form::preview);
  only("--invert", form == Form::sheet || form == Form::preview);
  only("--scale", form == Form::sheet);
  only("--labels", form == Form::sheet || form == Form::scatter);
  only("--dims", form == Form::scatter);
  only("--width", form == Form::preview);
  only("--json", form == Form::sheet || form == Form::scatter);
  if (o.labels && !info.has_labels) fail(ErrorKind::data, o.data, "has no labels");
  return form;
}

draw::SheetOptions sheet_options(const Options& o, Form form) {
  draw::SheetOptions sheet;
  sheet.scale = static_cast<int>(o.scale);
  sheet.tone = o.invert ? draw::Tone::inverted : draw::Tone::as_is;
  if (form == Form::preview) sheet.columns = 4, sheet.scale = 1, sheet.gap = 1;
  if (o.grid.empty()) return sheet;
  const auto grid = parse_extent(o.grid);
  if (!grid || std::max(grid->width, grid->height) > 10000)
    fail(ErrorKind::usage, "--grid", "'" + o.grid + "' is not CxR, such as 8x8");
  sheet.columns = static_cast<int>(grid->width);
  sheet.rows = static_cast<int>(grid->height);
  return sheet;
}

// Without --limit and --rows: what a grid holds, all points, else a first impression.
std::optional<std::int64_t> limit_of(const Options& o, Form form, const draw::SheetOptions& sheet) {
  if (o.limit) return o.limit;
  if (sheet.rows > 0) return std::int64_t{sheet.columns} * sheet.rows;
  if (o.rows || form == Form::scatter) return std::nullopt;
  return form == Form::preview ? 8 : 64;
}

draw::Picture sheet_of(const DatasetInfo& info, const Rows& rows, const Options& o,
                       draw::SheetOptions sheet) {
  const auto& shape = info.shape;  // [H, W, C]
  if (shape.size() != 3 || (shape[2] != 1 && shape[2] != 3))
    fail(ErrorKind::data, o.data,
         "has images of " + std::to_string(shape.back()) + " channels; a picture has 1 or 3");
  if (o.labels) sheet.captions = draw::class_names(info, rows);
  if (sheet.rows == 0) sheet.columns = std::min<int>(sheet.columns, static_cast<int>(rows.count));
  return draw::contact_sheet({.pixels = rows.values<std::uint8_t>(),
                              .count = rows.count,
                              .height = static_cast<int>(shape[0]),
                              .width = static_cast<int>(shape[1]),
                              .channels = static_cast<int>(shape[2]),
                              .levels = static_cast<int>(info.levels)},
                             sheet);
}

draw::Picture scatter_of(const DatasetInfo& info, const Rows& rows, const Options& o) {
  const std::int64_t d = info.dims();
  if (o.dims.empty() && (d != 2 || !info.alphabet.empty() || info.content == Content::bytes))
    fail(ErrorKind::usage, "--output", "these rows are no points of the plane",
         "without -o they are printed; --dims 0,1 draws two of their numbers");
  const std::vector<std::int64_t> dims = o.dims.empty() ? std::vector<std::int64_t>{0, 1} : o.dims;
  const auto inside = [&](std::int64_t i) { return i >= 0 && i < d; };
  if (dims.size() != 2 || !std::all_of(dims.begin(), dims.end(), inside))
    fail(ErrorKind::usage, "--dims", "expected two of 0 to " + std::to_string(d - 1));
  draw::ScatterOptions options;
  options.axes = {"x" + std::to_string(dims[0]), "x" + std::to_string(dims[1])};
  if (o.labels) options.classes = rows.y;
  return draw::scatter(draw::points_of(info, rows, {dims[0], dims[1]}), options);
}

void write_png(App& app, const Options& o, const draw::Picture& picture, std::int64_t count) {
  const std::string size =
      std::to_string(picture.width()) + " x " + std::to_string(picture.height()) + " pixels";
  if (app.dry_run()) return app.say("would write " + size + " to " + o.output);
  OutputFile out(o.output, app.overwrite());
  const std::vector<std::byte> png = draw::png_bytes(picture);
  write_text_file(out, {reinterpret_cast<const char*>(png.data()), png.size()});
  out.commit();
  app.add_output({.role = "picture", .path = o.output, .kind = "png", .bytes = out.bytes()});
  app.result().set("rows", count).set("width", picture.width()).set("height", picture.height());
  app.say(std::to_string(count) + " rows, " + size + " -> " + o.output);
}

void run(App& app, Options& o) {
  const DatasetName name = parse_dataset_name(o.data);
  const OpenRows source = open_rows(name.path);
  const DatasetInfo& info = source.rows->info();
  app.add_input({.role = "data",
                 .path = name.path,
                 .kind = word_of(source.kind),
                 .content_hash = source.content_hash});
  const Form form = form_of(app, o, info);
  const draw::SheetOptions sheet = sheet_options(o, form);
  const RowSelection selection =
      select_rows(info, name.split, "", o.rows, limit_of(o, form, sheet));
  const Rows rows = source.rows->read(selection.begin, selection.end);
  switch (form) {
    case Form::sheet: return write_png(app, o, sheet_of(info, rows, o, sheet), rows.count);
    case Form::scatter: return write_png(app, o, scatter_of(info, rows, o), rows.count);
    case Form::preview:
      app.print(draw::half_blocks(sheet_of(info, rows, o, sheet), static_cast<int>(o.width)));
      break;
    case Form::text: app.print(draw::row_header(info) + draw::row_text(info, rows)); break;
  }
  app.result().set("rows", rows.count);
}

const ToolSpec spec = {
    .name = "view-samples",
    .purpose = "show images, points or text of a dataset or of samples",
    .usage = {"FILE[:SPLIT] -o sheet.png [options]", "FILE[:SPLIT] [--preview] [options]"},
    .examples = {{"view-samples digits.h5:test -o sheet.png", "the first 64 images on a sheet"},
                 {"view-samples digits.h5 --preview --limit 8", "a quick look in the terminal"},
                 {"view-samples ring.h5 -o ring.png --limit 5000 --labels", "points of the plane"},
                 {"view-samples text.h5 --rows 10:20", "ten blocks as text"}},
    .without_effect = {"seed", "threads", "memory"},
};

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
