// Shows rows: images and molecules on a sheet, points as a scatter plot, others as text.
#include "formats/dataset_file.hpp"
#include "formats/draw/preview.hpp"
#include "formats/draw/row_picture.hpp"
#include "formats/draw/row_text.hpp"
#include "formats/samples_file.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "tools/frame/app.hpp"
#include "tools/frame/shared_options.hpp"
#include "tools/views/molecule_view.hpp"
#include "tools/views/order_view.hpp"
#include "tools/views/picture_output.hpp"
#include "tools/views/scores_view.hpp"
#include "tools/views/smiles_view.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace logpx;

namespace {

struct Options {
  std::string data, output, grid;
  std::int64_t scale = 0, width = 80;
  RowChoice rows;
  std::vector<std::int64_t> dims;
  bool labels = false, invert = false, preview = false;
  OrderView orders;
  SmilesView smiles;

  void describe(Fields& f) {
    f.group("input");
    Field& file =
        f.add("data", data, "a dataset, samples or scores; FILE.h5:SPLIT shows one split");
    file.positional().required().metavar("FILE[:SPLIT]").files("*.h5 of dataset samples scores");
    const RowChoice::Options chosen = rows.describe(f, "show");
    chosen.rows.rank(Rank::shown);
    chosen.limit.shows_default("100, or the grid; all for a file of SMILES");
    describe_output(f, output, "where to write the PNG, SVG or SMILES; text needs none",
                    {{"png", "svg", "smi"}});
    f.add("preview", preview, "print images as coloured half blocks, for terminals");
    smiles.describe(f);
    f.group("picture");
    f.add("grid", grid, "images across and down").metavar("CxR").shows_default("as samples ask");
    f.add("scale", scale, "pixels of the sheet per pixel of an image")
        .range(0, 64)
        .shows_default("about 960 wide");
    f.add("labels", labels, "write classes under images, colour points by class");
    f.add("invert", invert, "show images with dark and light exchanged");
    f.add("dims", dims, "the two columns of a scatter plot").metavar("A,B").shows_default("0,1");
    f.add("width", width, "characters per line of --preview").range(8, 1000);
    orders.describe(f);
  }
};

enum class Form { sheet, scatter, molecules, preview, text };

// The form of the output; options without effect on it are refused.
Form form_of(App& app, const Options& o, const DatasetInfo& info) {
  const bool images = info.content == Content::image;
  if (o.preview && (!images || !o.output.empty() || o.orders.asked()))
    fail(ErrorKind::usage, "--preview",
         images ? "replaces -o and pictures of orders; leave it out"
                : "shows images; these rows are text");
  if (!o.orders.gives_table(o.output)) check_picture_name(info, o.output);
  const bool image = images && !o.orders.gives_table(o.output);
  if (image && !o.preview && o.output.empty())
    fail(ErrorKind::usage, "", "missing --output PATH: images are shown as a PNG",
         "-o sheet.png, or --preview for the terminal");
  const Form drawn = info.content == Content::molecules ? Form::molecules : Form::scatter;
  const Form form =
      image ? (o.preview ? Form::preview : Form::sheet) : (o.output.empty() ? Form::text : drawn);
  const bool picture = form != Form::preview && form != Form::text;
  const std::pair<const char*, bool> useful[] = {{"--grid", image || form == Form::molecules},
                                                 {"--invert", image},
                                                 {"--labels", picture},
                                                 {"--dims", form == Form::scatter},
                                                 {"--json", picture},
                                                 {"--scale", form == Form::sheet},
                                                 {"--width", form == Form::preview}};
  for (const auto& [option, use] : useful)
    if (!use && is_given(app.fields(), option)) fail(ErrorKind::usage, option, "does nothing here");
  if (o.labels && !info.has_labels) fail(ErrorKind::data, o.data, "has no labels");
  return form;
}

// Samples may set the number of columns, and are then all shown.
draw::SheetOptions sheet_options(const Options& o, Form form, const OpenRows& source) {
  draw::SheetOptions sheet;
  sheet.scale = static_cast<int>(o.scale);
  sheet.tone = o.invert ? draw::Tone::inverted : draw::Tone::as_is;
  if (form == Form::preview) sheet.columns = 4, sheet.scale = 1, sheet.gap = 1;
  if (form == Form::sheet && !o.rows.chosen()) sheet.columns = source.grid_columns;
  set_grid(sheet, o.grid);
  return sheet;
}

// The default without --limit and --rows: what a grid holds, all points, or the first few rows.
std::optional<std::int64_t> limit_of(const Options& o, Form form, const draw::SheetOptions& sheet) {
  if (o.rows.limit) return o.rows.limit;
  if (!o.orders.path.empty() && !o.rows.range) return 1;
  if (sheet.rows > 0) return std::int64_t{sheet.columns} * sheet.rows;
  if (o.rows.range || form == Form::scatter || (form == Form::sheet && sheet.columns > 0))
    return std::nullopt;
  return form == Form::preview ? 8 : 100;
}

void run(App& app, Options& o) {
  const DatasetName name = parse_dataset_name(o.data);
  ArtifactFile artifact(name.path);
  if (artifact.kind() == ArtifactKind::scores)
    return show_scores(app, ScoresFile(std::move(artifact)), {name, o.rows});
  const OpenRows source = open_rows(std::move(artifact));
  const DatasetInfo& info = source.rows->info();
  app.add_input({.role = "data",
                 .path = name.path,
                 .kind = word_of(source.kind),
                 .content_hash = source.content_hash});
  if (!o.orders.asked() && o.smiles.show(app, {*source.rows, name, o.rows, o.output})) return;
  const Form form = form_of(app, o, info);
  const draw::SheetOptions sheet = sheet_options(o, form, source);
  const RowSelection selection =
      select_rows(info, name, "", {o.rows.range, limit_of(o, form, sheet)});
  if (o.orders.asked()) return o.orders.show(app, source, selection, sheet, o.output);
  const Rows rows = source.rows->read(selection.begin, selection.end);
  const draw::Labels labels = o.labels ? draw::Labels::shown : draw::Labels::hidden;
  switch (form) {
    case Form::sheet:
      return write_png(app, o.output, draw::sheet_of_rows(info, rows, sheet, labels), rows.count);
    case Form::scatter:
      return write_png(app, o.output, draw::scatter_of_rows(info, rows, o.dims, labels),
                       rows.count);
    case Form::molecules: return draw_molecules(app, o.output, {info, rows}, sheet, labels);
    case Form::preview:
      app.print(draw::half_blocks(draw::sheet_of_rows(info, rows, sheet, labels),
                                  static_cast<int>(o.width)));
      break;
    case Form::text: app.print(draw::row_header(info) + draw::row_text(info, rows)); break;
  }
  app.result().set("rows", rows.count);
}

const ToolSpec spec = {
    .name = "view-samples",
    .purpose = "show images, points or text of a dataset or of samples",
    .usage = {"FILE[:SPLIT] -o sheet.png|.svg [options]", "FILE[:SPLIT] [--preview] [options]"},
    .examples = {{"view-samples digits.h5:test -o sheet.png", "the first 100 images on a sheet"},
                 {"view-samples ring.h5 -o ring.png --limit 5000 --labels", "points of the plane"},
                 {"view-samples molecules.h5 -o s.smi", "molecules, a line of SMILES each"},
                 {"view-samples scores.h5", "what elbo-eval --per-example wrote, as a table"}},
    .without_effect = {"seed", "memory"},
};

}  // namespace

int main(int argc, char** argv) { return run_tool<Options>(argc, argv, spec, run); }
