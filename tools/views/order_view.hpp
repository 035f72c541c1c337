// Orders in which values became known, as pictures or tables (libcore/data/order_pictures and
// order_templates).
#pragma once

#include "formats/dataset_file.hpp"
#include "formats/draw/contact_sheet.hpp"
#include "formats/samples_file.hpp"
#include "tools/frame/app.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace logpx {

struct OrderView {
  bool map = false;
  std::vector<std::int64_t> frames = {};
  std::string wanted = {};              // a template
  std::vector<std::int64_t> path = {};  // steps of one molecule
  bool by_entropy = false;              // how the policy goes with the entropies of values

  void describe(Fields& fields);
  [[nodiscard]] bool asked() const { return map || draws() || is_table(); }
  // Pictures, whether or not there is an output.
  [[nodiscard]] bool draws() const { return !frames.empty() || !path.empty(); }
  [[nodiscard]] bool gives_table(const std::string& output) const {
    return is_table() || (map && output.empty());
  }
  // Shows these rows as a picture, or without an output the numbers behind --order-map, or figures
  // of templates. A usage error if the file has no orders, or its rows are of the wrong kind.
  void show(App& app, const OpenRows& source, const RowSelection& selection,
            const draw::SheetOptions& sheet, const std::string& output) const;

 private:
  [[nodiscard]] bool is_table() const { return !wanted.empty() || by_entropy; }
  void check(const std::string& output) const;
  [[nodiscard]] draw::Picture picture(App& app, const OpenRows& source,
                                      const RowSelection& selection,
                                      draw::SheetOptions sheet) const;
};

}  // namespace logpx
