#include "formats/row_table.hpp"

#include "formats/data_description.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

// Chunks compressed side by side; bounds the memory that waits for them.
constexpr std::int64_t bundle_bytes = 4 << 20;

h5::ValueType value_type_of_element(Element element) {
  switch (element) {
    case Element::u8: return h5::ValueType::u8;
    case Element::u16: return h5::ValueType::u16;
    case Element::i16: return h5::ValueType::i16;
    case Element::f32: break;
  }
  return h5::ValueType::f32;
}

// Elements begin..end-1 of a column with `width` elements per row, as bytes.
template <typename T>
std::span<const std::byte> part(const std::vector<T>& column, std::int64_t begin, std::int64_t end,
                                std::int64_t width) {
  return std::as_bytes(std::span(column).subspan(static_cast<std::size_t>(begin * width),
                                                 static_cast<std::size_t>((end - begin) * width)));
}

const char* axes_of(const DatasetInfo& info) {
  if (info.content == Content::image) return "row,height,width,channel";
  if (info.content == Content::molecules) return "row,part";
  return info.is_table() ? "row,column" : "row,position";
}

template <typename T>
bool has_rows(const std::vector<T>& column, bool expected, const Rows& rows, std::int64_t width) {
  return column.size() == (expected ? static_cast<std::size_t>(rows.count * width) : 0);
}

}  // namespace

RowTableWriter::RowTableWriter(ArtifactWriter& artifact, const DatasetInfo& info, Workers* workers)
    : artifact_(&artifact), info_(info), workers_(workers) {
  if (!info.shape.empty())
    x_ = &artifact.column("/data/x",
                          {.type = value_type_of_element(info.element),
                           .row_shape = info.shape,
                           .chunk_bytes = 256 << 10,
                           .filter = info.element == Element::f32 ? h5::Filter::shuffle_deflate
                                                                  : h5::Filter::deflate});
  if (info.has_labels)
    y_ = &artifact.column("/data/y", {.type = h5::ValueType::i32,
                                      .row_shape = {},
                                      .chunk_bytes = 64 << 10,
                                      .filter = h5::Filter::shuffle_deflate});
  if (info.latent_dim > 0)
    latent_ = &artifact.column("/data/latent", {.type = h5::ValueType::f32,
                                                .row_shape = {info.latent_dim},
                                                .chunk_bytes = 64 << 10,
                                                .filter = h5::Filter::deflate});
  const std::int64_t chunk_rows = x_ != nullptr ? x_->column().rows_per_chunk() : 1 << 14;
  const std::int64_t chunk_bytes = chunk_rows * static_cast<std::int64_t>(info.row_bytes());
  bundle_rows_ = chunk_rows * std::max<std::int64_t>(bundle_bytes / chunk_bytes, 1);
}

void RowTableWriter::append(const Rows& rows) {
  LOGPX_ASSERT(rows.x.size() ==
               (x_ != nullptr ? info_.row_bytes() * static_cast<std::size_t>(rows.count) : 0));
  LOGPX_ASSERT(has_rows(rows.y, info_.has_labels, rows, 1));
  LOGPX_ASSERT(has_rows(rows.length, info_.has_lengths, rows, 1));
  LOGPX_ASSERT(has_rows(rows.true_logp, info_.has_true_logp, rows, 1));
  LOGPX_ASSERT(has_rows(rows.source, info_.has_source_rows, rows, 1));
  LOGPX_ASSERT(has_rows(rows.smiles, info_.has_smiles, rows, 1));
  LOGPX_ASSERT(has_rows(rows.latent, info_.latent_dim > 0, rows, info_.latent_dim));
  for (std::int64_t begin = 0; begin < rows.count;) {
    const std::int64_t room = bundle_rows_ - rows_ % bundle_rows_;
    const std::int64_t end = std::min(begin + room, rows.count);
    append_slice(rows, begin, end);
    begin = end;
  }
}

void RowTableWriter::append_slice(const Rows& rows, std::int64_t begin, std::int64_t end) {
  if (x_ != nullptr)
    x_->append(part(rows.x, begin, end, static_cast<std::int64_t>(info_.row_bytes())));
  if (y_ != nullptr) y_->append(part(rows.y, begin, end, 1));
  if (latent_ != nullptr) latent_->append(part(rows.latent, begin, end, info_.latent_dim));
  const auto keep = [&]<typename T>(const std::vector<T>& column, std::vector<T>& kept) {
    if (!column.empty()) kept.insert(kept.end(), column.begin() + begin, column.begin() + end);
  };
  keep(rows.length, length_);
  keep(rows.true_logp, true_logp_);
  keep(rows.source, source_);
  keep(rows.smiles, smiles_);
  rows_ += end - begin;
  if (rows_ % bundle_rows_ != 0) return;
  for (ArtifactColumn* column : {x_, y_, latent_})
    if (column != nullptr) column->flush(workers_);
}

void RowTableWriter::finish(const DatasetInfo& whole) {
  LOGPX_ASSERT(whole.n == rows_ && whole.shape == info_.shape && whole.element == info_.element);
  if (x_ != nullptr) x_->name_axes(axes_of(whole));
  const auto sizes = [](const auto& list) {
    return h5::Shape{static_cast<std::int64_t>(list.size())};
  };
  if (info_.has_lengths && whole.has_lengths)  // a stream may find that no row was short
    artifact_->dataset("/data/length", h5::Value::of<std::int32_t>(length_, sizes(length_)));
  if (info_.has_true_logp)
    artifact_->dataset("/data/true_logp", h5::Value::of<double>(true_logp_, sizes(true_logp_)));
  if (info_.has_source_rows && whole.has_source_rows)  // or that none was left out
    artifact_->dataset("/data/row", h5::Value::of<std::int64_t>(source_, sizes(source_)));
  const auto names = [&](const char* path, const std::vector<std::string>& texts) {
    if (!texts.empty()) artifact_->dataset(path, {h5::ValueType::str, sizes(texts), {}, texts});
  };
  names("/mol/smiles", smiles_);
  names("/labels/names", whole.label_names);
  names("/columns/names", whole.column_names);
  write_facts(*artifact_, "/columns/", form_facts(), whole);
  names("/columns/words", whole.column_words.words);
  if (!whole.column_words.empty()) {
    const std::vector<std::int32_t> counts(whole.column_words.counts.begin(),
                                           whole.column_words.counts.end());
    artifact_->dataset("/columns/word_count", h5::Value::of<std::int32_t>(counts, sizes(counts)));
  }
  const auto reals = [&](const char* path, const std::vector<double>& values) {
    if (!values.empty()) artifact_->dataset(path, h5::Value::of<double>(values, sizes(values)));
  };
  reals("/columns/mean", whole.standardisation.mean);
  reals("/columns/deviation", whole.standardisation.deviation);
  if (!whole.alphabet.empty())
    artifact_->dataset("/alphabet",
                       h5::Value::of<std::uint32_t>(whole.alphabet, sizes(whole.alphabet)));
  names("/tokens/text", whole.tokens);
  if (!whole.tokenizer.empty()) {
    const std::vector<std::uint8_t> model(whole.tokenizer.begin(), whole.tokenizer.end());
    artifact_->dataset("/tokens/model", h5::Value::of<std::uint8_t>(model, sizes(model)));
  }
  std::vector<std::string> splits;
  std::vector<std::int64_t> begins, ends;
  for (const Split& split : whole.splits) {
    splits.push_back(split.name);
    begins.push_back(split.begin);
    ends.push_back(split.end);
  }
  artifact_->dataset("/splits/name", {h5::ValueType::str, sizes(splits), {}, splits});
  artifact_->dataset("/splits/begin", h5::Value::of<std::int64_t>(begins, sizes(begins)));
  artifact_->dataset("/splits/end", h5::Value::of<std::int64_t>(ends, sizes(ends)));
  write_attributes(whole);
}

void RowTableWriter::write_attributes(const DatasetInfo& info) {
  const auto text = [&](const char* name, const std::string& value) {
    artifact_->attribute(name, h5::Value::text(value));
  };
  const auto integer = [&](const char* name, std::int64_t value) {
    artifact_->attribute(name, h5::Value::scalar(value));
  };
  const auto real = [&](const char* name, double value) {
    artifact_->attribute(name, h5::Value::scalar(value));
  };
  text("name", info.name);
  text("source_kind", info.source_kind);
  text("content", word_of(info.content));
  text("measure", word_of(info.measure));
  integer("n", info.n);
  integer("dims", x_ == nullptr ? 0 : info.dims());
  integer("levels", info.levels);
  real("value_min", info.value_min);
  real("value_max", info.value_max);
  if (info.entropy_nats) real("entropy_nats", *info.entropy_nats);
  if (info.intrinsic_dim) integer("intrinsic_dim", *info.intrinsic_dim);
  text("licence", info.licence);
  text("citation", info.citation);
  if (info.lossy_source) integer("lossy_source", 1);
  if (info.has_missing) integer("has_missing", 1);
  for (const auto& [name, value] : info.notes) text(name.c_str(), value);
}

}  // namespace logpx
