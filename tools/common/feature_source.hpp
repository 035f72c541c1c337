// Features of whatever a user has: datasets, samples, folders of pictures and arrays, extracted on
// the fly, or rows that are features already. All that one run compares is extracted by one and the
// same extractor, which is made and fitted when it is first asked for.
//
//   FeatureOptions options;                       // options.describe(fields)
//   FeatureSource source(app, options);
//   const auto real = source.open("digits.h5:train", "real");
//   for (FeatureRows rows; real->next(rows);) use(rows.features);
//   const auto fake = source.open("fakes/", "fake");   // the same extractor
#pragma once

#include "formats/features_file.hpp"
#include "libcore/data/row_choice.hpp"
#include "libcore/features/kinds.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace logpx {

class App;
class Fields;

struct FeatureOptions {
  std::string extractor;         // empty: operands are features
  std::string fit_on;            // empty: the first operand
  std::string basis, weights;    // files of logpx-features(5)
  std::string key = "features";  // of the array in .npz files
  RowChoice rows;                // of each operand
  std::int64_t batch = 64;
  bool gray_to_rgb = false;

  void describe(Fields& fields);
};

// Features in order, a stretch at a time.
class FeatureStream {
 public:
  virtual ~FeatureStream() = default;
  // extractor, params, d and classes hold from the start; n and source_hash (of a folder or an
  // array) are whole once next() has returned false. An array of features has no extractor.
  [[nodiscard]] const FeaturesInfo& info() const { return info_; }
  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  [[nodiscard]] virtual bool next(FeatureRows& rows) = 0;

 protected:
  FeaturesInfo info_;
  std::string name_;
};

class FeatureSource {
 public:
  FeatureSource(App& app, const FeatureOptions& options);
  ~FeatureSource();

  // FILE.h5[:SPLIT] of a dataset, samples or features with rows, a folder of pictures, .npy, .npz
  // or .csv; noted as an input of the report in this role. Widths and extractors of all operands
  // must be the same: a data error that names both. Levels that differ are a warning.
  [[nodiscard]] std::unique_ptr<FeatureStream> open(const std::string& operand,
                                                    const std::string& role);
  // The extractor, once an operand was opened that needs one; null until then.
  [[nodiscard]] Extractor* extractor() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A data error that names both, unless features of these two can be compared.
void require_same_extractor(const FeaturesInfo& a, const std::string& name_a, const FeaturesInfo& b,
                            const std::string& name_b);

}  // namespace logpx
