// Features of whatever a user has: datasets, samples, folders of pictures and arrays, extracted on
// the fly, or rows that are features already. One run uses a single extractor for all that it
// compares, made and fitted on first use.
//
//   FeatureOptions options;                            // options.describe(fields)
//   FeatureSource source(app, options);
//   const auto real = source.open("digits.h5:train", "real");
//   for (FeatureRows rows; real->next(rows);) use(rows.features);
//   const auto fake = source.open("fakes/", "fake");   // the same extractor
#pragma once

#include "formats/features_file.hpp"
#include "libcore/data/row_choice.hpp"
#include "libcore/features/kinds.hpp"
#include "tools/sessions/extractor_store.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace logpx {

class App;
class Fields;
class RowOperand;

// Features in order, a stretch at a time.
class FeatureStream {
 public:
  virtual ~FeatureStream() = default;
  // extractor, params, d and classes hold from the start; n and source_hash (of a folder or an
  // array) once next() has returned false. An array of features has no extractor.
  [[nodiscard]] const FeaturesInfo& info() const { return info_; }
  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  // A value that is not finite is a data error that names its row.
  [[nodiscard]] virtual bool next(FeatureRows& rows) = 0;

 protected:
  FeaturesInfo info_;
  std::string name_;
};

class FeatureSource {
 public:
  // A usage error if options contradict each other.
  FeatureSource(App& app, const FeatureOptions& options);
  ~FeatureSource();

  // FILE.h5[:SPLIT] of a dataset, samples or features with rows, a folder of pictures, .npy, .npz
  // or .csv; noted as an input of the report in this role once it has been read. A data error that
  // names both if its features cannot be compared with those of earlier operands; a warning if
  // levels differ.
  [[nodiscard]] std::unique_ptr<FeatureStream> open(const std::string& operand,
                                                    const std::string& role);
  // For operands that were opened by others: the same checks.
  void require_comparable(const FeaturesInfo& info, const std::string& name);
  // Null until an operand that needs one has been opened.
  [[nodiscard]] Extractor* extractor() const;
  [[nodiscard]] const FitReport& fit_report() const;  // empty if nothing was fitted

 private:
  class State;
  std::unique_ptr<State> state_;
};

// A data error that names both if features of the two cannot be compared: they must have the same
// width and, if both record it, the same extractor.
void require_same_extractor(const FeaturesInfo& a, const std::string& name_a, const FeaturesInfo& b,
                            const std::string& name_b);

}  // namespace logpx
