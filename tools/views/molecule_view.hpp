// Molecules as drawings (formats/draw/molecule_sheet).
#pragma once

#include "formats/draw/row_picture.hpp"
#include "libcore/data/dataset.hpp"
#include "tools/frame/app.hpp"

#include <string>

namespace logpx {

// A usage error unless the name of a picture goes with what is drawn: molecules as SVG, all else as
// PNG.
void check_picture_name(const DatasetInfo& info, const std::string& output);

struct MoleculesShown {
  const DatasetInfo& info;
  const Rows& rows;
};
// A sheet of these rows as SVG, in the columns and rows of `sheet`.
void draw_molecules(App& app, const std::string& output, const MoleculesShown& shown,
                    const draw::SheetOptions& sheet, draw::Labels labels);

}  // namespace logpx
