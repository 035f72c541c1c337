// Models to and from files: file code knows no family, and families no files; this joins the two.
#pragma once

#include "formats/model_file.hpp"
#include "libcore/families/registry.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace logpx {

class Field;
class Fields;
class OutputFile;

// Conversions between tensors of libcore and of file code; all borrow their memory.
[[nodiscard]] TensorView view_of(const TensorRef& tensor);
[[nodiscard]] std::vector<TensorView> views_of(const std::vector<TensorRef>& tensors);
[[nodiscard]] std::vector<TensorRef> refs_of(std::vector<NamedTensor>& tensors,
                                             const std::string& file);

[[nodiscard]] Json config_of(Model& model);

// Writes and closes the file and returns its content hash; out.commit() stays the caller's.
// `average` are the running averages of the parameters, or nothing.
std::string save_model(OutputFile& out, Model& model, const std::vector<TensorRef>& average,
                       const Json& provenance);

// Builds a model from an untrusted description. A data error if its parameters take more memory
// than its stored tensors (so many bytes) justify. The draft takes the stored tensors first, since
// shapes may follow from them; their values are still to be filled in.
[[nodiscard]] std::unique_ptr<Model> build_stored(ModelDraft& draft, const DatasetInfo& data,
                                                  std::span<const TensorRef> stored,
                                                  std::uint64_t bytes);

enum class Weights { best, ema, raw };  // best: ema where there is one
// --weights: which of a model's weights are used.
Field& describe_weights(Fields& fields, Weights& weights);

struct LoadedModel : AbleModel {
  Weights weights = Weights::raw;  // what it holds: ema or raw
};
// A rule of binarisation other than that of training, perhaps for other data.
struct OtherReading {
  std::string binarise;
  DatasetInfo data;
};
// A data error that names the file if its content has changed since it was written, or if family,
// config or tensors do not fit; a usage error if the other reading does not fit.
[[nodiscard]] LoadedModel load_model(const ModelFile& file, Weights wanted = Weights::best,
                                     const std::optional<OtherReading>& other = std::nullopt);

// A data error that names the dataset if the model does not read rows of its kind. Rows that are
// too long are found by libcore/model/fitting_rows as they are read.
void require_fit(const ModelInfo& model, const DatasetInfo& data, const std::string& name);

}  // namespace logpx
