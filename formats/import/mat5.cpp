#include "formats/import/mat_variable.hpp"
#include "libcore/base/error.hpp"

#if LOGPX_HAVE_MATIO
#include "formats/h5/errors.hpp"

#include <matio.h>

#include <cstring>

namespace logpx {
namespace {

// libmatio reports only through a process-wide callback without a pointer of ours.
std::string& log_of_matio() {
  thread_local std::string log;
  return log;
}
void note_log(int, char* message) {
  if (log_of_matio().empty()) log_of_matio() = message;
}

struct CloseMat {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using VariableHandle = std::unique_ptr<matvar_t, FreeVariable>;

const char* class_word(matio_classes type) {
  switch (type) {
    case MAT_C_CELL: return "cell";
    case MAT_C_STRUCT: return "struct";
    case MAT_C_OBJECT: return "object";
    case MAT_C_CHAR: return "char";
    case MAT_C_SPARSE: return "sparse";
    case MAT_C_DOUBLE: return "double";
    case MAT_C_SINGLE: return "single";
    case MAT_C_INT8: return "int8";
    case MAT_C_UINT8: return "uint8";
    case MAT_C_INT16: return "int16";
    case MAT_C_UINT16: return "uint16";
    case MAT_C_INT32: return "int32";
    case MAT_C_UINT32: return "uint32";
    case MAT_C_INT64: return "int64";
    case MAT_C_UINT64: return "uint64";
    case MAT_C_FUNCTION: return "function";
    default: return "opaque";
  }
}

std::optional<NumberType> type_of_class(matio_classes type) {
  switch (type) {
    case MAT_C_DOUBLE: return NumberType::f64;
    case MAT_C_SINGLE: return NumberType::f32;
    case MAT_C_INT8: return NumberType::i8;
    case MAT_C_UINT8: return NumberType::u8;
    case MAT_C_INT16: return NumberType::i16;
    case MAT_C_UINT16: return NumberType::u16;
    case MAT_C_INT32: return NumberType::i32;
    case MAT_C_UINT32: return NumberType::u32;
    case MAT_C_INT64: return NumberType::i64;
    case MAT_C_UINT64: return NumberType::u64;
    default: return std::nullopt;
  }
}

class Mat5File final : public MatFile {
 public:
  explicit Mat5File(const SeekableBytes& bytes) : name_(bytes.name()) {
    walk_mat5(bytes);
    h5::prepare_library();  // libmatio starts HDF5 for level 5 too, and then it would be too late
    Mat_LogInitFunc("logpx", note_log);
    h5::prepare_library();  // its handler of HDF5's errors takes the stack that we would read
    log_of_matio().clear();
    file_.reset(Mat_Open(bytes.path().c_str(), MAT_ACC_RDONLY));
    if (!file_) fail(ErrorKind::data, name_, "libmatio cannot read it" + log_words());
    while (const VariableHandle variable{Mat_VarReadNextInfo(file_.get())}) note(*variable);
    check_log();
  }

  [[nodiscard]] const std::vector<MatVariable>& variables() const override { return variables_; }

  [[nodiscard]] std::vector<std::byte> read_slab(const MatVariable& variable, std::size_t axis,
                                                 std::int64_t begin, std::int64_t end) override {
    if (loaded_name_ != variable.name) load(variable);
    // [inner, axis, outer] with inner fastest.
    std::uint64_t inner = number_size(variable.type), outer = 1;
    for (std::size_t i = 0; i < axis; ++i) inner *= static_cast<std::uint64_t>(variable.sizes[i]);
    for (std::size_t i = axis + 1; i < variable.sizes.size(); ++i)
      outer *= static_cast<std::uint64_t>(variable.sizes[i]);
    const auto size = static_cast<std::uint64_t>(variable.sizes[axis]);
    const std::uint64_t run = static_cast<std::uint64_t>(end - begin) * inner;
    std::vector<std::byte> slab(run * outer);
    const auto* const data = static_cast<const std::byte*>(loaded_->data);
    for (std::uint64_t o = 0; o < outer; ++o)
      std::memcpy(slab.data() + o * run,
                  data + (o * size + static_cast<std::uint64_t>(begin)) * inner, run);
    return slab;
  }

 private:
  void note(const matvar_t& found) {
    MatVariable variable;
    variable.name = found.name == nullptr ? "" : found.name;
    variable.kind = class_word(found.class_type);
    const auto type = type_of_class(found.class_type);
    variable.is_numeric = type && found.isComplex == 0;
    if (type && found.isComplex != 0) variable.kind = "complex " + variable.kind;
    variable.type = type.value_or(NumberType::u8);
    for (int i = 0; i < found.rank; ++i)
      variable.sizes.push_back(static_cast<std::int64_t>(found.dims[i]));
    variables_.push_back(std::move(variable));
  }

  void load(const MatVariable& variable) {
    loaded_.reset();
    loaded_name_.clear();
    loaded_.reset(Mat_VarRead(file_.get(), variable.name.c_str()));
    check_log();
    const std::uint64_t wanted = variable.elements() * number_size(variable.type);
    if (!loaded_ || loaded_->data == nullptr || loaded_->nbytes < wanted)
      fail(ErrorKind::data, name_, "variable " + variable.name + " is damaged");
    loaded_name_ = variable.name;
  }

  [[nodiscard]] static std::string log_words() {
    return log_of_matio().empty() ? "" : ": " + log_of_matio();
  }
  void check_log() const {
    if (!log_of_matio().empty()) fail(ErrorKind::data, name_, "is damaged" + log_words());
  }

  std::string name_;
  std::unique_ptr<mat_t, CloseMat> file_;
  std::vector<MatVariable> variables_;
  VariableHandle loaded_;
  std::string loaded_name_;
};

}  // namespace

std::unique_ptr<MatFile> open_mat5(const SeekableBytes& bytes) {
  return std::make_unique<Mat5File>(bytes);
}

}  // namespace logpx

#else

namespace logpx {

std::unique_ptr<MatFile> open_mat5(const SeekableBytes& bytes) {
  fail(ErrorKind::usage, bytes.name(), "this build reads no MATLAB level 5 files (libmatio)",
       "save it with -v7.3, or build with libmatio-dev");
}

}  // namespace logpx

#endif
