#include "tools/views/made_rows.hpp"

#include "formats/dataset_file.hpp"
#include "formats/rows_file.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/data/splits.hpp"
#include "tools/frame/progress.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace logpx {
namespace {

std::string target_of(const App& app) { return app.fields().find_option("--output")->text(); }

// Hands over all rows, some at a time.
template <typename Take>
void visit_rows(App& app, RowSource& source, Take take) {
  const DatasetInfo& info = source.info();
  const auto progress = app.progress("row", static_cast<double>(info.n));
  const std::int64_t batch = std::max<std::int64_t>(
      64, (std::int64_t{8} << 20) / static_cast<std::int64_t>(info.row_bytes()));
  for (std::int64_t begin = 0; begin < info.n; begin += batch) {
    progress->update(static_cast<double>(begin));
    take(source.read(begin, std::min(begin + batch, info.n)));
  }
}

}  // namespace

FileRecord write_made_dataset(App& app, RowSource& source, const DatasetInfo& info) {
  OutputFile out(target_of(app), app.overwrite());
  DatasetWriter writer(out, info, &app.workers());
  std::vector<std::int32_t> labels;
  visit_rows(app, source, [&](const Rows& rows) {
    writer.append(rows);
    labels.insert(labels.end(), rows.y.begin(), rows.y.end());
  });
  if (info.has_labels && is_given(app.fields(), "--split"))  // else few rows may be intended
    for (const std::string& warning : lacking_classes(info, labels)) app.warn(warning);
  const std::string hash = writer.finish(info, app.provenance());
  out.commit();
  return {.role = "dataset",
          .path = out.target(),
          .kind = "dataset",
          .bytes = out.bytes(),
          .content_hash = hash,
          .provenance = {}};
}

FileRecord write_made_rows(App& app, RowSource& source, DatasetInfo info) {
  const std::string path = target_of(app);
  info.has_true_logp = false;
  RowsFile file(path, app.overwrite(),
                {"csv", info, info.id_columns.empty() ? "" : info.id_columns.front()});
  visit_rows(app, source, [&](Rows rows) {
    rows.true_logp.clear();
    file.append(rows);
  });
  file.commit();
  return {.role = "rows", .path = path, .kind = "csv", .bytes = file.bytes()};
}

}  // namespace logpx
