// Orders in which values became known, as pictures or a table (libcore/data/order_pictures).
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
  // Of these rows: a picture, or without an output the numbers behind --order-map. A usage error
  // where the file has no orders, or pictures are asked for of rows that are none.
  void show(App& app, const OpenRows& source, const RowSelection& selection,
            const draw::SheetOptions& sheet, const std::string& output) const;

 private:
  [[nodiscard]] draw::Picture picture(App& app, const OpenRows& source,
                                      const RowSelection& selection,
                                      draw::SheetOptions sheet) const;
};

}  // namespace logpx
