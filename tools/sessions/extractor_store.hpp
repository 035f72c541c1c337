// Extractors to and from files: libcore makes them of tensors and models, formats keeps those; here
// they meet.
#pragma once

#include "formats/basis_file.hpp"
#include "formats/json/value.hpp"
#include "libcore/features/kinds.hpp"
#include "tools/store/model_store.hpp"

#include <memory>
#include <optional>
#include <string>

namespace logpx {

class App;
class OutputFile;
struct FeatureOptions;

// The words, the files behind them, and what the extractor is then made of.
class ExtractorStore {
 public:
  // Opens basis, weights and model, and notes them as inputs. Usage errors where options contradict
  // each other or the extractor.
  ExtractorStore(App& app, const FeatureOptions& options);

  [[nodiscard]] const ExtractorWords& words() const { return words_; }
  [[nodiscard]] bool fits() const {
    return words_.kind->fits_on != FitsOn::nothing && !basis_.has_value();
  }
  // What these rows are for it, with colours where it wants them. A data error that names the rows
  // where it was made for others.
  [[nodiscard]] DatasetInfo rows_as_taken(const DatasetInfo& data) const;
  // For rows of this kind; it is still to be fitted where fits() says so.
  [[nodiscard]] std::unique_ptr<Extractor> make(const DatasetInfo& data);
  // Once fitted: what tells it from others of the same name.
  [[nodiscard]] Json params(Extractor& extractor) const;

 private:
  void check(App& app) const;

  const FeatureOptions& options_;
  ExtractorWords words_;
  std::optional<BasisFile> basis_;  // or the weights
  std::vector<NamedTensor> tensors_;
  std::optional<LoadedModel> model_;  // until an extractor is made of it
  std::optional<ModelInfo> model_reads_;
  std::string model_hash_;
};

// What an extractor has learned, to a file that the caller commits; returns the content hash.
std::string save_basis(OutputFile& out, Extractor& extractor, const Json& provenance);

}  // namespace logpx
