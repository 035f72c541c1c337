// MATLAB 7.3 files are HDF5, with sizes in reverse: what is fastest in MATLAB is last here.
#include "formats/file/input.hpp"
#include "formats/h5/tensors.hpp"
#include "formats/h5/walk.hpp"
#include "formats/import/mat_variable.hpp"
#include "libcore/base/error.hpp"

#include <algorithm>

namespace logpx {
namespace {

std::optional<NumberType> type_of_values(h5::ValueType type) {
  switch (type) {
    case h5::ValueType::u8: return NumberType::u8;
    case h5::ValueType::i8: return NumberType::i8;
    case h5::ValueType::u16: return NumberType::u16;
    case h5::ValueType::i16: return NumberType::i16;
    case h5::ValueType::u32: return NumberType::u32;
    case h5::ValueType::i32: return NumberType::i32;
    case h5::ValueType::u64: return NumberType::u64;
    case h5::ValueType::i64: return NumberType::i64;
    case h5::ValueType::f32: return NumberType::f32;
    case h5::ValueType::f64: return NumberType::f64;
    case h5::ValueType::str:
    case h5::ValueType::other: break;
  }
  return std::nullopt;
}

class Mat73File final : public MatFile {
 public:
  explicit Mat73File(const SeekableBytes& bytes)
      : input_(bytes.path().string()), file_(h5::File::open(input_)), name_(bytes.name()) {
    for (const h5::Object& object : h5::list_objects(file_))
      if (object.path.find('/', 1) == std::string::npos && object.path != "/#refs#" &&
          object.path != "/#subsystem#")
        note(object);
  }

  [[nodiscard]] const std::vector<MatVariable>& variables() const override { return variables_; }

  [[nodiscard]] std::vector<std::byte> read_slab(const MatVariable& variable, std::size_t axis,
                                                 std::int64_t begin, std::int64_t end) override {
    const h5::Dataset dataset(file_, "/" + variable.name);
    h5::Shape count(variable.sizes.rbegin(), variable.sizes.rend()), start(count.size(), 0);
    const std::size_t reversed = count.size() - 1 - axis;
    start[reversed] = begin;
    count[reversed] = end - begin;
    std::vector<std::byte> slab(static_cast<std::size_t>(h5::element_count(count)) *
                                number_size(variable.type));
    dataset.read_block(start, count, slab);
    return slab;
  }

 private:
  [[nodiscard]] std::string matlab_class(const std::string& path) const {
    const auto text = h5::find_attribute(file_, path, "MATLAB_class");
    return text && text->texts.size() == 1 ? text->texts[0] : "";
  }

  void note(const h5::Object& object) {
    MatVariable variable;
    variable.name = object.path.substr(1);
    variable.kind = matlab_class(object.path);
    if (object.kind == h5::ObjectKind::dataset) {
      const h5::Description found = h5::describe(file_, object.path);
      const auto type = type_of_values(found.type);
      const bool is_empty =
          h5::find_attribute(file_, object.path, "MATLAB_empty").has_value();  // its sizes as data
      variable.is_numeric = type && !is_empty && !found.shape.empty() && variable.kind != "char";
      variable.type = type.value_or(NumberType::u8);
      variable.sizes.assign(found.shape.rbegin(), found.shape.rend());
      if (variable.kind.empty()) variable.kind = h5::word_of(found.type);
    } else if (variable.kind.empty()) {
      variable.kind = "struct";
    } else {
      variable.kind = "sparse " + variable.kind;
    }
    variables_.push_back(std::move(variable));
  }

  SeekableInput input_;
  h5::File file_;
  std::string name_;
  std::vector<MatVariable> variables_;
};

}  // namespace

std::unique_ptr<MatFile> open_mat73(const SeekableBytes& bytes) {
  try {
    return std::make_unique<Mat73File>(bytes);
  } catch (const Error& error) {
    // A spooled file has no name that the user knows.
    if (bytes.path() == bytes.name()) throw;
    fail(error.kind(), bytes.name(), error.message(), error.hint());
  }
}

}  // namespace logpx
