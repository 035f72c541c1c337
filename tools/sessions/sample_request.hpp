// Requests to sample-model: one of several modes, the options of each, and the resulting maker of
// samples.
//
//   request.check(app.fields());                       // one mode, no option without effect
//   const auto rows = open_requested(app, request);    // where the mode reads data
//   const auto maker = request.maker(can, rows, app.rng());
#pragma once

#include "formats/dataset_file.hpp"
#include "libcore/base/fields.hpp"
#include "libcore/data/partial_molecules.hpp"
#include "libcore/eval/sample_makers.hpp"
#include "libcore/model/completion.hpp"
#include "tools/store/job_options.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace logpx {

class App;

enum class SampleMode { ancestral, manifold, traverse, interpolate, reconstruct, encode };

// Some rows of a dataset, numbered as there.
struct RequestedRows {
  std::unique_ptr<DatasetFile> file;
  std::int64_t begin = 0, end = 0;
  std::optional<PartialMolecules> partial = {};  // they, as the model has molecules

  [[nodiscard]] std::int64_t count() const { return partial ? partial->rows.count : end - begin; }
};

struct SampleRequest {
  std::int64_t count = 64;
  JobOptions knobs{Job::sample};
  std::optional<std::int64_t> manifold;
  std::int64_t points = 11;
  std::vector<std::int64_t> dims, interpolate, traverse;
  std::vector<double> range = {-3, 3};
  std::string reconstruct, encode, data, given, known;
  std::optional<RowRange> index;
  std::optional<std::string> binarise;
  bool slerp = false;
  SampleMode mode = SampleMode::ancestral;  // set by check()

  void describe(Fields& fields);
  // A usage error for two modes, and for options without effect in the chosen one.
  void check(const Fields& fields);
  [[nodiscard]] const std::string& dataset() const;  // of the mode; empty: it reads none
  // A data error unless the model can read them. Partial molecules are made fit.
  void fit(App& app, const ModelInfo& model, RequestedRows& rows) const;
  // A usage error if the model lacks what the mode needs.
  [[nodiscard]] std::unique_ptr<SampleMaker> maker(const Abilities& can,
                                                   const std::optional<RequestedRows>& rows,
                                                   Rng rng);

 private:
  [[nodiscard]] KnownRows given_rows(const DatasetInfo& model, const RequestedRows& rows) const;
  [[nodiscard]] std::unique_ptr<SampleMaker> draws(const Abilities& can,
                                                   const std::optional<RequestedRows>& rows,
                                                   Rng rng);
};

// A usage error that names --index if there are no such rows.
[[nodiscard]] std::optional<RequestedRows> open_requested(App& app, const SampleRequest& request);

}  // namespace logpx
