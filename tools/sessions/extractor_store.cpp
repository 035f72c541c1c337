#include "tools/sessions/extractor_store.hpp"

#include "formats/file/output.hpp"
#include "libcore/base/error.hpp"
#include "libcore/base/given_options.hpp"
#include "libcore/base/hash.hpp"
#include "libcore/base/shell_word.hpp"
#include "libcore/features/chemnet.hpp"
#include "libcore/features/unit_rows.hpp"
#include "libcore/model/mean_rows.hpp"
#include "tools/frame/app.hpp"

#include <utility>

namespace logpx {
namespace {

std::string example_text(const DatasetInfo& data) {
  return std::string(word_of(data.content)) + "s of " + h5::shape_text(data.shape);
}

// Names and contents of tensors.
std::string tensors_hash(const std::vector<TensorRef>& tensors) {
  Sha256 hash;
  for (const TensorRef& tensor : tensors) {
    hash.update(tensor.name + tensor.shape.text() + '\n');
    hash.update(tensor.bytes);
  }
  return hash.hex();
}

void note(App& app, const std::string& role, const std::string& path, const char* kind,
          const auto& file) {
  app.add_input({.role = role,
                 .path = path,
                 .kind = kind,
                 .content_hash = file.content_hash(),
                 .provenance = file.provenance()});
}

}  // namespace

void FeatureOptions::describe(Fields& f) {
  std::vector<std::string> words;
  f.group("features");
  f.add("extractor", extractor,
        "what features are: pixels, pca:K, random-conv:SEED:D, model:FILE, classifier:D or "
        "inception-v3")
      .metavar("E")
      .hidden_default();
  f.add("fit-on", fit_on, "what pca and classifier learn from; classifier needs labels")
      .metavar("DATA")
      .external()
      .files("*/")
      .shows_default("the first operand");
  f.add("basis", basis, "what an extractor has learned before, by --save-basis")
      .metavar("FILE")
      .external()
      .files("*.h5 of basis")
      .hidden_default();
  f.add("extractor-weights", weights, "weights of inception-v3, by scripts/convert-inception")
      .metavar("FILE")
      .external()
      .files("*.h5 of basis")
      .hidden_default();
  rows.describe(f, "take features of");
  f.add("gray-to-rgb", gray_to_rgb, "give grey pictures three channels");
  describe_reading(f, binarise).shows_default("none");
  f.add("key", key, "the array of a .npz file")
      .shows_default("x; features without --extractor")
      .rank(Rank::manual);
  f.add("batch", batch, "rows that are extracted together; 0: what suits the extractor")
      .range(0, 1e6)
      .rank(Rank::manual);
  describe_weights(f, model_weights);
}

ExtractorStore::ExtractorStore(App& app, const FeatureOptions& options) : options_(options) {
  const std::string& stored = !options.weights.empty() ? options.weights : options.basis;
  if (!options.extractor.empty()) words_ = parse_extractor(options.extractor);
  if (!options.weights.empty() && !options.basis.empty())
    fail(ErrorKind::usage, "--extractor-weights", "excludes --basis");
  if (!stored.empty()) {
    basis_.emplace(stored);
    basis_->check();
    note(app, "basis", stored, "basis", *basis_);
    if (basis_->extractor() == chemnet_name)
      fail(ErrorKind::data, stored, "holds ChemNet, which reads SMILES and no rows",
           "mol-metrics MOLECULES.smi --test TEST.smi --fcd " + shell_word(stored) +
               " compares molecules by it");
    tensors_ = basis_->tensors();
    if (options.extractor.empty()) words_ = parse_extractor(basis_->extractor());
    if (words_.text != basis_->extractor())
      fail(ErrorKind::data, stored,
           "is of extractor " + basis_->extractor() + ", and --extractor is " + words_.text);
  }
  check(app);
  if (words_.kind->made_of != MadeOf::model) return;
  const ModelFile file(words_.file);
  note(app, "model", words_.file, "model", file);
  model_ = load_model(file, options.model_weights);
  model_reads_ = model_->model->info();
  model_hash_ = file.content_hash();
}

void ExtractorStore::check(App& app) const {
  const ExtractorKind& kind = *words_.kind;
  const std::string name = kind.name;
  const bool fitted = kind.fits_on != FitsOn::nothing;
  if (kind.made_of == MadeOf::weights && !basis_)
    fail(ErrorKind::usage, "--extractor",
         name + " needs weights, and logpx comes with none: they belong to others",
         "scripts/convert-inception CHECKPOINT -o W.h5 makes them of a checkpoint that you have; "
         "then --extractor-weights W.h5");
  if (!options_.weights.empty() && kind.made_of != MadeOf::weights)
    fail(ErrorKind::usage, "--extractor-weights", "does nothing for " + name);
  if (!options_.basis.empty() && !fitted && kind.made_of != MadeOf::weights)
    fail(ErrorKind::usage, "--basis", "does nothing for " + name + ", which is not fitted");
  if (!options_.fit_on.empty() && (!fitted || basis_))
    fail(ErrorKind::usage, "--fit-on",
         basis_ ? "excludes --basis" : "does nothing for " + name + ", which is not fitted");
  if (is_given(app.fields(), "--weights") && kind.made_of != MadeOf::model)
    fail(ErrorKind::usage, "--weights", "does nothing for " + name + ", which is no model");
}

DatasetInfo ExtractorStore::rows_as_taken(const DatasetInfo& data) const {
  const bool colour = options_.gray_to_rgb || words_.kind->wants_colour;
  if (options_.gray_to_rgb && data.content != Content::image)
    fail(ErrorKind::data, data.name, "holds no pictures that --gray-to-rgb could change");
  DatasetInfo taken = colour && is_grey(data) ? with_colour(data) : data;
  if (data.has_missing)
    fail(ErrorKind::data, data.name, "has missing values, which extractors do not take");
  if (model_reads_) {
    require_fit(*model_reads_, data, data.name);
    return taken;
  }
  if (!basis_ || !basis_->data()) return taken;
  if (taken.shape != basis_->data()->shape)
    fail(ErrorKind::data, data.name,
         "has " + example_text(data) + ", and " + basis_->name() + " was fitted on " +
             example_text(*basis_->data()));
  return taken;
}

std::unique_ptr<Extractor> ExtractorStore::make(const DatasetInfo& data) {
  ExtractorParts parts{.data = rows_as_taken(data)};
  if (model_) parts.model = std::move(*model_);
  if (basis_) parts.tensors = refs_of(tensors_, basis_->name());
  try {
    return make_extractor(words_, std::move(parts));
  } catch (const Error& error) {
    if (!basis_ || error.kind() != ErrorKind::data) throw;
    throw error.within(basis_->name());
  }
}

Json ExtractorStore::params(Extractor& extractor) const {
  Json params = Json::object();
  const DatasetInfo& data = extractor.info().data;
  const bool given = words_.kind->made_of == MadeOf::weights;
  // There pictures of any size are resized to one size.
  if (given) params.set("weights", basis_->content_hash());
  else params.set("shape", Json::array_of(data.shape));
  params.set("levels", data.levels);
  if (!model_hash_.empty())
    params.set("model", model_hash_)
        .set("model_weights", model_->weights == Weights::ema ? "ema" : "raw");
  if (const auto tensors = extractor.tensors(); !tensors.empty())
    params.set("basis", tensors_hash(tensors));
  return params;
}

std::string save_basis(OutputFile& out, Extractor& extractor, const Json& provenance) {
  const std::vector<TensorRef> tensors = extractor.tensors();
  // Leaves out who made the rows, and their and their columns' names.
  DatasetInfo data = row_info(extractor.info().data);
  data.name.clear();
  data.column_names.clear();
  return write_basis(
      out,
      {.extractor = extractor.info().name, .data = std::move(data), .tensors = views_of(tensors)},
      provenance);
}

}  // namespace logpx
