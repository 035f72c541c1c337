#include "tools/store/model_store.hpp"

#include "formats/data_description.hpp"
#include "formats/dataset_file.hpp"
#include "formats/file/output.hpp"
#include "formats/json/fields_json.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/base/number_text.hpp"
#include "libcore/data/example_dims.hpp"
#include "libcore/data/molecule_rows.hpp"
#include "libcore/math/tensor.hpp"
#include "libcore/model/fitting_rows.hpp"

#include <new>
#include <stdexcept>
#include <utility>

namespace logpx {
namespace {

using h5::ValueType;

constexpr std::int64_t most_elements = std::int64_t{1} << 31;  // of a row of data
constexpr std::uint64_t spare_bytes = 16 << 20;                // for what a model makes itself

constexpr std::pair<NumberType, ValueType> number_types[] = {{NumberType::f32, ValueType::f32},
                                                             {NumberType::f64, ValueType::f64},
                                                             {NumberType::i32, ValueType::i32},
                                                             {NumberType::i64, ValueType::i64},
                                                             {NumberType::u8, ValueType::u8}};

ValueType file_type(NumberType type) {
  for (const auto& [number, value] : number_types)
    if (number == type) return value;
  LOGPX_ASSERT(false);
  return ValueType::other;
}

TensorRef ref_of(NamedTensor& tensor, const std::string& file) {
  for (const auto& [number, value] : number_types) {
    if (value != tensor.value.type) continue;
    if (tensor.value.shape.size() > Shape::max_rank) break;
    return {tensor.name, number, Shape(std::span(std::as_const(tensor.value.shape))),
            tensor.value.bytes};
  }
  fail(ErrorKind::data, file + ": " + tensor.name, "is not a tensor that a model can hold");
}

// Copies the description of elements between infos of the same shape.
void take_values(DatasetInfo& data, const DatasetInfo& from) {
  data.levels = from.levels;
  data.element = from.element;
  data.measure = from.measure;
  data.value_min = from.value_min;
  data.value_max = from.value_max;
  if (data.element != Element::f32) data.standardisation = {};
}

std::uint64_t stored_bytes(const std::vector<NamedTensor>& tensors) {
  std::uint64_t sum = 0;
  for (const NamedTensor& tensor : tensors) sum += tensor.value.bytes.size();
  return sum;
}

// Whether rows have the model's shape, or another length that it reads.
bool fits_shape(const ModelInfo& model, const DatasetInfo& data) {
  if (data.shape == model.data.shape) return true;
  return model.lengths != Lengths::whole && data.shape.size() == 1 &&
         model.data.shape.size() == 1 && data.content == model.data.content;
}

void require_same_letters(const DatasetInfo& data, const DatasetInfo& known,
                          const std::string& name) {
  const std::vector<std::uint32_t>&here = data.alphabet, &there = known.alphabet;
  if (data.is_text() && known.is_text() && data.tokens != known.tokens)
    fail(ErrorKind::data, name, "has symbols that stand for other tokens than those of the model",
         "pack-data text FILE --tokens DATA.h5, where DATA is what the model was trained on");
  if (here.empty() || there.empty() || here == there || here.size() != there.size()) return;
  fail(ErrorKind::data, name, "has symbols that stand for other letters than those of the model");
}

void read_otherwise(Fields& fields, const OtherReading& other, const std::string& family) {
  Field* const rule = fields.find_option("--binarise");
  if (rule == nullptr)
    fail(ErrorKind::usage, "--binarise",
         "does nothing here: " + family + " models do not binarise");
  rule->read(other.binarise, "--binarise", Origin::option);
}

}  // namespace

TensorView view_of(const TensorRef& tensor) {
  const auto sizes = tensor.shape.sizes();
  return {tensor.name, file_type(tensor.type), {sizes.begin(), sizes.end()}, tensor.bytes};
}

std::vector<TensorView> views_of(const std::vector<TensorRef>& tensors) {
  std::vector<TensorView> views;
  for (const TensorRef& tensor : tensors) views.push_back(view_of(tensor));
  return views;
}

std::vector<TensorRef> refs_of(std::vector<NamedTensor>& tensors, const std::string& file) {
  std::vector<TensorRef> refs;
  for (NamedTensor& tensor : tensors) refs.push_back(ref_of(tensor, file));
  return refs;
}

Json config_of(Model& model) {
  Fields fields;
  model.describe(fields);
  return settings_json(fields);
}

std::string save_model(OutputFile& out, Model& model, const std::vector<TensorRef>& average,
                       const Json& provenance) {
  ModelContents contents{.family = model.info().family,
                         .config = config_of(model),
                         .parameters = {{}, views_of(average)},
                         .constants = {},
                         .attributes = data_attributes(model.info().data)};
  model.params([&](const TensorRef& tensor, TensorRole role) {
    auto& list = role == TensorRole::parameter ? contents.parameters.raw : contents.constants;
    list.push_back(view_of(tensor));
  });
  return write_model(out, contents, provenance);
}

std::unique_ptr<Model> build_stored(ModelDraft& draft, const DatasetInfo& data,
                                    std::span<const TensorRef> stored, std::uint64_t bytes) {
  std::int64_t left = most_elements;
  for (const std::int64_t size : data.shape) {
    if (size < 1 || size > left)
      fail(ErrorKind::data, "shape", "has a side of " + std::to_string(size));
    left /= size;
  }
  if (data.levels < 0 || data.levels > 1 << 16)
    fail(ErrorKind::data, "levels", "are " + std::to_string(data.levels) + ", expected 0 to 65536");
  const TensorBudget budget(2 * bytes + spare_bytes);
  try {
    draft.take(stored);
    std::unique_ptr<Model> model = draft.build(data);
    model->params([](const TensorRef&, TensorRole) {});
    return model;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  fail(ErrorKind::data, "config", "asks for more memory than there is");
}

LoadedModel load_model(const ModelFile& file, Weights wanted,
                       const std::optional<OtherReading>& other) {
  file.check();
  try {
    const auto draft = find_family(file.family()).draft();
    Fields fields;
    draft->describe(fields);
    read_settings(fields, file.config(), file.name(), Origin::config);
    if (other) read_otherwise(fields, *other, file.family());
    DatasetInfo data = data_of(file.attributes());
    if (other) take_values(data, other->data);
    Parameters stored = file.parameters();
    std::vector<NamedTensor> constants = file.constants();
    const std::vector<TensorRef> kept = refs_of(constants, file.name());
    LoadedModel loaded;
    loaded.model =
        build_stored(*draft, data, kept, stored_bytes(stored.raw) + stored_bytes(constants));
    if (wanted == Weights::ema && stored.ema.empty())
      fail(ErrorKind::data, "", "holds no running averages", "--weights raw");
    if (wanted != Weights::raw && !stored.ema.empty()) loaded.weights = Weights::ema;
    std::vector<TensorRef> parameters, tables;
    loaded.model->params([&](const TensorRef& tensor, TensorRole role) {
      (role == TensorRole::parameter ? parameters : tables).push_back(tensor);
    });
    fill_tensors(parameters,
                 refs_of(loaded.weights == Weights::ema ? stored.ema : stored.raw, file.name()));
    fill_tensors(tables, kept);
    loaded.model->filled();
    loaded.can = abilities(*loaded.model);
    return loaded;
  } catch (const Error& error) {
    if (other && error.kind() == ErrorKind::usage) throw;
    // Anything that does not fit here is an error of the file.
    throw Error(ErrorKind::data, error.subject(), error.message(), error.hint(), error.where())
        .within(file.name());
  }
}

void require_fit(const ModelInfo& model, const DatasetInfo& data, const std::string& name) {
  require_same_columns(data, model.data, name);
  require_same_atoms(data, model.data, name);
  if (data.has_missing && !model.missing)
    fail(ErrorKind::data, name, "has missing values, and this " + model.family + " takes none",
         "pack-data csv ... --missing drop-row");
  require_same_letters(data, model.data, name);
  const bool shape_fits = fits_shape(model, data);
  if (shape_fits && data.shape != model.data.shape && !data.has_lengths)
    require_length(model, name, 0, longest_example(data));  // all have this length
  if (shape_fits && data.levels == model.data.levels) return;
  const auto kind_of = [](const DatasetInfo& info) {
    if (info.content == Content::molecules)
      return "molecules of up to " + std::to_string(atoms_within(info.dims())) + " atoms";
    std::vector<std::string> sizes;
    for (const std::int64_t size : info.shape) sizes.push_back(std::to_string(size));
    return join_text(sizes, "x") +
           (info.levels > 0 ? " of " + std::to_string(info.levels) + " levels" : " real numbers");
  };
  fail(ErrorKind::data, name,
       "has rows of " + kind_of(data) + ", and the model reads " + kind_of(model.data),
       shape_fits ? "--binarise says how to read them" : "");
}

Field& describe_weights(Fields& f, Weights& weights) {
  return f
      .add("weights", weights,
           {{"best", Weights::best, "the averages where there are any"},
            {"ema", Weights::ema, "running averages"},
            {"raw", Weights::raw, "those of the last step"}},
           "running averages or raw parameters; best is the averages where there are any")
      .rank(Rank::manual);
}

}  // namespace logpx
