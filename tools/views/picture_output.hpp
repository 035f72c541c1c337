// A picture of rows as a PNG or an SVG, with its summary and its place in the report.
#pragma once

#include "formats/draw/contact_sheet.hpp"
#include "formats/draw/picture.hpp"
#include "tools/frame/app.hpp"

#include <cstdint>
#include <string>

namespace logpx {

// "8x5", of --grid: columns and rows of a sheet. Nothing: as the sheet has them.
void set_grid(draw::SheetOptions& sheet, const std::string& grid);

void write_png(App& app, const std::string& output, const draw::Picture& picture,
               std::int64_t rows);

struct DrawingSize {
  std::int64_t rows = 0;
  double width = 0, height = 0;  // pixels
};
void write_svg(App& app, const std::string& output, const std::string& svg,
               const DrawingSize& size);

}  // namespace logpx
