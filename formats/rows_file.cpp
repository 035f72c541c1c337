#include "formats/rows_file.hpp"

#include "formats/draw/row_text.hpp"
#include "formats/file/suffix.hpp"
#include "formats/mol/molecule_lines.hpp"
#include "formats/npy.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace logpx {
namespace {

static_assert(std::endian::native == std::endian::little);  // what the types below say

bool is_array(const std::string& format) { return format == "npy" || format == "npz"; }

const char* numpy_type(Element element) {
  switch (element) {
    case Element::u8: return "|u1";
    case Element::u16: return "<u2";
    case Element::i16: return "<i2";
    case Element::f32: break;
  }
  return "<f4";
}

}  // namespace

void require_form(const RowsForm& form) {
  const DatasetInfo& info = form.info;
  const bool molecules = info.content == Content::molecules, table = info.is_table();
  const bool fits = is_array(form.format)  ? !molecules
                    : form.format == "csv" ? table
                                           : info.is_text() || molecules;
  if (fits) return;
  const char* const rows = table            ? "rows of a table"
                           : molecules      ? "molecules"
                           : info.is_text() ? "texts"
                                            : "pictures";
  fail(ErrorKind::usage, "--output",
       "is to be " + format_title(form.format) + ", and the samples are " + rows,
       std::string("-o samples.") + (table            ? "csv"
                                     : molecules      ? "smi"
                                     : info.is_text() ? "txt"
                                                      : "npy"));
}

RowsFile::RowsFile(const std::string& target, Overwrite overwrite, RowsForm form)
    : payload_(target, overwrite), form_(std::move(form)) {
  if (form_.format == "npz") {
    zip_ = std::make_unique<ZipWriter>(
        payload_.name(), [this](std::span<const std::byte> bytes) { payload_.write(bytes); });
    const auto size = static_cast<std::uint64_t>(form_.info.n) * form_.info.row_bytes();
    zip_->begin("x.npy", array_header().size() + size);
  }
  if (is_array(form_.format)) write(array_header());
  else write((form_.numbered.empty() ? "" : form_.numbered + ',') + draw::row_header(form_.info));
}

std::string RowsFile::array_header() const {
  std::vector<std::int64_t> shape = {form_.info.n};
  shape.insert(shape.end(), form_.info.shape.begin(), form_.info.shape.end());
  return npy_header(numpy_type(form_.info.element), shape);
}

void RowsFile::write(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  zip_ == nullptr ? payload_.write(bytes) : zip_->write(bytes);
}

// Names that sort as the rows do.
void RowsFile::write_numbered(const Rows& rows) {
  constexpr std::size_t digits = 7;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows.count); ++row) {
    const std::string number = std::to_string(++appended_);
    std::vector<std::string> cells = draw::row_cells(form_.info, rows, row);
    cells.insert(cells.begin(),
                 'r' + std::string(digits - std::min(digits, number.size()), '0') + number);
    write(join_list(cells) + '\n');
  }
}

void RowsFile::append(const Rows& rows) {
  if (!form_.numbered.empty()) return write_numbered(rows);
  if (form_.format == "smi" && form_.info.content == Content::molecules)
    return write(smiles_lines(form_.info, rows));
  if (!is_array(form_.format)) return write(draw::row_text(form_.info, rows));
  if (zip_ == nullptr) return payload_.write(rows.x);
  zip_->write(rows.x);
  y_.insert(y_.end(), rows.y.begin(), rows.y.end());
  lengths_.insert(lengths_.end(), rows.length.begin(), rows.length.end());
}

void RowsFile::add_column(const std::string& name, std::span<const std::int32_t> values) {
  if (values.empty()) return;
  const std::string header = npy_header("<i4", std::vector<std::int64_t>{std::ssize(values)});
  zip_->begin(name + ".npy", header.size() + values.size_bytes());
  write(header);
  zip_->write(std::as_bytes(values));
}

void RowsFile::commit() {
  if (zip_ != nullptr) {
    add_column("y", y_);
    add_column("length", lengths_);
    zip_->finish();
  }
  payload_.commit();
}

}  // namespace logpx
