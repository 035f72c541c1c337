#include "tools/views/molecule_view.hpp"

#include "formats/draw/molecule_sheet.hpp"
#include "formats/draw/row_text.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "tools/views/picture_output.hpp"

namespace logpx {

void check_picture_name(const DatasetInfo& info, const std::string& output) {
  const bool molecules = info.content == Content::molecules;
  if (molecules && output.ends_with(".png"))
    fail(ErrorKind::usage, "--output",
         "molecules are drawn as lines and letters, and nothing here makes pixels of them",
         "-o sheet.svg");
  if (!molecules && output.ends_with(".svg"))
    fail(ErrorKind::usage, "--output", "images and points are drawn in pixels", "-o sheet.png");
  if (!molecules && output.ends_with(".smi"))
    fail(ErrorKind::usage, "--output", "SMILES are written of molecules; these rows are none");
}

void draw_molecules(App& app, const std::string& output, const MoleculesShown& shown,
                    const draw::SheetOptions& sheet, draw::Labels labels) {
  const AtomTypes types = atom_types_of(shown.info);
  std::vector<draw::MoleculePicture> pictures;
  for (std::int64_t row = 0; row < shown.rows.count; ++row)
    pictures.push_back(draw::picture_of(molecule_of_row(shown.info, shown.rows, row), types));
  draw::MoleculeSheet wanted{.columns = sheet.columns, .rows = sheet.rows};
  if (labels == draw::Labels::shown) wanted.captions = draw::class_names(shown.info, shown.rows);
  const draw::DrawnSheet drawn = draw::sheet_of_molecules(pictures, wanted);
  app.result().set("impossible", drawn.impossible);
  if (drawn.impossible > 0)
    app.say(counted(drawn.impossible, "molecule") +
            " with more bonds at an atom than it can have: dashed rings");
  write_svg(app, output, drawn.svg, {drawn.drawn, drawn.width, drawn.height});
}

}  // namespace logpx
