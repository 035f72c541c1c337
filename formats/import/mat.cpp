// MATLAB arrays as rows: which variable, which axis counts the examples, and in what order the
// others make one.
#include "formats/file/signature.hpp"
#include "formats/import/importer.hpp"
#include "formats/import/mat_variable.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace logpx {
namespace {

constexpr std::uint64_t matrix_chunk_bytes = std::uint64_t{8} << 20;
constexpr std::uint64_t max_variable_bytes = std::uint64_t{8} << 30, matrix_expansion = 1100;

// Letters of --axes, one for each size: n examples, h rows, w columns, c channels, d anything.
std::string variable_axes(const MatVariable& variable, const std::string& asked,
                          const std::string& file) {
  static const std::map<std::size_t, std::string> usual = {{2, "nd"}, {3, "hwn"}, {4, "hwcn"}};
  const auto found = usual.find(variable.sizes.size());
  const std::string axes = !asked.empty() ? asked : found == usual.end() ? "" : found->second;
  const bool known = axes.find_first_not_of("nhwcd") == std::string::npos;
  std::string sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  const bool repeated = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (!asked.empty() && (!known || repeated || axes.find('n') == std::string::npos))
    fail(ErrorKind::usage, "--axes",
         "'" + asked + "' is not made of the letters n h w c d, with an n among them");
  if (axes.size() != variable.sizes.size())
    fail(ErrorKind::data, file,
         "variable " + variable.name + " has " + std::to_string(variable.sizes.size()) +
             " axes, --axes names " + std::to_string(axes.size()),
         "--axes hwcn");
  return axes;
}

// How a slab with the first index fastest becomes rows: the axes of one example from slow to fast.
struct RowOrder {
  std::size_t examples = 0;               // the axis
  std::vector<std::size_t> slow_to_fast;  // h, w, c, d

  RowOrder() = default;
  explicit RowOrder(const std::string& axes) : examples(axes.find('n')) {
    for (const char letter : std::string_view("hwcd"))
      if (const std::size_t axis = axes.find(letter); axis != std::string::npos)
        slow_to_fast.push_back(axis);
  }

  [[nodiscard]] std::vector<std::byte> rows_of(const std::vector<std::byte>& slab,
                                               std::vector<std::int64_t> sizes,
                                               std::size_t width) const {
    std::vector<std::uint64_t> strides(sizes.size(), width);
    for (std::size_t i = 1; i < sizes.size(); ++i)
      strides[i] = strides[i - 1] * static_cast<std::uint64_t>(sizes[i - 1]);
    std::vector<std::size_t> order = {examples};
    order.insert(order.end(), slow_to_fast.begin(), slow_to_fast.end());
    std::vector<std::byte> rows(slab.size());
    std::vector<std::int64_t> index(order.size(), 0);
    std::uint64_t place = 0;
    for (std::size_t out = 0; out < rows.size(); out += width) {
      std::memcpy(rows.data() + out, slab.data() + place, width);
      for (std::size_t k = order.size(); k-- > 0;) {
        place += strides[order[k]];
        if (++index[k] < sizes[order[k]]) break;
        place -= strides[order[k]] * static_cast<std::uint64_t>(sizes[order[k]]);
        index[k] = 0;
      }
    }
    return rows;
  }
};

std::map<std::int32_t, std::int32_t> parse_label_map(const std::vector<std::string>& texts) {
  std::map<std::int32_t, std::int32_t> map;
  for (const std::string& text : texts) {
    const std::vector<std::string> parts = split_text(text, ':');
    const auto from = parse_integer(parts[0]);
    const auto to = parts.size() == 2 ? parse_integer(parts[1]) : std::nullopt;
    if (!from || !to || std::abs(*from) > 0x7fffffff || std::abs(*to) > 0x7fffffff)
      fail(ErrorKind::usage, "--label-map", "'" + text + "' is not FROM:TO");
    map[static_cast<std::int32_t>(*from)] = static_cast<std::int32_t>(*to);
  }
  return map;
}

class MatImporter final : public Importer {
 public:
  MatImporter(ByteSource source, const ImportOptions& options)
      : options_(options), bytes_(std::move(source)) {
    record_.sources.push_back(bytes_.record());
    open_file();
    for (const MatVariable& variable : file_->variables())
      if (!variable.is_numeric)
        record_.notes.push_back("variable " + variable.name + " skipped (" + variable.kind + ")");
    examples_ = find(options.var.empty() ? "X" : options.var);
    const std::string axes = variable_axes(examples_, options.axes, name());
    order_ = RowOrder(axes);
    describe(axes);
    read_labels();
    chunk_rows_ = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(matrix_chunk_bytes /
                                     std::max(layout_.row_bytes(), info_bytes())));
  }

  [[nodiscard]] bool next(Rows& rows) override {
    rows = {};
    const std::int64_t begin = row_, end = std::min(info_.n, row_ + chunk_rows_);
    if (begin == end) return false;
    converter_->append(read_rows(begin, end), begin, name(), rows);
    if (info_.has_labels) rows.y.assign(labels_.begin() + begin, labels_.begin() + end);
    row_ = end;
    return true;
  }

  [[nodiscard]] ImportRecord finish_inputs() override { return std::move(record_); }

 private:
  [[nodiscard]] const std::string& name() const { return bytes_.name(); }
  [[nodiscard]] std::uint64_t info_bytes() const { return info_.row_bytes(); }

  void open_file() {
    std::vector<std::byte> start(
        static_cast<std::size_t>(std::min<std::uint64_t>(signature_bytes, bytes_.size())));
    bytes_.read_at(0, start);
    if (begins_with(start, "MATLAB 5.0 MAT-file")) file_ = open_mat5(bytes_);
    else if (begins_with(start, "MATLAB 7.3 MAT-file")) file_ = open_mat73(bytes_);
    else
      fail(ErrorKind::data, name(),
           start.empty()
               ? "is empty"
               : "not MATLAB 5 or 7.3 (first bytes " +
                     hex_words(std::span(start).first(std::min<std::size_t>(4, start.size()))) +
                     ")",
           looks_like_hint(start));
  }

  [[nodiscard]] MatVariable find(const std::string& wanted) const {
    std::vector<std::string> names;
    for (const MatVariable& variable : file_->variables()) {
      if (variable.name == wanted) return checked(variable);
      if (variable.is_numeric) names.push_back(variable.name);
    }
    fail(ErrorKind::data, name(),
         "no variable " + wanted + " (has: " + join_text(names, ", ") + ")",
         names.empty() ? "" : "--var " + names.front());
  }

  // The guard against a small file that declares a huge array.
  [[nodiscard]] const MatVariable& checked(const MatVariable& variable) const {
    if (!variable.is_numeric)
      fail(ErrorKind::data, name(),
           "variable " + variable.name + " is " + variable.kind + ", expected a real array");
    for (std::size_t i = 0; i < variable.sizes.size(); ++i)
      if (variable.sizes[i] < 1 || variable.sizes[i] > (std::int64_t{1} << 31))
        fail(ErrorKind::data, name(),
             "variable " + variable.name + ": dimension " + std::to_string(i + 1) + " is " +
                 std::to_string(variable.sizes[i]));
    const std::uint64_t elements = variable.elements();
    const std::uint64_t most =
        std::min(max_variable_bytes, matrix_expansion * bytes_.size()) / number_size(variable.type);
    if (elements > most)
      fail(ErrorKind::data, name(),
           "variable " + variable.name + " declares more than the file of " +
               std::to_string(bytes_.size()) + " bytes can hold");
    return variable;
  }

  void describe(const std::string& axes) {
    layout_.type = examples_.type;
    layout_.sizes = {examples_.sizes[order_.examples]};
    for (const std::size_t axis : order_.slow_to_fast)
      layout_.sizes.push_back(examples_.sizes[axis]);
    check_sizes(layout_, name());
    ImportOptions options = options_;
    // A double array may well hold pixels: the values decide.
    const bool is_picture =
        axes.find('h') != std::string::npos && axes.find('w') != std::string::npos;
    if (is_picture && options.shape.empty())
      options.content = all_bytes() ? Reading::image : Reading::vector;
    info_ = describe_rows(layout_, options, name());
    info_.n = layout_.sizes[0];
    converter_.emplace(layout_, info_);
  }

  [[nodiscard]] std::vector<std::byte> read_rows(std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> sizes = examples_.sizes;
    sizes[order_.examples] = end - begin;
    return order_.rows_of(file_->read_slab(examples_, order_.examples, begin, end), sizes,
                          number_size(examples_.type));
  }

  [[nodiscard]] bool all_bytes() {
    if (examples_.type == NumberType::u8) return true;
    const std::int64_t step = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(matrix_chunk_bytes / layout_.row_bytes()));
    const std::size_t width = number_size(examples_.type);
    for (std::int64_t begin = 0; begin < layout_.sizes[0]; begin += step) {
      const std::int64_t end = std::min(layout_.sizes[0], begin + step);
      const std::vector<std::byte> slab = file_->read_slab(examples_, order_.examples, begin, end);
      for (std::size_t at = 0; at < slab.size(); at += width) {
        const double value =
            load_number(&slab[at], examples_.type, std::endian::native == std::endian::big);
        if (!(value >= 0 && value <= 255) || value != std::floor(value)) return false;
      }
    }
    return true;
  }

  void read_labels() {
    const auto& variables = file_->variables();
    const bool is_svhn =
        examples_.name == "X" && std::any_of(variables.begin(), variables.end(),
                                             [](const auto& v) { return v.name == "y"; });
    if (options_.label_var.empty() && !is_svhn) return;
    const MatVariable labels = find(options_.label_var.empty() ? "y" : options_.label_var);
    if (labels.elements() != static_cast<std::uint64_t>(info_.n))
      fail(ErrorKind::data, "",
           std::to_string(info_.n) + " images in " + examples_.name + ", but " +
               std::to_string(labels.elements()) + " labels in " + labels.name);
    const std::vector<std::byte> values =
        file_->read_slab(labels, labels.sizes.size() - 1, 0, labels.sizes.back());
    const std::size_t width = number_size(labels.type);
    for (std::int64_t i = 0; i < info_.n; ++i)
      labels_.push_back(label_of(load_number(&values[static_cast<std::size_t>(i) * width],
                                             labels.type, std::endian::native == std::endian::big),
                                 i, name()));
    info_.has_labels = true;
    rename_labels(variables.size() == 2 && is_svhn);
  }

  void rename_labels(bool only_x_and_y) {
    std::map<std::int32_t, std::int32_t> map = parse_label_map(options_.label_map);
    const auto [low, high] = std::minmax_element(labels_.begin(), labels_.end());
    if (options_.label_map.empty() && only_x_and_y && *low >= 1 && *high == 10) {
      map[10] = 0;
      record_.notes.emplace_back("label 10 means digit 0 here (SVHN): stored as 0");
    }
    for (std::int32_t& label : labels_)
      if (const auto found = map.find(label); found != map.end()) label = found->second;
  }

  ImportOptions options_;
  SeekableBytes bytes_;
  std::unique_ptr<MatFile> file_;
  MatVariable examples_;
  RowOrder order_;
  ArrayLayout layout_;
  std::optional<RowConverter> converter_;
  std::vector<std::int32_t> labels_;
  std::int64_t row_ = 0, chunk_rows_ = 1;
};

std::unique_ptr<Importer> open_mat(Inputs inputs, const ImportOptions& options) {
  Inputs files = unpacked(std::move(inputs), options.members);
  if (files.size() != 1)
    fail(ErrorKind::usage, "mat", "reads one file, " + std::to_string(files.size()) + " given");
  return std::make_unique<MatImporter>(files[0].open(), options);
}

}  // namespace

std::uint64_t MatVariable::elements() const {
  std::uint64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (size < 1 || product > (std::uint64_t{1} << 62) / static_cast<std::uint64_t>(size))
      return size < 1 ? 0 : std::uint64_t{1} << 62;
    product *= static_cast<std::uint64_t>(size);
  }
  return product;
}

namespace foreign {

ImportFormat mat() {
  return {.word = "mat",
          .says = "variables of MATLAB files",
          .known_by = {{"a MATLAB file", "MATLAB 5.0 MAT-file"},
                       {"a MATLAB file", "MATLAB 7.3 MAT-file"}},
          .options = {"members", "shape", "var", "label-var", "axes", "label-map"},
          .open = open_mat};
}

}  // namespace foreign
}  // namespace logpx
