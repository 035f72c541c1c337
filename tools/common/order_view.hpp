// Orders in which the values of pictures became known, as pictures (libcore/data/order_pictures).
#pragma once

#include "formats/dataset_file.hpp"
#include "formats/draw/contact_sheet.hpp"
#include "formats/samples_file.hpp"
#include "tools/common/app.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

struct OrderView {
  bool map = false;
  std::vector<std::int64_t> frames = {};

  void describe(Fields& fields);
  [[nodiscard]] bool asked() const { return map || !frames.empty(); }
  // Of these rows. A data error where the file has no orders of pictures.
  [[nodiscard]] draw::Picture picture(App& app, const OpenRows& source,
                                      const RowSelection& selection,
                                      draw::SheetOptions sheet) const;
};

}  // namespace logpx
