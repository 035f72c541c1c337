#include "libcore/model/fitting_rows.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"
#include "libcore/data/example_dims.hpp"

#include <utility>

namespace logpx {
namespace {

const char* parts_of(const DatasetInfo& data) {
  if (data.content == Content::molecules) return "atoms";
  return data.content == Content::symbols || data.content == Content::bytes ? "symbols" : "values";
}

}  // namespace

void require_length(const ModelInfo& model, const std::string& name, std::int64_t row,
                    std::int64_t length) {
  const std::int64_t longest = longest_example(model.data);
  const std::string what = "row " + std::to_string(row);
  if (length < 1) fail(ErrorKind::data, name, what + " has no " + parts_of(model.data));
  if (model.lengths == Lengths::any || length <= longest) return;
  fail(ErrorKind::data, name,
       what + " has " + std::to_string(length) + ' ' + parts_of(model.data) + ", and this " +
           model.family + " reads up to " + std::to_string(longest),
       model.data.content == Content::molecules
           ? ""
           : "pack-data ... --block " + std::to_string(longest));
}

FittingRows::FittingRows(RowSource& rows, const ModelInfo& model, std::string name)
    : rows_(rows), model_(model), name_(std::move(name)), info_(rows.info()) {
  if (model.lengths == Lengths::whole) info_.has_lengths = false;
}

Rows FittingRows::read(std::int64_t begin, std::int64_t end) {
  Rows rows = rows_.read(begin, end);
  if (model_.lengths == Lengths::whole) {
    rows.length.clear();
    return rows;
  }
  const std::int64_t longest = longest_example(info_);
  for (std::int64_t i = 0; i < rows.count; ++i)
    require_length(model_, name_, begin + i, rows.length.empty() ? longest : rows.length[at(i)]);
  return rows;
}

}  // namespace logpx
