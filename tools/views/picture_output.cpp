#include "tools/views/picture_output.hpp"

#include "formats/draw/png.hpp"
#include "formats/file/output.hpp"
#include "libcore/base/number_text.hpp"

namespace logpx {

void write_png(App& app, const std::string& output, const draw::Picture& picture,
               std::int64_t rows) {
  const std::string size =
      std::to_string(picture.width()) + " x " + std::to_string(picture.height()) + " pixels";
  if (app.dry_run()) return app.say("would write " + size + " to " + output);
  OutputFile out(output, app.overwrite());
  const auto png = draw::png_bytes(picture);
  write_text_file(out, {reinterpret_cast<const char*>(png.data()), png.size()});
  out.commit();
  app.add_output({.role = "picture", .path = output, .kind = "png", .bytes = out.bytes()});
  app.result().set("rows", rows).set("width", picture.width()).set("height", picture.height());
  app.say(counted(rows, "row") + ", " + size + " -> " + output);
}

}  // namespace logpx
