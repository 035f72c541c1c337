#include "formats/import/array_importer.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>
#include <cstring>

namespace logpx {
namespace {

constexpr std::uint64_t array_chunk_bytes = std::uint64_t{4} << 20;

// The elements of an array in row order, whatever order the file has them in.
class ElementReader {
 public:
  explicit ElementReader(OpenArray array) : array_(std::move(array)) {
    if (array_.layout.column_major && array_.layout.sizes.size() > 1) transpose_by_spool();
  }

  [[nodiscard]] const ArrayLayout& layout() const { return array_.layout; }
  [[nodiscard]] const std::string& name() const { return array_.stream->name(); }
  [[nodiscard]] std::int64_t next_row() const { return row_; }
  [[nodiscard]] std::int64_t rows_left() const { return array_.layout.sizes[0] - row_; }

  // The next `count` rows; count <= rows_left().
  [[nodiscard]] std::span<const std::byte> read(std::int64_t count) {
    raw_.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(row_bytes()));
    if (spool_) gather(count);
    else if (const std::size_t got = array_.stream->read(raw_); got < raw_.size())
      fail_payload(array_.layout, static_cast<std::uint64_t>(row_) * row_bytes() + got, name());
    row_ += count;
    return raw_;
  }

  // The end of the stream; what is too long is seen here if it was not before.
  [[nodiscard]] std::optional<SourceFile> finish() {
    if (!spool_ && rows_left() == 0) {
      const std::uint64_t extra = drain(*array_.stream);
      if (extra > 0) fail_payload(array_.layout, array_.layout.bytes() + extra, name());
    }
    return array_.stream->finish();
  }

 private:
  [[nodiscard]] std::uint64_t row_bytes() const { return array_.layout.row_bytes(); }

  void transpose_by_spool() {
    spool_ = std::make_unique<SpoolFile>(spool_folder());
    std::vector<std::byte> buffer(1 << 20);
    while (const std::size_t count = array_.stream->read(buffer))
      spool_->append(std::span(buffer).first(count));
    if (spool_->size() != array_.layout.bytes())
      fail_payload(array_.layout, spool_->size(), name());
  }

  // Element (i, j, k, ...) of [N, A, B, ...] lies at i + N (j + A (k + ...)); the row wants (j, k,
  // ...) with the last index fastest.
  void gather(std::int64_t count) {
    const std::vector<std::int64_t>& sizes = array_.layout.sizes;
    const std::size_t width = number_size(array_.layout.type);
    const auto n = static_cast<std::uint64_t>(sizes[0]), row = static_cast<std::uint64_t>(row_);
    std::vector<std::byte> column(static_cast<std::size_t>(count) * width);
    std::vector<std::int64_t> index(sizes.size(), 0);
    for (std::uint64_t element = 0; element < array_.layout.row_elements(); ++element) {
      std::uint64_t place = 0;
      for (std::size_t axis = sizes.size(); axis-- > 1;)
        place = place * static_cast<std::uint64_t>(sizes[axis]) +
                static_cast<std::uint64_t>(index[axis]);
      spool_->read_at((place * n + row) * width, column);
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        std::memcpy(raw_.data() + i * row_bytes() + element * width, column.data() + i * width,
                    width);
      for (std::size_t axis = sizes.size(); axis-- > 1 && ++index[axis] == sizes[axis];)
        index[axis] = 0;
    }
  }

  OpenArray array_;
  std::unique_ptr<SpoolFile> spool_;
  std::vector<std::byte> raw_;
  std::int64_t row_ = 0;
};

class ArrayImporter final : public Importer {
 public:
  ArrayImporter(std::vector<OpenArray> examples, std::vector<OpenArray> labels,
                const DatasetInfo& info, ImportRecord record)
      : converter_(examples.front().layout, info) {
    info_ = info;
    record_ = std::move(record);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      check_alike(examples.front(), examples[i]);
      if (i < labels.size()) check_labels(examples[i], labels[i]);
      info_.n += examples[i].layout.sizes[0];
    }
    info_.has_labels = !labels.empty();
    for (OpenArray& array : examples) examples_.emplace_back(std::move(array));
    for (OpenArray& array : labels) labels_.emplace_back(std::move(array));
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    while (current_ < examples_.size() && examples_[current_].rows_left() == 0) ++current_;
    if (current_ == examples_.size()) return false;
    ElementReader& source = examples_[current_];
    const std::uint64_t row_bytes =
        std::max<std::uint64_t>(source.layout().row_bytes(), info_.row_bytes());
    const std::uint64_t fitting = array_chunk_bytes / row_bytes;
    const std::int64_t count =
        std::min(source.rows_left(), std::max<std::int64_t>(1, static_cast<std::int64_t>(fitting)));
    const std::int64_t first = source.next_row();
    converter_.append(source.read(count), first, source.name(), rows);
    if (info_.has_labels) read_labels(labels_[current_], rows);
    return true;
  }

  [[nodiscard]] ImportRecord finish_inputs() override {
    for (auto* readers : {&examples_, &labels_})
      for (ElementReader& reader : *readers)
        if (auto source = reader.finish()) record_.sources.push_back(std::move(*source));
    return std::move(record_);
  }

 private:
  static void check_alike(const OpenArray& first, const OpenArray& other) {
    const bool alike = first.layout.type == other.layout.type &&
                       std::equal(first.layout.sizes.begin() + 1, first.layout.sizes.end(),
                                  other.layout.sizes.begin() + 1, other.layout.sizes.end()) &&
                       first.layout.big_endian == other.layout.big_endian;
    if (!alike)
      fail(ErrorKind::data, other.stream->name(),
           "examples differ in type or shape from those of " + first.stream->name());
  }

  static void check_labels(const OpenArray& examples, const OpenArray& labels) {
    const std::int64_t n = examples.layout.sizes[0], m = labels.layout.sizes[0];
    if (labels.layout.row_elements() != 1)
      fail(ErrorKind::data, labels.stream->name(), "labels need an array of rank 1");
    if (n != m)
      fail(ErrorKind::data, "",
           std::to_string(n) + " images in " + examples.stream->name() + ", but " +
               std::to_string(m) + " labels in " + labels.stream->name());
  }

  static void read_labels(ElementReader& source, Rows& rows) {
    const std::int64_t first = source.next_row();
    const std::span<const std::byte> raw = source.read(rows.count);
    const ArrayLayout& layout = source.layout();
    const std::size_t width = number_size(layout.type);
    for (std::int64_t i = 0; i < rows.count; ++i)
      rows.y.push_back(label_of(load_number(raw.data() + static_cast<std::size_t>(i) * width,
                                            layout.type, layout.big_endian),
                                first + i, source.name()));
  }

  RowConverter converter_;
  std::vector<ElementReader> examples_, labels_;
  std::size_t current_ = 0;
};

}  // namespace

OpenArray open_array(std::unique_ptr<ByteStream> stream, const HeaderReader& read_header) {
  ArrayLayout layout = read_header(*stream);
  return {std::move(stream), std::move(layout)};
}

std::vector<OpenArray> open_arrays(std::vector<Input> inputs, const HeaderReader& read_header) {
  std::vector<OpenArray> arrays;
  for (Input& input : inputs)
    arrays.push_back(open_array(std::make_unique<ByteSource>(input.open()), read_header));
  return arrays;
}

std::unique_ptr<Importer> import_arrays(std::vector<OpenArray> examples,
                                        std::vector<OpenArray> labels, const ImportOptions& options,
                                        ImportRecord record) {
  if (!labels.empty() && labels.size() != examples.size())
    fail(ErrorKind::usage, "--labels",
         "names " + std::to_string(labels.size()) + " files, the inputs are " +
             std::to_string(examples.size()));
  const OpenArray& first = examples.front();
  const DatasetInfo info = describe_rows(first.layout, options, first.stream->name());
  return std::make_unique<ArrayImporter>(std::move(examples), std::move(labels), info,
                                         std::move(record));
}

}  // namespace logpx
