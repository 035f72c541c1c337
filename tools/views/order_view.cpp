#include "tools/views/order_view.hpp"

#include "formats/draw/row_picture.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/order_pictures.hpp"
#include "libcore/data/order_templates.hpp"
#include "tools/views/kept_orders.hpp"
#include "tools/views/path_view.hpp"
#include "tools/views/picture_output.hpp"

#include <algorithm>
#include <cmath>

namespace logpx {
namespace {

bool is_grey_image(const DatasetInfo& info) {
  return info.content == Content::image && info.element == Element::u8;
}

constexpr const char* map_option = "--order-map";
constexpr const char* frames_option = "--order-frames";
constexpr const char* template_option = "--order-template";

// "dim,mean_step", a line for each dim.
std::string table_of_steps(const OpenRows& source, const RowSelection& selection) {
  const KeptOrders kept = kept_orders(source, selection);
  const DatasetInfo& info = source.rows->info();
  if (info.content == Content::molecules)
    fail(ErrorKind::usage, map_option, "is of rows whose values have places of their own",
         "--order-template ENA");
  require_orders(!kept.orders.order.empty(), map_option, "samples");
  std::string text = "dim,mean_step\n";
  std::int64_t dim = 0;
  for (const double step : mean_steps(info.dims(), kept.orders))
    text += std::to_string(dim++) + ',' + to_text(step) + '\n';
  return text;
}

// "figure,value": the molecules, how well they keep to the order asked for, when each kind of part
// came, and every template with its share.
std::string table_of_templates(const OpenRows& source, const RowSelection& selection,
                               const std::string& wanted) {
  const KeptOrders kept = kept_orders(source, selection);
  const DatasetInfo& info = source.rows->info();
  require_orders(!kept.orders.order.empty() && info.content == Content::molecules, template_option,
                 "molecules");
  const Rows rows = source.rows->read(selection.begin, selection.end);
  const TemplateFigures figures = template_figures(info, rows, kept.orders, wanted);
  std::string text = "figure,value\nmolecules," + std::to_string(kept.orders.count) + '\n';
  const auto add = [&](const std::string& name, double value) {
    text += name + ',' + (std::isnan(value) ? "" : to_text(value)) + '\n';
  };
  add("equal_" + wanted, figures.equal);
  add("tau_" + wanted, figures.tau);
  for (std::size_t kind = 0; kind < kinds_of_parts.size(); ++kind)
    add(std::string("place_") + kinds_of_parts[kind], figures.ranks[kind]);
  for (const auto& [name, share] : figures.shares) add("template_" + name, share);
  return text;
}

}  // namespace

void OrderView::describe(Fields& fields) {
  fields
      .add("order-map", map,
           "when each value became known, on average: black first; without -o a table")
      .rank(Rank::manual);
  fields
      .add("order-frames", frames,
           "each image after so many steps: what came next, what is known, and the image so far")
      .metavar("N,...")
      .rank(Rank::manual);
  fields
      .add("order-template", wanted,
           "how well molecules keep to an order of their bonds (E), other pairs (N) and atoms (A)")
      .metavar("ENA")
      .rank(Rank::manual);
  fields
      .add("order-entropy", by_entropy,
           "whether the policy takes first what is sure: Spearman's rho, as a table")
      .rank(Rank::manual);
  fields
      .add("path", path,
           "steps of a molecule: the graph before and after, the policy, the entropies, the values")
      .metavar("N,...")
      .rank(Rank::manual);
}

void OrderView::check(const std::string& output) const {
  std::vector<const char*> given;
  if (!wanted.empty()) given.push_back(template_option);
  if (by_entropy) given.push_back(entropy_option);
  if (!path.empty()) given.push_back(path_option);
  if (map) given.push_back(map_option);
  if (!frames.empty()) given.push_back(frames_option);
  if (given.size() > 1) fail(ErrorKind::usage, given[0], std::string("excludes ") + given[1]);
  if (!path.empty() && output.empty())
    fail(ErrorKind::usage, path_option, "is a picture", "-o path.svg");
  if (is_table() && !output.empty()) fail(ErrorKind::usage, given[0], "is a table; leave out -o");
  if (!wanted.empty() && !std::ranges::is_permutation(wanted, kinds_of_parts))
    fail(ErrorKind::usage, template_option, "is '" + wanted + "', expected each of E, N and A once",
         "--order-template ENA");
}

draw::Picture OrderView::picture(App& app, const OpenRows& source, const RowSelection& selection,
                                 draw::SheetOptions sheet) const {
  const std::string option = map ? map_option : frames_option;
  const DatasetInfo& info = source.rows->info();
  const KeptOrders kept = kept_orders(source, selection);
  require_orders(!kept.orders.order.empty() && is_grey_image(info), option.c_str(), "images");
  if (map) {
    const OrderPictures pictures = mean_step_map(info, kept.orders);
    return draw::sheet_of_rows(pictures.info, pictures.rows, sheet, draw::Labels::hidden);
  }
  const std::vector<std::int64_t> steps = steps_within(app, option, {frames, info.dims()});
  sheet.columns = static_cast<int>(steps.size());
  sheet.rows = 0;
  const OrderPictures pictures =
      order_frames(info, source.rows->read(selection.begin, selection.end), kept.orders, steps);
  return draw::sheet_of_rows(pictures.info, pictures.rows, sheet, draw::Labels::hidden);
}

void OrderView::show(App& app, const OpenRows& source, const RowSelection& selection,
                     const draw::SheetOptions& sheet, const std::string& output) const {
  check(output);
  const std::int64_t count = selection.end - selection.begin;
  if (!path.empty()) return draw_path(app, source, selection, path, output);
  if (by_entropy) return show_policy_by_entropy(app, source, selection);
  if (!gives_table(output))
    return write_png(app, output, picture(app, source, selection, sheet), count);
  app.print(wanted.empty() ? table_of_steps(source, selection)
                           : table_of_templates(source, selection, wanted));
  app.result().set("rows", count);
}

}  // namespace logpx
