#include "tools/common/order_view.hpp"

#include "formats/draw/row_picture.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/order_pictures.hpp"

#include <algorithm>

namespace logpx {
namespace {

// Rows of a code of so many numbers each; nothing where there is no such code.
template <typename T>
std::span<const T> chosen_code(const std::vector<NamedTensor>& codes, const std::string& name,
                               const RowSelection& selection, std::int64_t each) {
  const h5::Value* const code = find_tensor(codes, name);
  if (code == nullptr || code->type != h5::value_type_of<T>() ||
      std::ssize(code->as<T>()) < selection.end * each)
    return {};
  return code->as<T>().subspan(at(selection.begin * each),
                               at((selection.end - selection.begin) * each));
}

}  // namespace

void OrderView::describe(Fields& fields) {
  fields.add("order-map", map, "when each value became known, on average: black first, white last")
      .rank(Rank::manual);
  fields
      .add("order-frames", frames,
           "each image after so many steps: what came next, what is known, and the image so far")
      .metavar("N,...")
      .rank(Rank::manual);
}

draw::Picture OrderView::picture(App& app, const OpenRows& source, const RowSelection& selection,
                                 draw::SheetOptions sheet) const {
  if (map && !frames.empty()) fail(ErrorKind::usage, "--order-map", "excludes --order-frames");
  const std::string option = map ? "--order-map" : "--order-frames";
  auto* const samples = dynamic_cast<SamplesFile*>(source.rows.get());
  const DatasetInfo& info = source.rows->info();
  const std::vector<NamedTensor> codes =
      samples != nullptr ? samples->codes() : std::vector<NamedTensor>();
  const std::int64_t dims = info.dims();
  ValueOrders orders{.count = selection.end - selection.begin,
                     .order = chosen_code<std::int32_t>(codes, "order", selection, dims)};
  if (orders.order.empty() || info.content != Content::image || info.element != Element::u8 ||
      std::ranges::any_of(orders.order, [&](auto dim) { return dim < -1 || dim >= dims; }))
    fail(ErrorKind::usage, option, "needs images with the order of their values",
         "sample-model --order-trace steps writes such");
  if (map) {
    const OrderPictures pictures = mean_steps(info, orders);
    return draw::sheet_of_rows(pictures.info, pictures.rows, sheet, draw::Labels::hidden);
  }
  orders.policy = chosen_code<float>(codes, "policy", selection, dims * dims);
  std::vector<std::int64_t> steps;
  for (const std::int64_t step : frames)
    if (step >= 1 && step <= dims) steps.push_back(step);
  if (steps.empty())
    fail(ErrorKind::usage, option, "names no step from 1 to " + std::to_string(dims));
  if (steps.size() < frames.size())
    app.warn(option + " leaves out steps that are not from 1 to " + std::to_string(dims));
  sheet.columns = static_cast<int>(steps.size());
  sheet.rows = 0;
  const OrderPictures pictures =
      order_frames(info, source.rows->read(selection.begin, selection.end), orders, steps);
  return draw::sheet_of_rows(pictures.info, pictures.rows, sheet, draw::Labels::hidden);
}

}  // namespace logpx
