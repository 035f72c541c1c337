#include "libcore/data/dataset.hpp"

#include "libcore/base/error.hpp"

#include <utility>

namespace logpx {
namespace {

template <typename T>
std::vector<T> part_of_column(const std::vector<T>& column, const Rows& rows, std::int64_t begin,
                              std::int64_t end) {
  if (column.empty()) return {};
  const auto width = static_cast<std::int64_t>(column.size()) / rows.count;
  return {column.begin() + begin * width, column.begin() + end * width};
}

}  // namespace

std::size_t element_size(Element element) {
  switch (element) {
    case Element::u8: return 1;
    case Element::u16:
    case Element::i16: return 2;
    case Element::f32: break;
  }
  return 4;
}

const char* word_of(Content content) {
  static constexpr const char* words[] = {"image", "vector", "symbols", "bytes", "molecules"};
  return words[static_cast<int>(content)];
}

const char* word_of(Measure measure) {
  return measure == Measure::counting ? "counting" : "lebesgue";
}

const char* word_of(Element element) {
  static constexpr const char* words[] = {"u8", "u16", "i16", "f32"};
  return words[static_cast<int>(element)];
}

std::int64_t DatasetInfo::dims() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

std::size_t DatasetInfo::row_bytes() const {
  return static_cast<std::size_t>(dims()) * element_size(element);
}

const Split* DatasetInfo::find_split(std::string_view wanted) const {
  for (const Split& split : splits)
    if (split.name == wanted) return &split;
  return nullptr;
}

bool DatasetInfo::is_text() const {
  return content == Content::bytes || !alphabet.empty() || !tokens.empty();
}

bool DatasetInfo::is_table() const {
  return content == Content::vector || (content == Content::symbols && !is_text());
}

std::string DatasetInfo::column_name(std::int64_t column) const {
  if (column_names.empty()) return "column " + std::to_string(column + 1);
  return column_names[static_cast<std::size_t>(column)];
}

std::string class_name(const std::vector<std::string>& names, std::int32_t label) {
  const auto index = static_cast<std::size_t>(label);
  return label >= 0 && index < names.size() ? names[index] : std::to_string(label);
}

MemoryRows::MemoryRows(DatasetInfo info, Rows rows)
    : info_(std::move(info)), rows_(std::move(rows)) {
  LOGPX_ASSERT(rows_.x.size() == info_.row_bytes() * static_cast<std::size_t>(info_.n) &&
               rows_.count == info_.n);
}

Rows MemoryRows::read(std::int64_t begin, std::int64_t end) {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= info_.n);
  return slice_rows(rows_, begin, end);
}

Rows slice_rows(const Rows& rows, std::int64_t begin, std::int64_t end) {
  LOGPX_ASSERT(0 <= begin && begin <= end && end <= rows.count);
  Rows part;
  part.count = end - begin;
  part.x = part_of_column(rows.x, rows, begin, end);
  part.y = part_of_column(rows.y, rows, begin, end);
  part.length = part_of_column(rows.length, rows, begin, end);
  part.true_logp = part_of_column(rows.true_logp, rows, begin, end);
  part.latent = part_of_column(rows.latent, rows, begin, end);
  part.source = part_of_column(rows.source, rows, begin, end);
  part.smiles = part_of_column(rows.smiles, rows, begin, end);
  return part;
}

}  // namespace logpx
