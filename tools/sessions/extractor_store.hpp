// Extractors to and from files: libcore makes them from tensors and models, formats stores those;
// this joins the two.
#pragma once

#include "formats/basis_file.hpp"
#include "formats/json/value.hpp"
#include "libcore/data/row_choice.hpp"
#include "libcore/features/kinds.hpp"
#include "tools/store/model_store.hpp"

#include <memory>
#include <optional>
#include <string>

namespace logpx {

class App;
class Fields;
class OutputFile;

struct FeatureOptions {
  std::string extractor;           // empty: that of the basis, or operands are features already
  std::string fit_on;              // empty: the first operand
  std::string basis, weights;      // files of logpx-basis(5)
  std::optional<std::string> key;  // of the array in a .npz file
  RowChoice rows;                  // of each operand
  std::int64_t batch = 0;          // 0: chosen by the extractor
  bool gray_to_rgb = false;
  std::optional<std::string> binarise;  // of grey pictures, beside samples that are bits
  Weights model_weights = Weights::best;

  // Describes the options under the heading "features".
  void describe(Fields& fields);
  [[nodiscard]] bool extracts() const { return !extractor.empty() || !basis.empty(); }
};

// The words of an extractor, the files behind them, and the extractor made from both.
class ExtractorStore {
 public:
  // Opens basis, weights and model, and notes them as inputs. Usage errors where options contradict
  // each other or the extractor.
  ExtractorStore(App& app, const FeatureOptions& options);

  [[nodiscard]] const ExtractorWords& words() const { return words_; }
  [[nodiscard]] bool fits() const {
    return words_.kind->fits_on != FitsOn::nothing && !basis_.has_value();
  }
  // The info of these rows as it takes them, with colours if it wants them. A data error that names
  // the rows if it was made for others.
  [[nodiscard]] DatasetInfo rows_as_taken(const DatasetInfo& data) const;
  // An extractor for rows of this kind, still to be fitted if fits() says so.
  [[nodiscard]] std::unique_ptr<Extractor> make(const DatasetInfo& data);
  // Once fitted: what distinguishes it from others of the same name.
  [[nodiscard]] Json params(Extractor& extractor) const;

 private:
  void check(App& app) const;

  const FeatureOptions& options_;
  ExtractorWords words_;
  std::optional<BasisFile> basis_;  // or the weights
  std::vector<NamedTensor> tensors_;
  std::optional<LoadedModel> model_;  // until an extractor is made from it
  std::optional<ModelInfo> model_reads_;
  std::string model_hash_;
};

// Writes the result of a fit to a file that the caller commits; returns the content hash.
std::string save_basis(OutputFile& out, Extractor& extractor, const Json& provenance);

}  // namespace logpx
