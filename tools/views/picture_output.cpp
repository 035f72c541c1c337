#include "tools/views/picture_output.hpp"

#include "formats/draw/png.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace logpx {

void set_grid(draw::SheetOptions& sheet, const std::string& grid) {
  if (grid.empty()) return;
  const auto size = parse_extent(grid);
  if (!size || std::max(size->width, size->height) > 10000)
    fail(ErrorKind::usage, "--grid", "'" + grid + "' is not CxR, such as 8x8");
  sheet.columns = static_cast<int>(size->width), sheet.rows = static_cast<int>(size->height);
}

namespace {

struct FinishedPicture {
  std::string_view bytes;
  const char* kind = "png";
  std::int64_t width = 0, height = 0;
};

void write_picture(App& app, const std::string& output, const FinishedPicture& picture,
                   std::int64_t rows) {
  const std::string size =
      std::to_string(picture.width) + " x " + std::to_string(picture.height) + " pixels";
  if (app.dry_run()) return app.say("would write " + size + " to " + output);
  OutputFile out(output, app.overwrite());
  write_text_file(out, picture.bytes);
  out.commit();
  app.add_output({.role = "picture", .path = output, .kind = picture.kind, .bytes = out.bytes()});
  app.result().set("rows", rows).set("width", picture.width).set("height", picture.height);
  app.say(counted(rows, "row") + ", " + size + " -> " + output);
}

}  // namespace

void write_png(App& app, const std::string& output, const draw::Picture& picture,
               std::int64_t rows) {
  const auto png = draw::png_bytes(picture);
  write_picture(app, output,
                {.bytes = {reinterpret_cast<const char*>(png.data()), png.size()},
                 .width = picture.width(),
                 .height = picture.height()},
                rows);
}

void write_svg(App& app, const std::string& output, const std::string& svg,
               const DrawingSize& size) {
  write_picture(app, output,
                {.bytes = svg,
                 .kind = "svg",
                 .width = std::llround(size.width),
                 .height = std::llround(size.height)},
                size.rows);
}

}  // namespace logpx
