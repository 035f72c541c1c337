// Models to and from files: file code knows no family, and families no files; here they meet.
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

// Tensors of libcore as file code sees them, and back; all borrow their memory.
[[nodiscard]] TensorView view_of(const TensorRef& tensor);
[[nodiscard]] std::vector<TensorView> views_of(const std::vector<TensorRef>& tensors);
[[nodiscard]] std::vector<TensorRef> refs_of(std::vector<NamedTensor>& tensors,
                                             const std::string& file);

[[nodiscard]] Json config_of(Model& model);

// Writes and closes the file and returns its content hash; out.commit() stays the caller's.
// `average` are the running averages of the parameters, or nothing.
std::string save_model(OutputFile& out, Model& model, const std::vector<TensorRef>& average,
                       const Json& provenance);

// Builds a model that anyone may have described, its parameters included, within the memory that
// its stored tensors (so many bytes of them) explain: a data error otherwise. The draft takes the
// stored ones first, since shapes may follow from them; they are still to be filled in.
[[nodiscard]] std::unique_ptr<Model> build_stored(ModelDraft& draft, const DatasetInfo& data,
                                                  std::span<const TensorRef> stored,
                                                  std::uint64_t bytes);

enum class Weights { best, ema, raw };  // best: ema where there is one
// --weights: which of a model's weights are used.
Field& describe_weights(Fields& fields, Weights& weights);

struct LoadedModel {
  std::unique_ptr<Model> model;
  Weights weights = Weights::raw;  // what it holds: ema or raw
};
// A rule of binarisation other than that of the training, for data that may be of another kind.
struct OtherReading {
  std::string binarise;
  DatasetInfo data;
};
// A data error that names the file when its content is not what was written, or family, config or
// tensors do not fit; a usage error when the other reading does not.
[[nodiscard]] LoadedModel load_model(const ModelFile& file, Weights wanted = Weights::best,
                                     const std::optional<OtherReading>& other = std::nullopt);

// A data error that names the dataset, unless the model reads rows of such a kind. Which of them
// are too long for it, libcore/model/fitting_rows says as they are read.
void require_fit(const ModelInfo& model, const DatasetInfo& data, const std::string& name);

}  // namespace logpx
